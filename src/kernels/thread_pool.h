#pragma once
// The one pool of threads that kernels run on.

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>

struct pthreadpool;

namespace onemodel {

/// About how many multiplications take longer than waking a thread, with a margin for a machine that is busy otherwise:
/// a part of a job has at least so many.
inline constexpr int64_t kThreadWork = 1 << 18;

/// What is done with each range: refers to a callable that outlives it. A std::function would have code and data of its
/// own for every kernel.
class RangeBody {
 public:
  template <class F>
  requires(!std::same_as<F, RangeBody>) RangeBody(const F& body)
      : body_(&body), call_([](const void* f, size_t begin, size_t end) { (*static_cast<const F*>(f))(begin, end); }) {}
  void operator()(size_t begin, size_t end) const { call_(body_, begin, end); }

 private:
  const void* body_;
  void (*call_)(const void* body, size_t begin, size_t end);
};

/// A pthreadpool of a fixed number of threads (the caller's included). Runs one job at a time.
class ThreadPool {
 public:
  /// `threads` >= 1; with 1 everything runs on the caller's thread.
  explicit ThreadPool(size_t threads);
  ~ThreadPool();
  size_t threads() const { return threads_; }
  /// For XNNPACK; null with one thread.
  pthreadpool* handle() const { return pool_; }
  /// Calls `body(begin, end)` over disjoint ranges that cover [0, count), at least `grain` long where possible.
  /// How the ranges are cut depends on the number of threads: a deterministic kernel computes each index alone.
  void parallel_for(size_t count, size_t grain, const RangeBody& body) const;

 private:
  size_t threads_;
  pthreadpool* pool_ = nullptr;
};

/// The process-wide pool; one thread until `set_threads` is called. Not to be resized while a kernel runs.
const ThreadPool& thread_pool();
void set_threads(size_t threads);

}  // namespace onemodel

#pragma once
// The one pool of threads that kernels run on.

#include <cstddef>
#include <functional>
#include <memory>

struct pthreadpool;

namespace onemodel {

/// About how many multiplications take longer than waking a thread, with a margin for a machine that is busy otherwise:
/// a part of a job has at least so many.
inline constexpr int64_t kThreadWork = 1 << 18;

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
  void parallel_for(size_t count, size_t grain, const std::function<void(size_t, size_t)>& body) const;

 private:
  size_t threads_;
  pthreadpool* pool_ = nullptr;
};

/// The process-wide pool; one thread until `set_threads` is called. Not to be resized while a kernel runs.
const ThreadPool& thread_pool();
void set_threads(size_t threads);

}  // namespace onemodel

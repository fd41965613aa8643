#include "kernels/thread_pool.h"

#include <pthreadpool.h>

#include <algorithm>

namespace onemodel {

ThreadPool::ThreadPool(size_t threads) : threads_(std::max<size_t>(threads, 1)) {
  if (threads_ > 1) pool_ = pthreadpool_create(threads_);
  if (!pool_) threads_ = 1;
}

ThreadPool::~ThreadPool() {
  if (pool_) pthreadpool_destroy(pool_);
}

void ThreadPool::parallel_for(size_t count, size_t grain, const RangeBody& body) const {
  if (count == 0) return;
  if (!pool_ || count <= grain) return body(0, count);
  const size_t tile = std::max(std::max<size_t>(grain, 1), (count + 4 * threads_ - 1) / (4 * threads_));
  pthreadpool_parallelize_1d_tile_1d(
      pool_,
      [](void* context, size_t begin, size_t length) {
        (*static_cast<const RangeBody*>(context))(begin, begin + length);
      },
      const_cast<RangeBody*>(&body), count, tile, 0);
}

namespace {
std::unique_ptr<ThreadPool>& global_pool() {
  static std::unique_ptr<ThreadPool> pool = std::make_unique<ThreadPool>(1);
  return pool;
}
}  // namespace

const ThreadPool& thread_pool() { return *global_pool(); }

void set_threads(size_t threads) {
  if (threads != global_pool()->threads()) global_pool() = std::make_unique<ThreadPool>(threads);
}

}  // namespace onemodel

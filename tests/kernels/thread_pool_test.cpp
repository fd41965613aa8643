#include "kernels/thread_pool.h"

#include <gtest/gtest.h>

#include <atomic>
#include <vector>

namespace onemodel {
namespace {

// How often each index of a job was taken.
using Counts = std::vector<std::atomic<int>>;

void expect_each_once(const Counts& counts, size_t job) {
  for (size_t i = 0; i < counts.size(); ++i) ASSERT_EQ(counts[i], 1) << "index " << i << " of job " << job;
}

// Jobs that follow each other closely, on more threads than most machines have cores: workers come late, find a job
// over, or enter the next one in its place.
TEST(ThreadPool, TakesEveryIndexOnce) {
  for (const size_t threads : {2u, 3u, 8u}) {
    const ThreadPool pool(threads);
    if (pool.threads() == 1) GTEST_SKIP() << "built without threads";
    for (size_t job = 0; job < 2000; ++job) {
      Counts counts(2 + job * 37 % 300);
      pool.parallel_for(counts.size(), 1, [&](size_t begin, size_t end) {
        for (size_t i = begin; i < end; ++i) ++counts[i];
      });
      expect_each_once(counts, job);
    }
  }
}

TEST(ThreadPool, EndsWhileItsWorkersSleepOrHaveNotStarted) {
  for (int i = 0; i < 50; ++i) {
    const ThreadPool pool(4);
    std::atomic<int> taken = 0;
    pool.parallel_for(i % 3 == 0 ? 0 : 10, 1,
                      [&](size_t begin, size_t end) { taken += static_cast<int>(end - begin); });
    EXPECT_EQ(taken, i % 3 == 0 ? 0 : 10);
  }
}

}  // namespace
}  // namespace onemodel

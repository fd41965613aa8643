#pragma once
// What the tests of the fast kernels share: random data, runs with one and two threads, comparison.

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "core/error.h"
#include "core/storage.h"
#include "kernels/thread_pool.h"
#include "kernels/xnn/prepared.h"

namespace onemodel::kernels::xnn {

inline constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
inline constexpr float kInf = std::numeric_limits<float>::infinity();

inline std::vector<float> random_floats(int64_t count, uint32_t seed, float low = -1, float high = 1) {
  std::mt19937 engine(seed);
  std::vector<float> out(static_cast<size_t>(count));
  for (float& x : out) x = low + (high - low) * static_cast<float>(engine() >> 8) / static_cast<float>(1 << 24);
  return out;
}

/// Runs `kernel` twice and returns its output; what follows the output must stay untouched.
template <class T>
std::vector<T> run_kernel(Prepared& kernel, const std::vector<std::vector<T>>& inputs, size_t output_size) {
  std::vector<std::shared_ptr<Storage>> storages;
  std::vector<const void*> in;
  for (const auto& input : inputs) {
    storages.push_back(Storage::allocate(input.size() * sizeof(T)));
    std::memcpy(storages.back()->data(), input.data(), input.size() * sizeof(T));
    in.push_back(storages.back()->data());
  }
  constexpr size_t kGuard = 16;
  auto workspace = Storage::allocate(kernel.workspace_bytes());
  auto out = Storage::allocate((output_size + kGuard) * sizeof(T));
  std::vector<T> first, second(output_size);
  void* outputs[] = {out->data()};
  for (int run = 0; run < 2; ++run) {
    std::memset(out->data(), 0x5a, (output_size + kGuard) * sizeof(T));
    std::memset(workspace->data(), 0xff, workspace->bytes());
    kernel.run(in.data(), outputs, workspace->data());
    for (size_t i = 0; i < kGuard * sizeof(T); ++i)
      EXPECT_EQ(out->data()[output_size * sizeof(T) + i], std::byte{0x5a}) << "written behind the output";
    std::memcpy(second.data(), out->data(), output_size * sizeof(T));
    if (run == 0) first = second;
  }
  EXPECT_EQ(std::memcmp(first.data(), second.data(), output_size * sizeof(T)), 0) << "two runs differ";
  return second;
}

/// `expected` within `tolerance` times the larger of 1 and its magnitude; NaN for NaN and infinity for infinity.
inline void expect_close(const std::vector<float>& got, const std::vector<double>& expected, double tolerance = 1e-6) {
  ASSERT_EQ(got.size(), expected.size());
  for (size_t i = 0; i < got.size(); ++i) {
    const double want = expected[i];
    if (std::isnan(want) || std::isinf(static_cast<float>(want))) {
      ASSERT_TRUE(std::isnan(want) ? std::isnan(got[i]) : got[i] == static_cast<float>(want))
          << "at " << i << ": " << got[i] << " instead of " << want;
    } else {
      ASSERT_LE(std::abs(got[i] - want), tolerance * std::max(1.0, std::abs(want)))
          << "at " << i << ": " << got[i] << " instead of " << want;
    }
  }
}

/// Makes the kernel and compares what it computes.
template <class Make>
void check_kernel(const Make& make, const std::vector<std::vector<float>>& inputs, const std::vector<double>& expected,
                  double tolerance = 1e-6) {
  std::string refusal;
  PreparedPtr kernel = make(refusal);
  ASSERT_TRUE(kernel) << refusal;
  EXPECT_EQ(refusal, "");
  expect_close(run_kernel(*kernel, inputs, expected.size()), expected, tolerance);
}

/// Calls `body` with a pool of one thread and of two.
template <class Body>
void with_threads(const Body& body) {
  for (size_t threads : {1, 2}) {
    SCOPED_TRACE(threads);
    set_threads(threads);
    body();
  }
  set_threads(1);
}

template <class Make>
std::string refusal_of(const Make& make) {
  std::string refusal;
  EXPECT_FALSE(make(refusal));
  return refusal;
}

}  // namespace onemodel::kernels::xnn

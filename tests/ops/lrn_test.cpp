#include "ops/lrn.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "ops/sample.h"
#include "support/direct_applier.h"

namespace onemodel::test {
namespace {

TEST(LRN, IsItsDefinition) {
  const Tensor x = sample_values({2, 5, 3}, -2, 2, DType::f64);
  const LRN op{.alpha = 0.3f, .beta = 0.6f, .bias = 1.5f, .size = 4};
  const auto from = x.to_vector<double>(), to = run(op, {x}).to_vector<double>();
  for (int64_t n = 0; n < 2; ++n)
    for (int64_t c = 0; c < 5; ++c)
      for (int64_t i = 0; i < 3; ++i) {
        const auto at = [&](int64_t channel) { return from[static_cast<size_t>((n * 5 + channel) * 3 + i)]; };
        double sum = 0;
        for (int64_t k = std::max<int64_t>(0, c - 1); k <= std::min<int64_t>(4, c + 2); ++k) sum += at(k) * at(k);
        const double expected =
            at(c) / std::pow(1.5 + static_cast<double>(op.alpha) / 4 * sum, static_cast<double>(op.beta));
        EXPECT_NEAR(to[static_cast<size_t>((n * 5 + c) * 3 + i)], expected, 1e-12);
      }
}

}  // namespace
}  // namespace onemodel::test

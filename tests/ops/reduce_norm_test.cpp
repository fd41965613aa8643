#include "ops/reduce_norm.h"

#include <cmath>

#include "ops/sample.h"

#include <gtest/gtest.h>

#include "support/compare.h"
#include "support/direct_applier.h"
#include "support/inference.h"

namespace onemodel::test {
namespace {

TEST(NormReductions, ReduceAsTheSpecificationSays) {
  const Tensor x = Tensor::from<double>({1, -2, 3, 4, 5, -6}, {2, 3}), last = sample_ints({1});
  const auto rows = [&](const Op& op) { return run(op, {x, last}).to_vector<double>(); };
  EXPECT_EQ(rows(ReduceL1{}), (std::vector<double>{6, 15}));
  EXPECT_EQ(rows(ReduceSumSquare{}), (std::vector<double>{14, 77}));
  EXPECT_EQ(rows(ReduceL2{}), (std::vector<double>{std::sqrt(14.0), std::sqrt(77.0)}));
  EXPECT_TRUE(close(run(ReduceLogSum{}, {x, last}), Tensor::from<double>({std::log(2), std::log(3)}, {2, 1}), 1e-12));
  const double first = std::log(std::exp(1) + std::exp(-2) + std::exp(3));
  const double second = std::log(std::exp(4) + std::exp(5) + std::exp(-6));
  EXPECT_TRUE(
      close(run(ReduceLogSumExp{.keepdims = false}, {x, last}), Tensor::from<double>({first, second}, {2}), 1e-12));
}

// ONNX: "composite-reduction operators will still perform the non-reduction steps as needed".
TEST(NormReductions, TakeEachElementAloneWithoutAxesWhenTold) {
  const Tensor x = Tensor::from<float>({1, -2, 3, 4}, {2, 2}), magnitudes = Tensor::from<float>({1, 2, 3, 4}, {2, 2});
  EXPECT_TRUE(same_bits(run(ReduceL1{.noop_with_empty_axes = true}, {x}), magnitudes));
  EXPECT_TRUE(same_bits(run(ReduceL2{.noop_with_empty_axes = true}, {x, sample_ints({})}), magnitudes));
  EXPECT_TRUE(same_bits(run(ReduceLogSumExp{.noop_with_empty_axes = true}, {x, sample_ints({})}), x));
  EXPECT_TRUE(same_bits(run(ReduceSumSquare{.keepdims = false, .noop_with_empty_axes = true}, {x}),
                        Tensor::from<float>({1, 4, 9, 16}, {2, 2})));
  EXPECT_TRUE(close(run(ReduceLogSum{.noop_with_empty_axes = true}, {magnitudes}),
                    Tensor::from<float>({0, std::log(2.0f), std::log(3.0f), std::log(4.0f)}, {2, 2}), 1e-6));
  EXPECT_EQ(run(ReduceL2{.keepdims = false}, {Tensor::from<float>({3, 4}, {1, 2})}).item<float>(), 5);
}

TEST(ReduceLogSumExp, StaysFinite) {
  const auto value = [](std::initializer_list<float> x) {
    return run(ReduceLogSumExp{}, {Tensor::from<float>(x, {static_cast<int64_t>(x.size())})}).item<float>();
  };
  EXPECT_FLOAT_EQ(value({1000, 1000}), 1000 + std::log(2.0f));
  EXPECT_FLOAT_EQ(value({-1000, -HUGE_VALF}), -1000);
  EXPECT_EQ(value({-HUGE_VALF, -HUGE_VALF}), -HUGE_VALF);
  EXPECT_EQ(value({HUGE_VALF, 1}), HUGE_VALF);
  EXPECT_EQ(value({}), -HUGE_VALF);
}

TEST(ReduceL2, ComputesWiderThanItsType) {
  const Tensor x = Tensor::from<float>({300, 400}, {2}).cast(DType::f16);
  EXPECT_EQ(run(ReduceL2{}, {x}).item<float>(), 500);
  EXPECT_EQ(run(ReduceL2{}, {Tensor::from<int32_t>({3, 4}, {2})}).item<int32_t>(), 5);
}

}  // namespace
}  // namespace onemodel::test

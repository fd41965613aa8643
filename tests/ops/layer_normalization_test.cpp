#include "ops/layer_normalization.h"

#include <gtest/gtest.h>

#include <cmath>

#include "ops/sample.h"
#include "support/compare.h"
#include "support/direct_applier.h"
#include "support/inference.h"

namespace onemodel::test {
namespace {

// Mean and inverse deviation of rows of `length`, by the definition.
struct Rows {
  std::vector<double> unit, mean, inverse;
};

Rows by_definition(const Tensor& x, int64_t length, double epsilon) {
  Rows out{x.to_vector<double>(), {}, {}};
  const auto n = static_cast<size_t>(length);
  for (size_t start = 0; start < out.unit.size(); start += n) {
    double mean = 0, variance = 0;
    for (size_t i = 0; i < n; ++i) mean += out.unit[start + i] / static_cast<double>(n);
    for (size_t i = 0; i < n; ++i) variance += std::pow(out.unit[start + i] - mean, 2) / static_cast<double>(n);
    const double inverse = 1 / std::sqrt(variance + epsilon);
    for (size_t i = 0; i < n; ++i) out.unit[start + i] = (out.unit[start + i] - mean) * inverse;
    out.mean.push_back(mean);
    out.inverse.push_back(inverse);
  }
  return out;
}

Tensor tensor(const std::vector<double>& values, const Dims& dims) {
  return Tensor::from(std::span<const double>(values), dims).cast(DType::f32);
}

TEST(LayerNormalization, MatchesTheDefinitionWithAllOutputs) {
  const Tensor x = sample_values({3, 2, 300}, -5, 9);
  const Tensor scale = Tensor::full({300}, 2), bias = Tensor::full({300}, -1);
  const auto out = run(LayerNormalization{.epsilon = 0.01f}, std::vector{x, scale, bias}, 3);
  Rows expected = by_definition(x, 300, 0.01);
  for (double& v : expected.unit) v = v * 2 - 1;
  EXPECT_TRUE(close(out[0], tensor(expected.unit, x.dims()), 2e-6));
  EXPECT_TRUE(close(out[1], tensor(expected.mean, {3, 2, 1}), 2e-6));
  EXPECT_TRUE(close(out[2], tensor(expected.inverse, {3, 2, 1}), 2e-6));
}

TEST(LayerNormalization, KeepsStatisticsInTheStashType) {
  const Tensor x = sample_values({2, 4}, -2, 2, DType::f64);
  const auto out = run(LayerNormalization{}, std::vector{x, Tensor::full({4}, 1, DType::f64)}, 3);
  EXPECT_EQ(out[0].dtype(), DType::f64);
  EXPECT_EQ(out[1].dtype(), DType::f32);
  EXPECT_EQ(out[2].dtype(), DType::f32);
}

TEST(LayerNormalization, OfHalfPrecisionIsComputedInFloat) {
  const Tensor x = sample_values({2, 64}, -2, 2, DType::f16), scale = Tensor::full({64}, 1, DType::f16);
  const Tensor y = run(LayerNormalization{}, {x, scale});
  const Tensor wide = run(LayerNormalization{}, {x.cast(DType::f32), scale.cast(DType::f32)});
  EXPECT_TRUE(same_bits(y, wide.cast(DType::f16)));
}

TEST(LayerNormalization, InfersSymbolicShapes) {
  const Extent batch = Extent::symbol("batch"), width = Extent::symbol("width");
  EXPECT_EQ(Inference(LayerNormalization{}).input({batch, 3, width}).input({width}).text(), "[batch, 3, width]");
  EXPECT_EQ(Inference(LayerNormalization{}).input({batch, 4}).input({3}).error(),
            "ShapeError: LayerNormalization: 'Scale' of shape [3] does not broadcast to [4]");
}

TEST(InstanceNormalization, MatchesTheDefinition) {
  const Tensor x = sample_values({2, 3, 5, 4}, -5, 9);
  const Tensor scale = Tensor::from({1.0f, 2.0f, 3.0f}, {3}), bias = Tensor::from({0.0f, 1.0f, -1.0f}, {3});
  Rows expected = by_definition(x, 20, 1e-5);
  for (size_t i = 0; i < expected.unit.size(); ++i) {
    const size_t channel = i / 20 % 3;
    expected.unit[i] = expected.unit[i] * static_cast<double>(channel + 1) + (channel == 0 ? 0 : channel == 1 ? 1 : -1);
  }
  EXPECT_TRUE(close(run(InstanceNormalization{}, {x, scale, bias}), tensor(expected.unit, x.dims()), 2e-6));
}

}  // namespace
}  // namespace onemodel::test

#include "ops/batch_normalization.h"

#include <gtest/gtest.h>

#include <cmath>

#include "ops/sample.h"
#include "support/compare.h"
#include "support/direct_applier.h"
#include "support/inference.h"

namespace onemodel::test {
namespace {

std::vector<Tensor> inputs(const Dims& x, DType dtype = DType::f32) {
  return {sample_values(x), sample_values({x[1]}, 0.5, 2, dtype, 2), sample_values({x[1]}, -1, 1, dtype, 3),
          sample_values({x[1]}, -1, 1, dtype, 4), sample_values({x[1]}, 0.2, 3, dtype, 5)};
}

Tensor expected(const std::vector<Tensor>& in, double epsilon) {
  auto x = in[0].to_vector<double>();
  const auto scale = in[1].to_vector<double>(), bias = in[2].to_vector<double>(), mean = in[3].to_vector<double>(),
             variance = in[4].to_vector<double>();
  const size_t channels = scale.size(), inner = x.size() / channels / static_cast<size_t>(in[0].dims()[0]);
  for (size_t i = 0; i < x.size(); ++i) {
    const size_t c = i / inner % channels;
    x[i] = (x[i] - mean[c]) / std::sqrt(variance[c] + epsilon) * scale[c] + bias[c];
  }
  return Tensor::from(std::span<const double>(x), in[0].dims());
}

TEST(BatchNormalization, MatchesTheFormula) {
  for (const Dims& dims : {Dims{2, 3, 4, 2}, Dims{3, 5}, Dims{1, 2, 7}, Dims{1, 2, 2, 3, 2}}) {
    const auto in = inputs(dims);
    EXPECT_TRUE(close(run(BatchNormalization{}, in, 1)[0].cast(DType::f64), expected(in, 1e-5), 2e-6)) << concat(dims);
    EXPECT_TRUE(close(run(BatchNormalization{.epsilon = 0.5f}, in, 1)[0].cast(DType::f64), expected(in, 0.5), 2e-6));
  }
}

TEST(BatchNormalization, TakesVectorsOfAnotherDtype) {
  auto in = inputs({2, 3, 4});
  in[0] = in[0].cast(DType::f16);
  const Tensor y = run(BatchNormalization{}, in, 1)[0];
  EXPECT_EQ(y.dtype(), DType::f16);
  EXPECT_TRUE(close(y.cast(DType::f64), expected(in, 1e-5), 1e-3));
  const auto wide = inputs({2, 3, 4}, DType::f64);
  EXPECT_TRUE(close(run(BatchNormalization{}, wide, 1)[0].cast(DType::f64), expected(wide, 1e-5), 1e-6));
}

TEST(BatchNormalization, InfersSymbolicShapes) {
  const Extent batch = Extent::symbol("batch"), h = Extent::symbol("h");
  EXPECT_EQ(Inference(BatchNormalization{}).input({batch, 3, h}).input({3}).input({3}).input({3}).input({3}).text(),
            "[batch, 3, h]");
}

TEST(BatchNormalization, RefusesTraining) {
  const std::string message = infer_error(BatchNormalization{.training_mode = true}, inputs({2, 3}));
  EXPECT_NE(message.find("BatchNormalization: training_mode=1 is not supported"), std::string::npos) << message;
}

TEST(BatchNormalization, NamesTheVectorThatDoesNotFit) {
  auto in = inputs({2, 3, 4});
  in[3] = sample_values({2});
  EXPECT_EQ(infer_error(BatchNormalization{}, in), "BatchNormalization: 'input_mean' has 2 elements, 'X' 3 channels");
  in[3] = sample_values({3, 1});
  EXPECT_EQ(infer_error(BatchNormalization{}, in),
            "BatchNormalization: 'input_mean' expects [channels], got shape [3, 1]");
  in[3] = sample_values({3}, 0, 9, DType::i32);
  EXPECT_EQ(infer_error(BatchNormalization{}, in),
            "BatchNormalization: input 'input_mean' expects a floating-point type, got int32");
}

}  // namespace
}  // namespace onemodel::test

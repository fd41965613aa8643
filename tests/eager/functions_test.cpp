#include "eager/functions.h"

#include <gtest/gtest.h>

#include <cmath>

#include "eager/autograd.h"
#include "support/compare.h"
#include "support/error_text.h"
#include "trace/tracer.h"

namespace onemodel {
namespace {

using test::close;
using test::same_bits;

Tensor counting(const Dims& dims) {
  std::vector<float> values(static_cast<size_t>(numel(dims)));
  for (size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(i);
  return Tensor::from(std::span<const float>(values), dims);
}

Tensor row(std::initializer_list<float> values) { return Tensor::from(values, {static_cast<int64_t>(values.size())}); }

TEST(Functions, ArithmeticBroadcastsAndTakesNumbers) {
  const Tensor a = row({1, 2, 4});
  EXPECT_TRUE(same_bits(a + a * 2 - a / 2, row({2.5f, 5, 10})));
  EXPECT_TRUE(same_bits(-(a + 1), row({-2, -3, -5})));
  EXPECT_TRUE(same_bits(pow(a, 2), row({1, 4, 16})));
  EXPECT_EQ((reshape(a, {3, 1}) * a).dims(), (Dims{3, 3}));
  EXPECT_EQ((Tensor::from({int64_t{7}}, {1}) / 2).item<int64_t>(), 3);
  EXPECT_ERROR(Tensor::from({int64_t{7}}, {1}) * 0.5, ArgumentError, "mul: 0.5 is no int64");
}

TEST(Functions, ElementwiseValues) {
  const Tensor x = row({-4, -0.5f, 0, 2});
  EXPECT_TRUE(same_bits(relu(x), row({0, 0, 0, 2})));
  EXPECT_TRUE(same_bits(leaky_relu(x, 0.5f), row({-2, -0.25f, 0, 2})));
  EXPECT_TRUE(close(hard_sigmoid(x), row({0, 0.4166667f, 0.5f, 0.8333333f}), 1e-6));
  EXPECT_TRUE(same_bits(clip(x, -1, {}), row({-1, -0.5f, 0, 2})));
  EXPECT_TRUE(same_bits(clip(x, {}, 1), row({-4, -0.5f, 0, 1})));
  EXPECT_TRUE(same_bits(clip(row({-INFINITY, INFINITY}), {}, 1), row({-INFINITY, 1}))) << "no bound bounds nothing";
  EXPECT_TRUE(same_bits(where(less(x, row({0})), abs(x), x), row({4, 0.5f, 0, 2})));
  EXPECT_TRUE(same_bits(cast(greater(x, row({0})), DType::f32), row({0, 0, 0, 1})));
  EXPECT_TRUE(same_bits(cast(equal(x, row({2})), DType::f32), row({0, 0, 0, 1})));
}

TEST(Functions, SoftmaxTakesAScalarAsOneElement) {
  const Tensor x = Tensor::scalar(3.0f);
  set_requires_grad(x);
  for (const int64_t axis : {0, -1}) {
    EXPECT_TRUE(same_bits(softmax(x, axis).detach(), Tensor::scalar(1.0f)));
    EXPECT_TRUE(same_bits(log_softmax(x, axis).detach(), Tensor::scalar(0.0f)));
  }
  EXPECT_THROW(softmax(x, 1), ShapeError);
  backward(softmax(x) + log_softmax(x));
  EXPECT_EQ(grad(x).item<float>(), 0);
}

TEST(Functions, RefuseUndefinedTensors) {
  const Tensor none;
  EXPECT_ERROR(none * 2.0, ArgumentError, "mul: the tensor beside 2 is undefined");
  EXPECT_ERROR(none + 1.0, ArgumentError, "add");
  EXPECT_ERROR(pow(none, 2), ArgumentError, "pow");
  EXPECT_ERROR(clip(none, 0, 1), ArgumentError, "clip");
  EXPECT_ERROR(softmax(none), ArgumentError, "Softmax");
  EXPECT_ERROR(relu(none), ArgumentError, "Relu");
  EXPECT_ERROR(mean(none), ArgumentError, "mean: the tensor is undefined");
  EXPECT_ERROR(set_requires_grad(none), ArgumentError, "requires_grad");
  EXPECT_ERROR(set_grad(none, {}), ArgumentError, "set_grad");
  EXPECT_ERROR(Tracer::begin().input("x", none), TraceError, "the example of 'x' is undefined");
}

// As in PyTorch, where a power of 0 falls without bound below exponents of 0.
TEST(Functions, PowersOfZeroHaveASlopeByTheirExponent) {
  const Tensor base = Tensor::zeros({3}), exponent = Tensor::from<float>({-1, 0, 2}, {3});
  set_requires_grad(exponent);
  backward(sum(pow(base, exponent)));
  EXPECT_EQ(grad(exponent).to_vector<float>(), (std::vector<float>{-INFINITY, 0, 0}));
}

TEST(Functions, ReductionsTakeAllOrSomeAxes) {
  const Tensor x = counting({2, 3});
  EXPECT_EQ(sum(x).item<float>(), 15);
  EXPECT_TRUE(sum(x).dims().empty());
  EXPECT_TRUE(same_bits(mean(x, {0}), row({1.5f, 2.5f, 3.5f})));
  EXPECT_TRUE(same_bits(max(x, {-1}, true), Tensor::from({2.0f, 5.0f}, {2, 1})));
}

TEST(Functions, FormsKeepTheElements) {
  const Tensor x = counting({2, 3, 4});
  EXPECT_EQ(reshape(x, {4, -1}).dims(), (Dims{4, 6}));
  EXPECT_EQ(reshape(Tensor::zeros({0, 3}), {3, 0}).dims(), (Dims{3, 0}));
  EXPECT_EQ(flatten(x).dims(), (Dims{24}));
  EXPECT_EQ(flatten(x, 1).dims(), (Dims{2, 12}));
  EXPECT_EQ(flatten(x, -3, -2).dims(), (Dims{6, 4}));
  EXPECT_EQ(flatten(Tensor::scalar(1.0f)).dims(), (Dims{1}));
  EXPECT_EQ(permute(x, {2, -3, 1}).dims(), (Dims{4, 2, 3}));
  EXPECT_EQ(transpose(x, 0, -1).dims(), (Dims{4, 3, 2}));
  EXPECT_EQ(unsqueeze(x, {0, -1}).dims(), (Dims{1, 2, 3, 4, 1}));
  EXPECT_EQ(squeeze(unsqueeze(x, {0, -1}), {0}).dims(), (Dims{2, 3, 4, 1}));
  EXPECT_EQ(squeeze(unsqueeze(x, {0, -1})).dims(), (Dims{2, 3, 4}));
  EXPECT_EQ(expand(row({1, 2}), {3, 2}).dims(), (Dims{3, 2}));
  EXPECT_THROW(flatten(x, 2, 1), ShapeError);
  EXPECT_THROW(permute(x, {0, 1}), ShapeError);
}

TEST(Functions, PartsAreThoseOfPython) {
  const Tensor x = counting({2, 3});
  EXPECT_TRUE(same_bits(slice(x, 1, 0, 3, 2).contiguous(), Tensor::from({0.0f, 2.0f, 3.0f, 5.0f}, {2, 2})));
  EXPECT_TRUE(same_bits(slice(row({1, 2, 3}), 0, -1, -4, -1).contiguous(), row({3, 2, 1})));
  EXPECT_TRUE(same_bits(select(x, 0, -1).contiguous(), row({3, 4, 5})));
  EXPECT_TRUE(same_bits(gather(row({1, 2, 3}), Tensor::from({int64_t{2}, int64_t{0}}, {2})), row({3, 1})));
  EXPECT_TRUE(same_bits(cat({row({1}), row({2, 3})}), row({1, 2, 3})));
}

TEST(Functions, LinearTakesAnyRankAndPyTorchsLayout) {
  const Tensor weight = Tensor::from({1.0f, 0.0f, 1.0f, 2.0f}, {2, 2});
  EXPECT_TRUE(same_bits(linear(Tensor::from({3.0f, 4.0f}, {1, 1, 2}), weight, row({10, 20})),
                        Tensor::from({13.0f, 31.0f}, {1, 1, 2})));
  EXPECT_TRUE(
      same_bits(gemm(row({3, 4}).reshape({1, 2}), weight, {}, 2, 1, false, true), Tensor::from({6.0f, 22.0f}, {1, 2})));
}

TEST(Functions, ImagesHaveFourAxesOrNoBatch) {
  const Tensor image = Tensor::zeros({3, 4, 4}), weight = Tensor::zeros({1, 3, 2, 2});
  EXPECT_EQ(conv2d(image, weight).dims(), (Dims{1, 3, 3}));
  EXPECT_EQ(max_pool2d(image, 2).dims(), (Dims{3, 2, 2}));
  EXPECT_EQ(avg_pool2d(image, 2).dims(), (Dims{3, 2, 2}));
  EXPECT_THROW(global_avg_pool2d(image), ShapeError);
  for (const Tensor& x : {Tensor::zeros({4, 4}), Tensor::zeros({1, 1, 3, 4, 4})}) {
    EXPECT_THROW(conv2d(x, weight), ShapeError);
    EXPECT_THROW(max_pool2d(x, 2), ShapeError);
    EXPECT_THROW(avg_pool2d(x, 2), ShapeError);
  }
}

TEST(Functions, GradientsFlowThroughCompositions) {
  const Tensor x = counting({2, 3});
  set_requires_grad(x);
  backward(sum(select(transpose(x, 0, 1), 0, 1) * 2));
  EXPECT_TRUE(same_bits(grad(x), Tensor::from({0.0f, 2.0f, 0.0f, 0.0f, 2.0f, 0.0f}, {2, 3})));
}

std::string trace_refusal(const std::function<void(const Tensor&)>& call) {
  Tracer tracer = Tracer::begin();
  const Tensor x = tracer.input("x", Tensor::full({2, 3, 4, 4}, 1));
  try {
    call(x);
  } catch (const TraceError& error) {
    return concat(error.kind(), ": ", error.what());
  }
  return "nothing was thrown";
}

TEST(FunctionsWhileTracing, TrainingModeIsRefusedByNameAndReason) {
  Generator generator(1);
  const BatchNormState state = {{}, {}, Tensor::zeros({3}), Tensor::full({3}, 1)};
  EXPECT_EQ(trace_refusal([&](const Tensor& x) { dropout(x, 0.5, true, generator); }),
            "UnsupportedOperation: dropout of float32[2, 3, 4, 4] cannot be traced: in training mode its random mask "
            "would be frozen; use "
            "evaluation mode");
  EXPECT_EQ(trace_refusal([&](const Tensor& x) { batch_norm2d(x, state, true); }),
            "UnsupportedOperation: batch_norm2d of float32[2, 3, 4, 4] cannot be traced: in training mode its result "
            "depends on the batch's "
            "statistics; use evaluation mode");
  EXPECT_EQ(generator.state().offset, 0u);
}

TEST(FunctionsWhileTracing, EvaluationModeIsNotRefused) {
  Generator generator(1);
  const BatchNormState state = {{}, {}, Tensor::zeros({3}), Tensor::full({3}, 1)};
  EXPECT_EQ(trace_refusal([&](const Tensor& x) { batch_norm2d(dropout(x, 0.5, false, generator), state); }),
            "nothing was thrown");
}

}  // namespace
}  // namespace onemodel

#include "nn/losses.h"

#include <gtest/gtest.h>

#include "eager/autograd.h"
#include "eager/functions.h"
#include "nn/goldens.h"
#include "support/compare.h"
#include "trace/tracer.h"

namespace onemodel::nn {
namespace {

using test::close;
using test::golden_tensor;

template <class O>
void expect_golden(Tensor (*loss)(const Tensor&, const Tensor&, const O&), const std::string& name,
                   DType target_dtype) {
  const auto& golden = test::golden("losses", name);
  for (const std::string reduction : {"mean", "sum", "none"}) {
    const Tensor x = golden_tensor(golden.at("x"));
    set_requires_grad(x);
    const Tensor target = golden_tensor(golden.at("target"), target_dtype);
    const bool of_target = golden.contains("dtarget_" + reduction);
    if (of_target) set_requires_grad(target);
    const Tensor value = loss(x, target, {.reduction = reduction});
    EXPECT_TRUE(close(value.detach(), golden_tensor(golden.at(reduction)), 1e-6)) << reduction;
    backward(sum(value));
    EXPECT_TRUE(close(grad(x), golden_tensor(golden.at("dx_" + reduction)), 1e-6)) << reduction;
    if (of_target) {
      EXPECT_TRUE(close(grad(target), golden_tensor(golden.at("dtarget_" + reduction)), 1e-6)) << reduction;
    }
  }
}

TEST(MseLoss, MatchesPyTorch) { expect_golden(mse_loss, "mse_loss", DType::f32); }

TEST(MseLoss, RejectsShapesThatDiffer) {
  EXPECT_THROW(mse_loss(Tensor::zeros({4, 1}), Tensor::zeros({4})), ShapeError);
}

TEST(CrossEntropy, MatchesPyTorchForClasses) { expect_golden(cross_entropy, "cross_entropy", DType::i64); }
TEST(CrossEntropy, MatchesPyTorchForInt32Classes) { expect_golden(cross_entropy, "cross_entropy", DType::i32); }
TEST(CrossEntropy, MatchesPyTorchForImages) { expect_golden(cross_entropy, "cross_entropy_images", DType::i64); }
TEST(CrossEntropy, MatchesPyTorchForProbabilities) {
  expect_golden(cross_entropy, "cross_entropy_probabilities", DType::f32);
}

TEST(CrossEntropy, GradientIsSoftmaxMinusOneHot) {
  const Tensor logits = Tensor::from({1.0f, 2.0f, 4.0f, -1.0f, 0.5f, 0.0f}, {2, 3});
  set_requires_grad(logits);
  backward(cross_entropy(logits, Tensor::from({int64_t{2}, int64_t{0}}, {2})));
  std::vector<float> expected = softmax(logits.detach(), 1).to_vector<float>();
  expected[2] -= 1;
  expected[3] -= 1;
  for (float& value : expected) value /= 2;
  EXPECT_TRUE(close(grad(logits), Tensor::from(std::span<const float>(expected), {2, 3}), 1e-7));
}

TEST(CrossEntropy, StaysFiniteForLargeAndMaskedLogits) {
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  const Tensor logits = Tensor::from({1e4f, -1e4f, 0.0f, -kInfinity, 1.0f, 1.0f}, {2, 3});
  set_requires_grad(logits);
  const Tensor loss = cross_entropy(logits, Tensor::from({int64_t{1}, int64_t{2}}, {2}), {.reduction = "none"});
  EXPECT_TRUE(close(loss.detach(), Tensor::from({2e4f, 0.6931472f}, {2}), 1e-6));
  backward(sum(loss));
  EXPECT_TRUE(close(grad(logits), Tensor::from({1.0f, -1.0f, 0.0f, 0.0f, 0.5f, -0.5f}, {2, 3}), 1e-6));
}

TEST(CrossEntropy, NamesTheClassOutOfRange) {
  try {
    cross_entropy(Tensor::zeros({3, 4}), Tensor::from({int64_t{0}, int64_t{4}, int64_t{1}}, {3}));
    FAIL();
  } catch (const ArgumentError& error) {
    EXPECT_STREQ(error.what(), "cross_entropy: the target's element 1 is class 4, outside [0, 4)");
  }
  EXPECT_THROW(cross_entropy(Tensor::zeros({1, 4}), Tensor::from({int64_t{-1}}, {1})), ArgumentError);
}

TEST(CrossEntropy, RejectsShapesDtypesAndReductions) {
  const Tensor logits = Tensor::zeros({2, 3});
  EXPECT_THROW(cross_entropy(logits, Tensor::zeros({3}, DType::i64)), ShapeError);
  EXPECT_THROW(cross_entropy(logits, Tensor::zeros({2})), ShapeError);
  EXPECT_THROW(cross_entropy(Tensor::zeros({2}), Tensor::zeros({2}, DType::i64)), ShapeError);
  EXPECT_THROW(cross_entropy(logits, Tensor::zeros({2}, DType::boolean)), DTypeError);
  EXPECT_THROW(cross_entropy(logits, Tensor::zeros({2}, DType::i64), {.reduction = "average"}), ArgumentError);
}

TEST(CrossEntropy, IsRefusedWhileTracing) {
  Tracer tracer = Tracer::begin();
  const Tensor logits = tracer.input("logits", Tensor::zeros({2, 3}));
  try {
    cross_entropy(logits, Tensor::zeros({2}, DType::i64));
    FAIL();
  } catch (const TraceError& error) {
    EXPECT_EQ(error.kind(), "UnsupportedOperation");
    EXPECT_NE(std::string(error.what()).find("cross_entropy"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace onemodel::nn

#include "eager/autograd.h"

#include <gtest/gtest.h>

#include <cmath>

#include "eager/apply.h"
#include "eager/functions.h"
#include "ops/fused_matmul.h"
#include "support/error_text.h"

namespace onemodel {
namespace {

Tensor leaf(std::initializer_list<float> values, const Dims& dims) {
  Tensor x = Tensor::from<float>(values, dims);
  set_requires_grad(x);
  return x;
}

TEST(Autograd, SumsOverEveryUse) {
  const Tensor x = leaf({2, 3}, {2});
  backward(sum(mul(x, x)));
  EXPECT_EQ(grad(x).to_vector<float>(), (std::vector<float>{4, 6}));
  backward(sum(x));
  EXPECT_EQ(grad(x).to_vector<float>(), (std::vector<float>{5, 7}));
  zero_grad(x);
  EXPECT_FALSE(grad(x).defined());
}

TEST(Autograd, ReducesOverBroadcastAxes) {
  const Tensor bias = leaf({0, 0}, {2});
  backward(sum(add(Tensor::zeros({3, 2}), bias)));
  EXPECT_EQ(grad(bias).to_vector<float>(), (std::vector<float>{3, 3}));
}

TEST(Autograd, DifferentiatesItsOwnGradients) {
  const Tensor x = leaf({3}, {1});
  const Tensor y = sum(mul(mul(x, x), x));
  backward(y, {}, {.create_graph = true});
  const Tensor first = grad(x);
  EXPECT_FLOAT_EQ(first.detach().item<float>(), 27);
  zero_grad(x);
  backward(sum(first));
  EXPECT_FLOAT_EQ(grad(x).item<float>(), 18);
}

TEST(Autograd, DifferentiatesGradientsThatAreViews) {
  const Tensor w = leaf({1, 1, 1, 1}, {2, 2}), x = Tensor::from<float>({1, 2}, {1, 2});
  const Tensor y = matmul(x, transpose(w, 0, 1));  // [3, 3]; the gradient of y³ by w is 3y²x, its own 6yx·x
  backward(sum(y * y * y), {}, {.create_graph = true});
  const Tensor first = grad(w);
  EXPECT_EQ(first.detach().to_vector<float>(), (std::vector<float>{27, 54, 27, 54}));
  zero_grad(w);
  backward(sum(first));
  EXPECT_EQ(grad(w).to_vector<float>(), (std::vector<float>{54, 108, 54, 108}));
}

TEST(Autograd, DifferentiatesGradientsWrittenWithOutputs) {
  const Tensor x = leaf({0.5f}, {1});
  backward(sum(tanh(x)), {}, {.create_graph = true});
  const Tensor first = grad(x);
  zero_grad(x);
  backward(sum(first));
  const double t = std::tanh(0.5);
  EXPECT_NEAR(grad(x).item<float>(), -2 * t * (1 - t * t), 1e-5);
}

TEST(Autograd, RefusesAValueChangedInPlace) {
  const Tensor x = leaf({1, 2}, {2});
  Tensor scale = Tensor::from<float>({3, 4}, {2});
  const Tensor y = sum(mul(x, scale));
  scale.fill(0);
  EXPECT_ERROR(backward(y), GradientError, "Mul", "'B'", "changed in place");
}

TEST(Autograd, EndsAtResultsThatAreNotFloating) {
  const Tensor x = leaf({1, 2}, {2});
  EXPECT_FALSE(requires_grad(greater(x, x)));
  EXPECT_ERROR(backward(sum(cast(greater(x, x), DType::f32))), GradientError, "requires a gradient");
}

TEST(Autograd, NamesTheOperatorWithoutGradient) {
  const Tensor x = leaf({1, 2}, {1, 2});
  const Tensor y = apply(FusedMatMul{}, {x, Tensor::zeros({2, 1}), Tensor::zeros({1})});
  EXPECT_ERROR(backward(y), GradientError, "FusedMatMul", "no gradient");
}

TEST(Autograd, FreesRecordsAfterBackward) {
  const Tensor x = leaf({1}, {1});
  const Tensor y = sum(mul(x, x));
  backward(y);
  EXPECT_ERROR(backward(y), GradientError, "freed", "retain_graph");
}

TEST(Autograd, WalksChainsOfAnyLength) {
  const MemoryCounters before = memory_counters();
  {
    const Tensor x = leaf({1}, {1});
    Tensor y = x;
    for (int i = 0; i < 100000; ++i) y = neg(y);
    backward(y);
    EXPECT_FLOAT_EQ(grad(x).item<float>(), 1);
    for (int i = 0; i < 100000; ++i) y = neg(y);
  }
  EXPECT_EQ(memory_counters().storages, before.storages);
}

TEST(Autograd, SurvivesTheEndOfAnotherUseOfAResult) {
  const Tensor x = leaf({2, 3}, {2});
  const Tensor y = mul(x, x);
  { const Tensor dropped = sum(y); }
  backward(sum(y));
  ASSERT_TRUE(grad(x).defined());
  EXPECT_EQ(grad(x).to_vector<float>(), (std::vector<float>{4, 6}));
}

TEST(Autograd, LeavesNoRecordInNoGrad) {
  const Tensor x = leaf({1}, {1});
  const NoGrad off;
  EXPECT_FALSE(requires_grad(mul(x, x)));
}

TEST(Autograd, RefusesPlainViewsThatWouldLoseTheGradient) {
  const Tensor x = leaf({1, 2}, {1, 2});
  EXPECT_ERROR((void)x.transpose(0, 1), GradientError, "permute", "detach");
  EXPECT_EQ(x.detach().transpose(0, 1).dims(), (Dims{2, 1}));
}

TEST(Autograd, AsksForAGradientOfManyElements) {
  const Tensor x = leaf({1, 2}, {2});
  EXPECT_ERROR(backward(neg(x)), GradientError, "a gradient must be given");
  backward(neg(x), Tensor::from<float>({1, 10}, {2}));
  EXPECT_EQ(grad(x).to_vector<float>(), (std::vector<float>{-1, -10}));
}

TEST(Autograd, RefusesGradientsOfIntegers) {
  EXPECT_ERROR(set_requires_grad(Tensor::zeros({2}, DType::i64)), DTypeError, "int64");
}

TEST(ActivationScope, FreesActivationsAtItsEnd) {
  const Tensor x = leaf({1, 2}, {2});
  Tensor kept;
  int64_t inside = 0;
  {
    const ActivationScope scope;
    Tensor y = x;
    for (int i = 0; i < 10; ++i) y = mul(y, y);
    kept = sum(y);
    inside = memory_counters().storages;
  }
  EXPECT_LT(memory_counters().storages, inside);
  EXPECT_ERROR(backward(kept), GradientError, "activation scope");
}

TEST(Autograd, LeavesHaveGradientsOfTheirOwn) {
  const Tensor a = Tensor::scalar(1.0f), b = Tensor::scalar(2.0f), seed = Tensor::scalar(3.0f);
  set_requires_grad(a, true);
  set_requires_grad(b, true);
  backward(a + b, seed);
  grad(a).fill(7);
  EXPECT_EQ(grad(b).item<float>(), 3);
  EXPECT_EQ(seed.item<float>(), 3);
}

TEST(Autograd, LeavesKeepGradientsThatNothingElseHas) {
  const auto gradients_of = [](const auto& compute) {
    const Tensor a = leaf({1, 2}, {2}), b = leaf({3, 4}, {2}), seed = Tensor::full({2}, 3);
    backward(compute(a, b), seed);
    EXPECT_NE(grad(a).storage(), grad(b).storage());
    EXPECT_NE(grad(a).storage(), seed.storage());
    EXPECT_NE(grad(b).storage(), seed.storage());
    EXPECT_NE(grad(a).storage(), b.storage());
    return std::pair(grad(a).to_vector<float>(), grad(b).to_vector<float>());
  };
  using Pair = std::pair<std::vector<float>, std::vector<float>>;
  EXPECT_EQ(gradients_of([](auto& a, auto& b) { return a * b; }), (Pair{{9, 12}, {3, 6}}));
  EXPECT_EQ(gradients_of([](auto& a, auto& b) { return a + b; }), (Pair{{3, 3}, {3, 3}}));
  EXPECT_EQ(gradients_of([](auto& a, auto& b) { return reshape(a, {2}) - b; }), (Pair{{3, 3}, {-3, -3}}));
  EXPECT_EQ(gradients_of([](auto& a, auto& b) { return a * a * b; }), (Pair{{18, 48}, {3, 12}}));
  EXPECT_EQ(gradients_of([](auto& a, auto& b) { return (a + a) + b; }), (Pair{{6, 6}, {3, 3}}));
}

}  // namespace
}  // namespace onemodel

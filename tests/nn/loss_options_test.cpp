// Losses with options against PyTorch, and at the edges of what they take.

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>

#include "eager/autograd.h"
#include "eager/functions.h"
#include "eager/functions_activation.h"
#include "nn/goldens.h"
#include "nn/losses.h"
#include "support/compare.h"

namespace onemodel::nn {
namespace {

using test::close;
using test::golden_tensor;

constexpr double kTolerance = 1e-5;

struct LossCase {
  std::string name;
  DType target;
  std::function<Tensor(const Tensor& x, const Tensor& target, const std::string& reduction)> run;
};

Tensor class_weight() { return Tensor::from({0.5f, 2.0f, 0.75f}, {3}); }

// The loss with `options`, and each reduction in turn.
template <class O>
LossCase loss_case(std::string name, DType target, Tensor (*loss)(const Tensor&, const Tensor&, const O&), O options) {
  return {std::move(name), target, [=](const Tensor& x, const Tensor& t, const std::string& reduction) {
            O reduced = options;
            reduced.reduction = reduction;
            return loss(x, t, reduced);
          }};
}

const std::vector<LossCase>& cases() {
  const CrossEntropyOptions smoothed = {.weight = class_weight(), .label_smoothing = 0.25};
  constexpr DType f32 = DType::f32;
  static const std::vector<LossCase> all = {
      loss_case<LossOptions>("l1_loss", f32, l1_loss, {}),
      loss_case<SmoothL1LossOptions>("smooth_l1_loss", f32, smooth_l1_loss, {.beta = 0.5}),
      loss_case<HuberLossOptions>("huber_loss", f32, huber_loss, {.delta = 0.75}),
      loss_case<BinaryCrossEntropyOptions>("binary_cross_entropy", f32, binary_cross_entropy, {}),
      loss_case<BinaryCrossEntropyOptions>("binary_cross_entropy_weight", f32, binary_cross_entropy,
                                           {.weight = class_weight()}),
      loss_case<BinaryCrossEntropyWithLogitsOptions>("binary_cross_entropy_with_logits", f32,
                                                     binary_cross_entropy_with_logits, {.pos_weight = class_weight()}),
      loss_case<BinaryCrossEntropyWithLogitsOptions>("binary_cross_entropy_with_logits_weight", f32,
                                                     binary_cross_entropy_with_logits, {.weight = class_weight()}),
      loss_case<KlDivOptions>("kl_div", f32, kl_div, {}),
      loss_case<KlDivOptions>("kl_div_positive", f32, kl_div, {}),
      loss_case<KlDivOptions>("kl_div_log", f32, kl_div, {.log_target = true}),
      loss_case<NllLossOptions>("nll_loss", DType::i64, nll_loss, {}),
      loss_case<NllLossOptions>("nll_loss_options", DType::i64, nll_loss,
                                {.weight = class_weight(), .ignore_index = 7}),
      loss_case("cross_entropy_options", DType::i64, cross_entropy, smoothed),
      loss_case<CrossEntropyOptions>("cross_entropy_smoothing", DType::i32, cross_entropy,
                                     {.ignore_index = 7, .label_smoothing = 0.25}),
      loss_case("cross_entropy_probabilities_options", f32, cross_entropy, smoothed),
      loss_case<NllLossOptions>("nll_loss_one", DType::i64, nll_loss, {.weight = class_weight()}),
      loss_case<CrossEntropyOptions>("cross_entropy_one", DType::i32, cross_entropy, {}),
      loss_case("cross_entropy_one_options", DType::i64, cross_entropy, smoothed),
      loss_case("cross_entropy_one_probabilities", f32, cross_entropy, smoothed),
  };
  return all;
}

class LossGolden : public testing::TestWithParam<LossCase> {};

TEST_P(LossGolden, ValueAndGradientMatchPyTorch) {
  const auto& golden = test::golden("losses", GetParam().name);
  for (const std::string reduction : {"mean", "batchmean", "sum", "none"}) {
    if (!golden.contains(reduction)) continue;
    const Tensor x = golden_tensor(golden.at("x"));
    set_requires_grad(x);
    const Tensor target = golden_tensor(golden.at("target"), GetParam().target);
    const bool of_target = golden.contains("dtarget_" + reduction);
    if (of_target) set_requires_grad(target);
    const Tensor loss = GetParam().run(x, target, reduction);
    EXPECT_TRUE(close(loss.detach(), golden_tensor(golden.at(reduction)), kTolerance)) << reduction;
    backward(sum(loss));
    EXPECT_TRUE(close(grad(x), golden_tensor(golden.at("dx_" + reduction)), kTolerance)) << reduction;
    if (of_target) {
      EXPECT_TRUE(close(grad(target), golden_tensor(golden.at("dtarget_" + reduction)), kTolerance)) << reduction;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, LossGolden, testing::ValuesIn(cases()), [](const auto& info) { return info.param.name; });

TEST(CrossEntropy, IgnoresPlacesWhoseLossIsInfinite) {
  const float infinity = std::numeric_limits<float>::infinity();
  const Tensor x = Tensor::from({-infinity, 0.0f, 1.0f, 2.0f}, {2, 2});
  const Tensor loss = nll_loss(x, Tensor::from<int64_t>({-100, 1}, {2}));
  EXPECT_EQ(loss.item<float>(), -2.0f);
}

// As torch.nn.functional.binary_cross_entropy and its gradient.
TEST(BinaryCrossEntropy, HasPyTorchsGradientAtZeroAndOne) {
  for (const DType dtype : {DType::f32, DType::f64}) {
    const Tensor x = Tensor::from({0.0f, 1.0f, 0.0f, 1.0f, 0.25f, 1e-13f}, {6}).cast(dtype);
    const Tensor target = Tensor::from({0.0f, 1.0f, 1.0f, 0.0f, 0.75f, 1.0f}, {6}).cast(dtype);
    set_requires_grad(x);
    set_requires_grad(target);
    const Tensor losses = binary_cross_entropy(x, target, {.reduction = "none"});
    EXPECT_TRUE(
        close(losses.detach(), Tensor::from({0.0, 0.0, 100.0, 100.0, 1.1116411, 29.933606}, {6}).cast(dtype), 1e-6));
    backward(sum(losses));
    const std::vector<double> expected = {0, 0, -1e12, 1e12, -8.0 / 3, -1e12};
    const std::vector<double> found = grad(x).to_vector<double>();
    for (size_t i = 0; i < expected.size(); ++i) EXPECT_NEAR(found[i], expected[i], 1e-6 * std::abs(expected[i])) << i;
    EXPECT_TRUE(
        close(grad(target), Tensor::from({100.0, -100.0, 100.0, -100.0, 1.0986123, 29.933606}, {6}).cast(dtype), 1e-6));
  }
}

TEST(BinaryCrossEntropy, TrainsThroughASaturatedSigmoid) {
  const Tensor x = Tensor::from({200.0f, -200.0f, 1.0f}, {3});
  set_requires_grad(x);
  backward(binary_cross_entropy(sigmoid(x), Tensor::from({1.0f, 0.0f, 0.5f}, {3})));
  EXPECT_TRUE(close(grad(x), Tensor::from({0.0f, 0.0f, 0.077019525f}, {3}), 1e-6));
}

TEST(CrossEntropy, SaysThatClassesAreIntegers) {
  const Tensor scores = Tensor::zeros({2, 3}), floats = Tensor::zeros({2});
  const auto message = [&](const auto& loss) -> std::string {
    try {
      loss();
    } catch (const Error& error) {
      return error.what();
    }
    return {};
  };
  const std::string hint = "cast the target to int64";
  EXPECT_NE(message([&] { nll_loss(scores, floats); }).find(hint), std::string::npos);
  EXPECT_NE(message([&] { cross_entropy(scores, floats); }).find(hint), std::string::npos);
  EXPECT_EQ(message([&] { cross_entropy(scores, Tensor::zeros({2, 4})); }).find(hint), std::string::npos);
  EXPECT_NE(message([&] { cross_entropy(Tensor::zeros({3}), Tensor::zeros({})); }).find(hint), std::string::npos);
  EXPECT_EQ(message([&] { cross_entropy(Tensor::zeros({3}), Tensor::zeros({2}, DType::i64)); }),
            "cross_entropy: beside scores [3] the target must be one class, or a probability for each, got [2]");
}

TEST(Losses, RejectOptionsOutOfRange) {
  const Tensor x = Tensor::zeros({2, 3}), classes = Tensor::from<int64_t>({0, 1}, {2});
  EXPECT_THROW(cross_entropy(x, classes, {.label_smoothing = 1.5}), ArgumentError);
  EXPECT_THROW(cross_entropy(x, classes, {.weight = Tensor::zeros({2})}), ShapeError);
  EXPECT_THROW(huber_loss(x, x, {.delta = 0}), ArgumentError);
  EXPECT_THROW(l1_loss(x, x, {.reduction = "median"}), ArgumentError);
  EXPECT_THROW(kl_div(x, Tensor::zeros({2})), ShapeError);
  EXPECT_THROW(cross_entropy({}, classes), ArgumentError);
  EXPECT_THROW(nll_loss(x, {}), ArgumentError);
  EXPECT_THROW(mse_loss(x, {}), ArgumentError);
}

Tensor gradient_of(const std::function<Tensor(const Tensor&)>& f, const Tensor& x) {
  set_requires_grad(x);
  backward(sum(f(x)));
  return grad(x);
}

TEST(Losses, AreFlatlySlopedAtInfinity) {
  const auto infinity = std::numeric_limits<float>::infinity();
  const Tensor wanted = Tensor::from({1.0f, -1.0f, 0.5f}, {3}), zero = Tensor::zeros({3});
  const auto x = [&] { return Tensor::from({infinity, -infinity, 0.5f}, {3}); };
  EXPECT_TRUE(
      test::same_bits(gradient_of([&](const Tensor& t) { return huber_loss(t, zero); }, x()), wanted * (1.0 / 3)));
  EXPECT_TRUE(
      test::same_bits(gradient_of([&](const Tensor& t) { return smooth_l1_loss(t, zero); }, x()), wanted * (1.0 / 3)));
}

TEST(Activations, HaveTheirSlopeAtZero) {
  const Tensor slope = Tensor::full({1}, 0.25);
  for (const auto& f : {std::function<Tensor(const Tensor&)>([&](const Tensor& t) { return prelu(t, slope); }),
                        std::function<Tensor(const Tensor&)>([](const Tensor& t) { return leaky_relu(t, 0.25f); })})
    EXPECT_EQ(gradient_of(f, Tensor::from({-1.0f, 0.0f, 2.0f}, {3})).to_vector<float>(),
              (std::vector<float>{0.25f, 0.25f, 1.0f}));
}

TEST(BinaryCrossEntropy, RefusesWhatAreNoProbabilities) {
  const Tensor target = Tensor::zeros({2});
  for (const float wrong : {-0.5f, 1.5f})
    EXPECT_THROW(binary_cross_entropy(Tensor::from({0.5f, wrong}, {2}), target), ArgumentError) << wrong;
  EXPECT_FALSE(std::isnan(binary_cross_entropy(Tensor::from({0.0f, 1.0f}, {2}), target).item<float>()));
}

TEST(Losses, NameThemselvesWhenIntegersHaveNoMean) {
  const Tensor x = Tensor::zeros({2}, DType::i32);
  try {
    mse_loss(x, x);
    FAIL();
  } catch (const DTypeError& error) {
    EXPECT_EQ(std::string(error.what()).find("mse_loss: expected a floating-point tensor"), 0u) << error.what();
  }
  EXPECT_THROW(l1_loss(x, x), DTypeError);
  EXPECT_EQ(mse_loss(x, x, {.reduction = "sum"}).item<int32_t>(), 0);
}

}  // namespace
}  // namespace onemodel::nn

// Losses with options against PyTorch, gradient clipping and schedules.

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "eager/autograd.h"
#include "eager/functions.h"
#include "nn/clip_grad.h"
#include "nn/goldens.h"
#include "nn/losses.h"
#include "nn/schedule.h"
#include "nn/sgd.h"
#include "support/compare.h"

namespace onemodel::nn {
namespace {

using test::close;
using test::golden_tensor;

constexpr double kTolerance = 1e-5;

struct LossCase {
  std::string name;
  DType target;
  std::function<Tensor(const Tensor& x, const Tensor& target, std::string_view reduction)> run;
};

Tensor class_weight() { return Tensor::from({0.5f, 2.0f, 0.75f}, {3}); }

const std::vector<LossCase>& cases() {
  using View = std::string_view;
  static const std::vector<LossCase> all = {
      {"l1_loss", DType::f32, [](auto& x, auto& t, View r) { return l1_loss(x, t, r); }},
      {"smooth_l1_loss", DType::f32, [](auto& x, auto& t, View r) { return smooth_l1_loss(x, t, r, 0.5); }},
      {"huber_loss", DType::f32, [](auto& x, auto& t, View r) { return huber_loss(x, t, r, 0.75); }},
      {"binary_cross_entropy", DType::f32, [](auto& x, auto& t, View r) { return binary_cross_entropy(x, t, {}, r); }},
      {"binary_cross_entropy_with_logits", DType::f32,
       [](auto& x, auto& t, View r) { return binary_cross_entropy_with_logits(x, t, {}, r, class_weight()); }},
      {"kl_div", DType::f32, [](auto& x, auto& t, View r) { return kl_div(x, t, r); }},
      {"kl_div_log", DType::f32, [](auto& x, auto& t, View r) { return kl_div(x, t, r, true); }},
      {"nll_loss_options", DType::i64,
       [](auto& x, auto& t, View r) {
         return nll_loss(x, t, {.weight = class_weight(), .ignore_index = 7, .reduction = r});
       }},
      {"cross_entropy_options", DType::i64,
       [](auto& x, auto& t, View r) {
         return cross_entropy(x, t, {.weight = class_weight(), .reduction = r, .label_smoothing = 0.25});
       }},
      {"cross_entropy_smoothing", DType::i32,
       [](auto& x, auto& t, View r) {
         return cross_entropy(x, t, {.ignore_index = 7, .reduction = r, .label_smoothing = 0.25});
       }},
      {"cross_entropy_probabilities_options", DType::f32,
       [](auto& x, auto& t, View r) {
         return cross_entropy(x, t, {.weight = class_weight(), .reduction = r, .label_smoothing = 0.25});
       }},
  };
  return all;
}

class LossGolden : public testing::TestWithParam<LossCase> {};

TEST_P(LossGolden, ValueAndGradientMatchPyTorch) {
  const auto& golden = test::golden("losses", GetParam().name);
  for (const std::string reduction : {"mean", "sum", "none"}) {
    const Tensor x = golden_tensor(golden.at("x"));
    set_requires_grad(x);
    const Tensor loss = GetParam().run(x, golden_tensor(golden.at("target"), GetParam().target), reduction);
    EXPECT_TRUE(close(loss.detach(), golden_tensor(golden.at(reduction)), kTolerance)) << reduction;
    backward(sum(loss));
    EXPECT_TRUE(close(grad(x), golden_tensor(golden.at("dx_" + reduction)), kTolerance)) << reduction;
  }
}

INSTANTIATE_TEST_SUITE_P(All, LossGolden, testing::ValuesIn(cases()), [](const auto& info) { return info.param.name; });

TEST(CrossEntropy, IgnoresPlacesWhoseLossIsInfinite) {
  const float infinity = std::numeric_limits<float>::infinity();
  const Tensor x = Tensor::from({-infinity, 0.0f, 1.0f, 2.0f}, {2, 2});
  const Tensor loss = nll_loss(x, Tensor::from<int64_t>({-100, 1}, {2}), ClassLossOptions{});
  EXPECT_EQ(loss.item<float>(), -2.0f);
}

TEST(Losses, RejectOptionsOutOfRange) {
  const Tensor x = Tensor::zeros({2, 3}), classes = Tensor::from<int64_t>({0, 1}, {2});
  EXPECT_THROW(cross_entropy(x, classes, {.label_smoothing = 1.5}), ArgumentError);
  EXPECT_THROW(cross_entropy(x, classes, {.weight = Tensor::zeros({2})}), ShapeError);
  EXPECT_THROW(huber_loss(x, x, "mean", 0), ArgumentError);
  EXPECT_THROW(l1_loss(x, x, "median"), ArgumentError);
  EXPECT_THROW(kl_div(x, Tensor::zeros({2})), ShapeError);
}

// Two leaves with gradients (3, 0) and (0, 4): together of norm 5.
std::vector<Tensor> leaves() {
  std::vector<Tensor> out = {Tensor::zeros({2}), Tensor::zeros({2}), Tensor::zeros({1})};
  set_grad(out[0], Tensor::from({3.0f, 0.0f}, {2}));
  set_grad(out[1], Tensor::from({0.0f, -4.0f}, {2}));
  return out;
}

TEST(ClipGradNorm, ScalesAllGradientsTogether) {
  const auto parameters = leaves();
  EXPECT_NEAR(clip_grad_norm(parameters, 1), 5, 1e-12);
  EXPECT_TRUE(close(grad(parameters[0]), Tensor::from({0.6f, 0.0f}, {2}), 1e-6));
  EXPECT_TRUE(close(grad(parameters[1]), Tensor::from({0.0f, -0.8f}, {2}), 1e-6));
  EXPECT_FALSE(grad(parameters[2]).defined());
}

TEST(ClipGradNorm, LeavesSmallGradientsAloneAndTakesOtherNorms) {
  const auto parameters = leaves();
  EXPECT_NEAR(clip_grad_norm(parameters, 7, 1), 7, 1e-12);
  EXPECT_NEAR(clip_grad_norm(parameters, 6), 5, 1e-6);
  EXPECT_NEAR(clip_grad_norm(parameters, 2, std::numeric_limits<double>::infinity()), 4, 1e-6);
  EXPECT_TRUE(close(grad(parameters[1]), Tensor::from({0.0f, -2.0f}, {2}), 1e-5));
  EXPECT_THROW(clip_grad_norm(parameters, -1), ArgumentError);
}

TEST(ClipGradValue, BoundsEachElement) {
  const auto parameters = leaves();
  clip_grad_value(parameters, 2);
  EXPECT_TRUE(close(grad(parameters[0]), Tensor::from({2.0f, 0.0f}, {2}), 0));
  EXPECT_TRUE(close(grad(parameters[1]), Tensor::from({0.0f, -2.0f}, {2}), 0));
}

void expect_rates(const std::string& name, const std::function<std::unique_ptr<Schedule>(Optimizer&)>& make) {
  SGD optimizer({Tensor::zeros({1})}, {.lr = 0.4});
  const auto schedule = make(optimizer);
  for (const double rate : test::golden("schedules", name)) {
    EXPECT_NEAR(optimizer.learning_rate(), rate, 1e-12) << name << ", step " << schedule->last_epoch();
    schedule->step();
  }
}

TEST(Schedules, MatchPyTorch) {
  expect_rates("step", [](Optimizer& o) { return std::make_unique<StepLR>(o, 3, 0.5); });
  expect_rates("linear", [](Optimizer& o) { return std::make_unique<LinearLR>(o, 0.25, 1, 4); });
  expect_rates("one_cycle", [](Optimizer& o) { return std::make_unique<OneCycleLR>(o, 1, 10); });
  // Up to T_max; beyond, PyTorch's recursion and the cosine go apart by rounding only.
  expect_rates("cosine", [](Optimizer& o) { return std::make_unique<CosineAnnealingLR>(o, 5, 0.1); });
}

TEST(Schedules, AreSavedAndContinued) {
  SGD whole({Tensor::zeros({1})}, {.lr = 0.4}), resumed({Tensor::zeros({1})}, {.lr = 9});
  CosineAnnealingLR first(whole, 5), second(resumed, 5);
  first.step();
  first.step();
  second.load_state_dict(first.state_dict());
  EXPECT_EQ(resumed.learning_rate(), whole.learning_rate());
  first.step();
  second.step();
  EXPECT_EQ(resumed.learning_rate(), whole.learning_rate());
  EXPECT_THROW(second.load_state_dict({}), ModelError);
}

TEST(Schedules, RejectOptionsOutOfRange) {
  SGD optimizer({Tensor::zeros({1})}, {.lr = 0.4});
  EXPECT_THROW(StepLR(optimizer, 0), ArgumentError);
  EXPECT_THROW(LinearLR(optimizer, 0), ArgumentError);
  EXPECT_THROW(OneCycleLR(optimizer, 1, 0), ArgumentError);
  OneCycleLR cycle(optimizer, 1, 2);
  cycle.step();
  cycle.step();
  EXPECT_THROW(cycle.step(), ArgumentError);
}

}  // namespace
}  // namespace onemodel::nn

#include "nn/schedule.h"

#include <gtest/gtest.h>

#include "nn/adagrad.h"
#include "nn/adam.h"
#include "nn/goldens.h"
#include "nn/one_cycle.h"
#include "nn/sgd.h"
#include "support/compare.h"

namespace onemodel::nn {
namespace {

using Make = std::function<std::unique_ptr<Schedule>(Optimizer&)>;

template <class S>
Make make(typename S::Options options) {
  return [options](Optimizer& optimizer) { return std::make_unique<S>(optimizer, options); };
}

void expect_rates(const std::string& name, const Make& make) {
  SGD optimizer({Tensor::zeros({1})}, {.lr = 0.4});
  const auto schedule = make(optimizer);
  for (const double rate : test::golden("schedules", name)) {
    EXPECT_NEAR(optimizer.learning_rate(), rate, 1e-12) << name << ", step " << schedule->last_epoch();
    schedule->step();
  }
}

TEST(Schedules, MatchPyTorch) {
  expect_rates("step", make<StepLR>({.step_size = 3, .gamma = 0.5}));
  expect_rates("linear", make<LinearLR>({.start_factor = 0.25, .total_iters = 4}));
  expect_rates("one_cycle", make<OneCycleLR>({.max_lr = 1, .total_steps = 10, .cycle_momentum = false}));
  // Up to T_max; beyond, PyTorch's recursion and the cosine go apart by rounding only.
  expect_rates("cosine", make<CosineAnnealingLR>({.T_max = 5, .eta_min = 0.1}));
}

double momentum_of(const Optimizer& optimizer, size_t group) {
  if (const auto betas = optimizer.option(group, "betas")) return std::get<std::vector<double>>(*betas)[0];
  return std::get<double>(*optimizer.option(group, "momentum"));
}

// The rates and momenta of two groups.
void expect_groups(const std::string& name, Optimizer& optimizer, const Make& make) {
  const auto& golden = test::golden("grouped_schedules", name);
  const auto schedule = make(optimizer);
  for (size_t step = 0; step < golden[0].size(); ++step) {
    for (size_t g = 0; g < 2; ++g) {
      const auto& momentum = golden[1][step][g];
      EXPECT_NEAR(optimizer.learning_rate(g), golden[0][step][g].get<double>(), 1e-12) << name << ", step " << step;
      EXPECT_NEAR(momentum_of(optimizer, g), (momentum.is_array() ? momentum[0] : momentum).get<double>(), 1e-12)
          << name << ", step " << step;
    }
    if (step + 1 < golden[0].size()) schedule->step();
  }
}

void expect_sgd_groups(const std::string& name, const Make& make) {
  SGD optimizer(std::vector<SGD::Group>{{{Tensor::zeros({1})}, {.lr = 0.4, .momentum = 0.9}},
                                        {{Tensor::zeros({1})}, {.lr = 0.1, .momentum = 0.9}}});
  expect_groups(name, optimizer, make);
}

TEST(Schedules, MatchPyTorchForGroups) {
  expect_sgd_groups("multi_step", make<MultiStepLR>({.milestones = {2, 3, 6}, .gamma = 0.5}));
  expect_sgd_groups("linear", make<LinearLR>({.start_factor = 0.5, .total_iters = 3}));
  expect_sgd_groups("one_cycle", make<OneCycleLR>({.max_lr = {1, 0.5}, .total_steps = 10}));
  expect_sgd_groups("one_cycle_linear", make<OneCycleLR>({.max_lr = 1,
                                                          .total_steps = 12,
                                                          .pct_start = 0.4,
                                                          .anneal_strategy = "linear",
                                                          .base_momentum = 0.5,
                                                          .max_momentum = 0.75,
                                                          .div_factor = 10,
                                                          .final_div_factor = 100,
                                                          .three_phase = true}));
  Adam adam(std::vector<Adam::Group>{{{Tensor::zeros({1})}, {.lr = 0.4}}, {{Tensor::zeros({1})}, {.lr = 0.1}}});
  expect_groups("one_cycle_betas", adam, make<OneCycleLR>({.max_lr = 1, .total_steps = 10}));
}

TEST(Schedules, AreSavedAndContinued) {
  SGD whole({Tensor::zeros({1})}, {.lr = 0.4}), resumed({Tensor::zeros({1})}, {.lr = 9});
  CosineAnnealingLR first(whole, {.T_max = 5}), second(resumed, {.T_max = 5});
  first.step();
  first.step();
  second.load_state_dict(first.state_dict());
  EXPECT_EQ(resumed.learning_rate(), whole.learning_rate());
  first.step();
  second.step();
  EXPECT_EQ(resumed.learning_rate(), whole.learning_rate());
}

TEST(Schedules, RefuseAStateThatDoesNotFit) {
  SGD optimizer({Tensor::zeros({1})}, {.lr = 0.4});
  OneCycleLR schedule(optimizer, {.max_lr = 1, .total_steps = 3, .cycle_momentum = false});
  auto state = schedule.state_dict();
  state["last_epoch"] = Tensor::scalar(int64_t{4});
  EXPECT_THROW(schedule.load_state_dict(state), ModelError);
  for (const double steps : {-3.0, 1.5}) {
    state["last_epoch"] = Tensor::scalar(steps);
    EXPECT_THROW(schedule.load_state_dict(state), ModelError) << steps;
  }
  state["last_epoch"] = Tensor::scalar(int64_t{1});
  for (const double rate : {-1.0, std::nan("")}) {
    state["base_lrs"] = Tensor::full({1}, rate, DType::f64);
    EXPECT_THROW(schedule.load_state_dict(state), ModelError) << rate;
  }
  EXPECT_EQ(schedule.last_epoch(), 0);
  EXPECT_EQ(schedule.state_dict().at("base_lrs").item<double>(), 0.4);
  state.erase("last_epoch");
  state["base_lrs"] = Tensor::zeros({2}, DType::f64);
  state["other"] = Tensor::zeros({});
  try {
    schedule.load_state_dict(state);
    FAIL();
  } catch (const ModelError& error) {
    const std::string message = error.what();
    for (const char* part :
         {"OneCycleLR", "missing: last_epoch", "base_lrs: expected [1], got [2]", "unexpected: other"})
      EXPECT_NE(message.find(part), std::string::npos) << message;
  }
  EXPECT_EQ(schedule.last_epoch(), 0);
}

TEST(Schedules, RejectOptionsOutOfRange) {
  SGD optimizer({Tensor::zeros({1})}, {.lr = 0.4});
  EXPECT_THROW(StepLR(optimizer, {.step_size = 0}), ArgumentError);
  EXPECT_THROW(MultiStepLR(optimizer, {.milestones = {3, 2}}), ArgumentError);
  EXPECT_THROW(CosineAnnealingLR(optimizer, {.T_max = 0}), ArgumentError);
  EXPECT_THROW(LinearLR(optimizer, {.start_factor = 0}), ArgumentError);
  EXPECT_THROW(OneCycleLR(optimizer, {.max_lr = 1, .total_steps = 0}), ArgumentError);
  EXPECT_THROW(OneCycleLR(optimizer, {.max_lr = {1, 2}, .total_steps = 2}), ArgumentError);
  EXPECT_THROW(OneCycleLR(optimizer, {.max_lr = 1, .total_steps = 2, .anneal_strategy = "step"}), ArgumentError);
  OneCycleLR cycle(optimizer, {.max_lr = 1, .total_steps = 2});
  cycle.step();
  cycle.step();
  EXPECT_THROW(cycle.step(), ArgumentError);
  EXPECT_EQ(cycle.last_epoch(), 2);
}

TEST(Schedules, RefuseBeforeAnythingIsSet) {
  SGD optimizer(std::vector<SGD::Group>{{{Tensor::zeros({1})}, {.lr = 0.4, .momentum = 0.5}},
                                        {{Tensor::zeros({1})}, {.lr = 0.2, .momentum = 0.5}}});
  const std::string before = optimizer.describe();
  EXPECT_THROW(OneCycleLR(optimizer, {.max_lr = 1, .total_steps = 10, .max_momentum = {0.9, -1}}), ArgumentError);
  EXPECT_THROW(OneCycleLR(optimizer, {.max_lr = 1, .total_steps = 10, .base_momentum = -1}), ArgumentError);
  EXPECT_THROW(OneCycleLR(optimizer, {.max_lr = {1, -1}, .total_steps = 10}), ArgumentError);
  CosineAnnealingLR low(optimizer, {.T_max = 10, .eta_min = -0.01});
  auto state = low.state_dict();
  state["last_epoch"] = Tensor::scalar(int64_t{10});
  EXPECT_NE(low.state_problems(state).find("last_epoch: SGD: lr must not be negative"), std::string::npos);
  EXPECT_THROW(low.load_state_dict(state), ModelError);
  EXPECT_EQ(low.last_epoch(), 0);
  EXPECT_EQ(optimizer.describe(), before);
  state = low.state_dict();
  state["last_epoch"] = Tensor::scalar(int64_t{9});
  state["base_lrs"] = Tensor::from({0.5, 0.0}, {2});  // the second group's rate alone is refused
  EXPECT_THROW(low.load_state_dict(state), ModelError);
  EXPECT_EQ(low.state_dict().at("base_lrs").to_vector<double>(), (std::vector<double>{0.4, 0.2}));
}

TEST(OneCycleLR, NeedsMomentumToCycle) {
  Adagrad optimizer({Tensor::zeros({1})});
  EXPECT_THROW(OneCycleLR(optimizer, {.max_lr = 1, .total_steps = 2}), ArgumentError);
  OneCycleLR(optimizer, {.max_lr = 1, .total_steps = 2, .cycle_momentum = false});
}

TEST(Schedules, RefuseGroupsThatCameLater) {
  SGD optimizer({Tensor::zeros({1})}, {.lr = 0.4});
  StepLR schedule(optimizer, {.step_size = 1});
  optimizer.add_group({Tensor::zeros({1})}, {});
  EXPECT_THROW(schedule.step(), ArgumentError);
  EXPECT_THROW(schedule.load_state_dict(schedule.state_dict()), ModelError);
}

}  // namespace
}  // namespace onemodel::nn

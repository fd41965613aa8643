#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "eager/autograd.h"
#include "eager/functions.h"
#include "nn/adam.h"
#include "nn/goldens.h"
#include "nn/registry.h"
#include "nn/rmsprop.h"
#include "nn/sgd.h"
#include "support/compare.h"

namespace onemodel::nn {
namespace {

using test::close;
using test::golden_tensor;
using test::same_bits;

std::unique_ptr<Optimizer> make(std::string_view name, std::vector<Tensor> parameters,
                                const nlohmann::json& arguments) {
  const OptimizerTraits& traits = test::named(all_optimizers(), name);
  return traits.make(std::move(parameters), test::golden_values(traits.arguments, arguments));
}

struct OptimizerCase {
  std::string optimizer, golden;
};

class OptimizerGolden : public testing::TestWithParam<OptimizerCase> {};

TEST_P(OptimizerGolden, ThreeStepsMatchPyTorch) {
  const auto& golden = test::golden("optimizers", GetParam().golden);
  const Tensor parameter = golden_tensor(golden.at("parameter"));
  set_requires_grad(parameter);
  const auto optimizer = make(GetParam().optimizer, {parameter}, golden.at("arguments"));
  for (size_t i = 0; i < 3; ++i) {
    set_grad(parameter, golden_tensor(golden.at("gradients")[i]));
    optimizer->step();
    EXPECT_TRUE(close(parameter.detach(), golden_tensor(golden.at("after")[i]), 2e-7)) << "step " << i;
  }
}

TEST_P(OptimizerGolden, IsSavedAndContinuedBitForBit) {
  const auto& golden = test::golden("optimizers", GetParam().golden);
  const Tensor whole = golden_tensor(golden.at("parameter")), parts = whole.clone();
  const auto uninterrupted = make(GetParam().optimizer, {whole}, golden.at("arguments"));
  auto first = make(GetParam().optimizer, {parts}, golden.at("arguments"));
  const auto step = [&](Optimizer& optimizer, const Tensor& parameter, size_t i) {
    set_grad(parameter, golden_tensor(golden.at("gradients")[i]));
    optimizer.step();
  };
  for (size_t i = 0; i < 3; ++i) step(*uninterrupted, whole, i);
  step(*first, parts, 0);
  const auto second = make(GetParam().optimizer, {parts}, golden.at("arguments"));
  second->load_state_dict(first->state_dict());
  first.reset();
  for (size_t i = 1; i < 3; ++i) step(*second, parts, i);
  EXPECT_TRUE(same_bits(whole.detach(), parts.detach()));
}

INSTANTIATE_TEST_SUITE_P(All, OptimizerGolden,
                         testing::Values(OptimizerCase{"SGD", "sgd"}, OptimizerCase{"SGD", "sgd_momentum"},
                                         OptimizerCase{"SGD", "sgd_dampening"}, OptimizerCase{"SGD", "sgd_nesterov"},
                                         OptimizerCase{"SGD", "sgd_weight_decay"}, OptimizerCase{"Adam", "adam"},
                                         OptimizerCase{"Adam", "adam_options"}, OptimizerCase{"Adam", "adam_amsgrad"},
                                         OptimizerCase{"AdamW", "adamw_amsgrad"}, OptimizerCase{"AdamW", "adamw"},
                                         OptimizerCase{"AdamW", "adamw_options"}, OptimizerCase{"RMSprop", "rmsprop"},
                                         OptimizerCase{"RMSprop", "rmsprop_options"},
                                         OptimizerCase{"RMSprop", "rmsprop_centered"},
                                         OptimizerCase{"Adagrad", "adagrad"},
                                         OptimizerCase{"Adagrad", "adagrad_options"}),
                         [](const auto& info) { return info.param.golden; });

class GroupedOptimizer : public testing::TestWithParam<OptimizerCase> {
 protected:
  const nlohmann::json& golden() const { return test::golden("grouped_optimizers", GetParam().golden); }
  std::vector<Tensor> parameters() const {
    return {golden_tensor(golden().at("parameters")[0]), golden_tensor(golden().at("parameters")[1])};
  }
  // Each parameter in a group of its own.
  std::unique_ptr<Optimizer> make_groups(const std::vector<Tensor>& parameters) const {
    const auto& groups = golden().at("groups");
    auto out = make(GetParam().optimizer, {parameters[0]}, groups[0]);
    const OptimizerTraits& traits = test::named(all_optimizers(), GetParam().optimizer);
    out->add_group({parameters[1]}, test::golden_values(traits.arguments, groups[1]));
    return out;
  }
  void step(Optimizer& optimizer, const std::vector<Tensor>& parameters, size_t i) const {
    for (size_t p = 0; p < 2; ++p) set_grad(parameters[p], golden_tensor(golden().at("gradients")[i][p]));
    optimizer.step();
  }
};

TEST_P(GroupedOptimizer, ThreeStepsMatchPyTorch) {
  const std::vector<Tensor> own = parameters();
  const auto optimizer = make_groups(own);
  for (size_t i = 0; i < 3; ++i) {
    step(*optimizer, own, i);
    for (size_t p = 0; p < 2; ++p)
      EXPECT_TRUE(close(own[p].detach(), golden_tensor(golden().at("after")[i][p]), 2e-7)) << "step " << i;
  }
}

TEST_P(GroupedOptimizer, IsSavedWithItsOptionsAndContinuedBitForBit) {
  const std::vector<Tensor> whole = parameters(), parts = parameters();
  const auto uninterrupted = make_groups(whole), first = make_groups(parts);
  for (size_t i = 0; i < 3; ++i) step(*uninterrupted, whole, i);
  step(*first, parts, 0);
  const auto second = make(GetParam().optimizer, {parts[0]}, nlohmann::json::object());
  second->add_group({parts[1]}, {});
  second->load_state_dict(first->state_dict());
  EXPECT_EQ(second->describe(), first->describe());
  for (size_t i = 1; i < 3; ++i) step(*second, parts, i);
  for (size_t p = 0; p < 2; ++p) EXPECT_TRUE(same_bits(whole[p].detach(), parts[p].detach()));
}

INSTANTIATE_TEST_SUITE_P(All, GroupedOptimizer,
                         testing::Values(OptimizerCase{"SGD", "sgd"}, OptimizerCase{"Adam", "adam"},
                                         OptimizerCase{"AdamW", "adamw"}, OptimizerCase{"RMSprop", "rmsprop"},
                                         OptimizerCase{"Adagrad", "adagrad"}),
                         [](const auto& info) { return info.param.golden; });

TEST(Optimizer, ChangesOptionsOfOneGroupOrRates) {
  SGD optimizer(std::vector<SGD::Group>{{{Tensor::zeros({1})}, {.lr = 0.1}}, {{Tensor::zeros({1})}, {.lr = 0.2}}});
  optimizer.set_learning_rate(1, 0.5);
  EXPECT_EQ(optimizer.learning_rate(0), 0.1);
  EXPECT_EQ(optimizer.learning_rate(1), 0.5);
  optimizer.set_learning_rate(0.3);
  EXPECT_EQ(optimizer.learning_rate(0), 0.3);
  EXPECT_EQ(optimizer.learning_rate(1), 0.3);
  optimizer.set_option(1, "weight_decay", 0.25);
  EXPECT_EQ(optimizer.options(1).weight_decay, 0.25);
  EXPECT_EQ(optimizer.options(0).weight_decay, 0);
  EXPECT_THROW(optimizer.set_option(0, "momentum", -1.0), ArgumentError);
  EXPECT_THROW(optimizer.set_option(0, "nesterov", int64_t{1}), ArgumentError);
  EXPECT_THROW(optimizer.set_option(0, "betas", 1.0), ArgumentError);
  EXPECT_THROW(optimizer.set_option(2, "lr", 1.0), ArgumentError);
  EXPECT_EQ(optimizer.describe(),
            "SGD(lr=0.3, momentum=0, dampening=0, weight_decay=0, nesterov=false), "
            "(lr=0.3, momentum=0, dampening=0, weight_decay=0.25, nesterov=false)");
}

TEST(SGD, BeginsMomentumThatIsSetLaterWithTheGradient) {
  const Tensor p = Tensor::from({1.0f}, {1});
  SGD optimizer({p}, {.lr = 0.5, .dampening = 0.5});
  set_grad(p, Tensor::from({1.0f}, {1}));
  optimizer.step();
  optimizer.set_option(0, "momentum", 0.5);
  optimizer.step();  // v = 1: the first step of momentum is not dampened
  EXPECT_EQ(p.item<float>(), 0.0f);
  optimizer.step();  // v = 0.5 + 0.5
  EXPECT_EQ(p.item<float>(), -0.5f);
}

// Two steps, an option set after each, then two more: the second half also by an optimizer that took the state over.
template <class O>
void expect_resumed_after(const char* option, const AttributeValue& first, const AttributeValue& second) {
  const Tensor p = Tensor::from({1.0f}, {1}), q = Tensor::from({1.0f}, {1});
  O whole({p}, {.lr = 0.5, .momentum = 0.5}), resumed({q}, {.lr = 0.1});
  for (const Tensor& each : {p, q}) set_grad(each, Tensor::from({1.0f}, {1}));
  for (const AttributeValue& value : {first, second}) {
    whole.set_option(0, option, value);
    whole.step();
  }
  whole.set_option(0, option, first);
  resumed.load_state_dict(whole.state_dict());
  Tensor(q.detach()).copy_from(p.detach());
  for (const AttributeValue& value : {first, second}) {
    for (O* each : {&whole, &resumed}) {
      each->set_option(0, option, value);
      each->step();
    }
    EXPECT_TRUE(same_bits(p.detach(), q.detach())) << option;
  }
}

TEST(Optimizer, LoadsAStateWhoseLastStepHadOtherSlots) {
  for (const double momentum : {0.0, 0.9}) {
    expect_resumed_after<SGD>("momentum", momentum, 0.9 - momentum);
    expect_resumed_after<RMSprop>("momentum", momentum, 0.9 - momentum);
  }
  for (const int64_t centered : {0, 1}) expect_resumed_after<RMSprop>("centered", centered, 1 - centered);
}

TEST(SGD, FollowsTheFormulaByHand) {
  const Tensor p = Tensor::from({1.0f}, {1});
  SGD optimizer({p}, {.lr = 0.5, .momentum = 0.5});
  set_grad(p, Tensor::from({1.0f}, {1}));
  optimizer.step();  // v = 1
  EXPECT_EQ(p.item<float>(), 0.5f);
  optimizer.step();  // v = 1.5
  EXPECT_EQ(p.item<float>(), -0.25f);
  optimizer.step();  // v = 1.75
  EXPECT_EQ(p.item<float>(), -1.125f);
}

TEST(Adam, FirstStepHasTheLearningRatesLength) {
  const Tensor p = Tensor::from({1.0f, 1.0f}, {2});
  Adam optimizer({p}, {.lr = 0.25, .eps = 0});
  set_grad(p, Tensor::from({1e-3f, -40.0f}, {2}));
  optimizer.step();
  EXPECT_TRUE(close(p, Tensor::from({0.75f, 1.25f}, {2}), 1e-6));
}

TEST(Optimizer, LeavesParametersWithoutGradientAlone) {
  const Tensor a = Tensor::from({1.0f}, {1}), b = Tensor::from({1.0f}, {1});
  Adam optimizer({a, b}, {.lr = 0.1});
  set_grad(a, Tensor::from({1.0f}, {1}));
  optimizer.step();
  EXPECT_NE(a.item<float>(), 1.0f);
  EXPECT_EQ(b.item<float>(), 1.0f);
  EXPECT_FALSE(optimizer.state_dict().contains("state.1.step"));
}

TEST(Optimizer, UpdatesStridedAndDoubleParameters) {
  const Tensor base = Tensor::from({1.0, 2.0, 3.0, 4.0}, {2, 2});
  const Tensor parameter = base.transpose(0, 1);
  SGD optimizer({parameter}, {.lr = 1});
  set_grad(parameter, Tensor::from({1.0, 1.0, 0.0, 0.0}, {2, 2}));
  optimizer.step();
  EXPECT_TRUE(same_bits(base, Tensor::from({0.0, 2.0, 2.0, 4.0}, {2, 2})));
}

TEST(Optimizer, TakesLeavesOnly) {
  const Tensor leaf = Tensor::zeros({1});
  set_requires_grad(leaf);
  const Tensor result = leaf * 2;
  EXPECT_THROW(SGD({leaf, result}, {}), GradientError);
  EXPECT_NO_THROW(SGD({leaf, result.detach()}, {}));
}

TEST(Optimizer, TakesNoParameterWhoseElementsShareMemory) {
  EXPECT_THROW(SGD({expand(Tensor::zeros({1}), {3})}, {.lr = 0.1}), ArgumentError);
}

TEST(Optimizer, RejectsOptionsOutOfRange) {
  EXPECT_THROW(SGD({Tensor::zeros({1})}, {.lr = std::numeric_limits<double>::infinity()}), ArgumentError);
  const std::vector<Tensor> p = {Tensor::zeros({1})};
  EXPECT_THROW(SGD(p, {.lr = -1}), ArgumentError);
  EXPECT_THROW(SGD(p, {.momentum = -1}), ArgumentError);
  EXPECT_THROW(SGD(p, {.nesterov = true}), ArgumentError);
  EXPECT_THROW(SGD(p, {.momentum = 0.9, .dampening = 0.1, .nesterov = true}), ArgumentError);
  EXPECT_THROW(Adam(p, {.betas = {0.9}}), ArgumentError);
  EXPECT_THROW(Adam(p, {.betas = {0.9, 1}}), ArgumentError);
  EXPECT_THROW(SGD({}, {}), ArgumentError);
  EXPECT_THROW(SGD({Tensor()}, {}), ArgumentError);
  EXPECT_THROW(SGD({Tensor::zeros({1}, DType::i64)}, {}), DTypeError);
  EXPECT_THROW(SGD({p[0], p[0]}, {}), ArgumentError);
  SGD optimizer(p, {});
  EXPECT_THROW(optimizer.add_group(p, {}), ArgumentError);
  EXPECT_THROW(optimizer.add_group({}, {}), ArgumentError);
  EXPECT_EQ(optimizer.group_count(), 1u);
}

TEST(Optimizer, ReportsEverythingThatDoesNotFitBeforeChanging) {
  const Tensor p = Tensor::zeros({2});
  Adam optimizer({p}, {.lr = 0.1});
  set_grad(p, Tensor::full({2}, 1));
  optimizer.step();
  auto state = optimizer.state_dict();
  state.erase("state.0.exp_avg");
  state["state.0.exp_avg_sq"] = Tensor::zeros({3});
  state["state.1.step"] = Tensor::scalar(int64_t{1});
  state["param_groups.0.lr"] = Tensor::scalar(9.0);
  state["param_groups.0.eps"] = Tensor::scalar(-1.0);
  state["param_groups.0.params"] = Tensor::zeros({2}, DType::i64);
  try {
    optimizer.load_state_dict(state);
    FAIL();
  } catch (const ModelError& error) {
    EXPECT_STREQ(error.what(),
                 "load_state_dict: the state does not fit Adam(lr=0.1, betas=[0.9, 0.999], eps=1e-08, weight_decay=0, "
                 "amsgrad=false):"
                 "\n  missing: state.0.exp_avg"
                 "\n  unexpected: state.1.step"
                 "\n  shape of param_groups.0.params: expected [1], got [2]"
                 "\n  shape of state.0.exp_avg_sq: expected [2], got [3]"
                 "\n  Adam: eps must not be negative, got -1");
  }
  EXPECT_EQ(optimizer.learning_rate(), 0.1);
}

TEST(Optimizer, RefusesEntriesThatAreNoState) {
  Adam optimizer({Tensor::zeros({1}), Tensor::zeros({1})}, {.lr = 0.1});
  set_grad(optimizer.parameters(0)[0], Tensor::full({1}, 1));
  optimizer.step();
  const auto own = optimizer.state_dict();
  const std::pair<const char*, Tensor> wrong[] = {
      {"state.0.step", Tensor::scalar(int64_t{-5})},
      {"state.0.step", Tensor::scalar(1.5)},
      {"state.0.step", Tensor::from<std::string>(std::vector<std::string>{"1"}, {})},
      {"state.0.exp_avg", Tensor::from<std::string>(std::vector<std::string>{"a"}, {1})},
      {"param_groups.0.lr", Tensor::from<std::string>(std::vector<std::string>{"a"}, {})},
      {"param_groups.0.lr", Tensor::scalar(std::nan(""))},
      {"param_groups.0.params", Tensor::from<int64_t>({1, 0}, {2})},
      {"param_groups.0.params", Tensor::from<int64_t>({0, 7}, {2})}};
  for (const auto& [name, tensor] : wrong) {
    auto state = own;
    state[name] = tensor;
    EXPECT_THROW(optimizer.load_state_dict(state), ModelError) << name << to_string(tensor);
  }
  for (const auto& [name, tensor] : optimizer.state_dict()) EXPECT_TRUE(same_bits(tensor, own.at(name))) << name;
}

}  // namespace
}  // namespace onemodel::nn

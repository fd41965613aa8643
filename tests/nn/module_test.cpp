#include "nn/module.h"

#include <gtest/gtest.h>

#include <cmath>

#include "eager/apply.h"
#include "eager/autograd.h"
#include "eager/record.h"
#include "nn/layers.h"
#include "nn/random.h"
#include "nn/registry.h"
#include "ops/random.h"
#include "support/compare.h"

namespace onemodel::nn {
namespace {

using test::same_bits;

std::vector<std::string> paths(const std::vector<NamedTensor>& tensors) {
  std::vector<std::string> out;
  for (const NamedTensor& named : tensors) out.push_back(named.path);
  return out;
}

class Block : public Module {
 public:
  Block()
      : conv_(register_module("conv", std::make_shared<Conv2d>(3, 4, 3))),
        layers_(register_module(
            "layers", std::make_shared<Sequential>(std::make_shared<BatchNorm2d>(4), std::make_shared<ReLU>()))) {
    register_parameter("scale", Tensor::full({1}, 2));
    register_buffer("scratch", Tensor::zeros({1}), false);
  }
  std::vector<Tensor> forward(std::span<const Tensor> inputs) override {
    path_ = module_path();
    return {(*layers_)((*conv_)(inputs[0])) * tensor("scale")};
  }
  std::string describe() const override { return "Block"; }
  std::string path_;

 private:
  std::shared_ptr<Conv2d> conv_;
  std::shared_ptr<Sequential> layers_;
};

class Tied : public Module {
 public:
  Tied() {
    const Tensor shared = register_parameter("a", Tensor::zeros({2}));
    register_parameter("b", shared);
  }
  std::vector<Tensor> forward(std::span<const Tensor>) override { return {}; }
  std::string describe() const override { return "Tied"; }
  using Module::add_module;
  using Module::register_buffer;
};

TEST(Module, PathsAndKindsAreThoseOfPyTorch) {
  const Block block;
  EXPECT_EQ(
      paths(block.named_tensors()),
      (std::vector<std::string>{"scale", "scratch", "conv.weight", "conv.bias", "layers.0.weight", "layers.0.bias",
                                "layers.0.running_mean", "layers.0.running_var", "layers.0.num_batches_tracked"}));
  EXPECT_EQ(paths(block.named_parameters()),
            (std::vector<std::string>{"scale", "conv.weight", "conv.bias", "layers.0.weight", "layers.0.bias"}));
  EXPECT_EQ(block.named_tensors()[1].kind, ConstantKind::non_persistent_buffer);
  EXPECT_EQ(block.named_tensors()[6].kind, ConstantKind::buffer);
  EXPECT_FALSE(block.state_dict().contains("scratch"));
  EXPECT_EQ(block.state_dict().at("layers.0.num_batches_tracked").dtype(), DType::i64);
  for (const Tensor& parameter : block.parameters()) EXPECT_TRUE(requires_grad(parameter));
}

TEST(Module, RunsUnderThePathOfItsPlace) {
  const auto block = std::make_shared<Block>();
  Sequential model(std::make_shared<Identity>(), block);
  model(Tensor::zeros({1, 3, 4, 4}));
  EXPECT_EQ(block->path_, "1");
  EXPECT_EQ(module_path(), "");
}

TEST(Module, ModeReachesEverySubmodule) {
  Block block;
  block.eval();
  for (const auto& [path, module] : block.named_modules()) EXPECT_FALSE(module->training()) << path;
  block.train();
  for (const auto& [path, module] : block.named_modules()) EXPECT_TRUE(module->training()) << path;
  EXPECT_EQ(block.named_modules().size(), 5u);
}

TEST(Module, ZeroGradForgetsEveryGradient) {
  Linear layer(2, 1);
  backward(layer(Tensor::full({1, 2}, 1)));
  EXPECT_TRUE(grad(layer.parameters()[0]).defined());
  layer.zero_grad();
  for (const Tensor& parameter : layer.parameters()) EXPECT_FALSE(grad(parameter).defined());
}

TEST(Module, SharedTensorIsOneParameterUnderTwoPaths) {
  const Tied tied;
  EXPECT_EQ(tied.parameters().size(), 1u);
  EXPECT_EQ(tied.state_dict().size(), 2u);
}

TEST(Module, RejectsBadAndTakenNamesAndCycles) {
  const auto tied = std::make_shared<Tied>();
  EXPECT_THROW(tied->register_buffer("a", Tensor::zeros({1})), ArgumentError);
  EXPECT_THROW(tied->register_buffer("x.y", Tensor::zeros({1})), ArgumentError);
  EXPECT_THROW(tied->register_buffer("", Tensor::zeros({1})), ArgumentError);
  EXPECT_THROW(tied->register_buffer("c", Tensor()), ArgumentError);
  EXPECT_THROW(tied->add_module("m", nullptr), ArgumentError);
  EXPECT_THROW(tied->add_module("m", tied), ArgumentError);
}

TEST(LoadStateDict, ListsEverythingThatDoesNotFitAndChangesNothing) {
  Sequential model(std::make_shared<Linear>(2, 3), std::make_shared<Linear>(3, 1));
  const Tensor before = model.state_dict().at("1.bias").clone();
  auto state = model.state_dict();
  for (auto& [path, tensor] : state) tensor = Tensor::full(tensor.dims(), 7);
  state.erase("0.weight");
  state["0.bias"] = Tensor::zeros({4});
  state["2.weight"] = Tensor::zeros({1}, DType::i64);
  try {
    model.load_state_dict(state);
    FAIL();
  } catch (const ModelError& error) {
    EXPECT_STREQ(
        error.what(),
        "load_state_dict: the state does not fit Sequential(0: Linear(in_features=2, out_features=3, bias=true), "
        "1: Linear(in_features=3, out_features=1, bias=true)):"
        "\n  missing: 0.weight, float32[3, 2]"
        "\n  unexpected: 2.weight, int64[1]"
        "\n  shape of 0.bias: expected [3], got [4]");
  }
  EXPECT_TRUE(same_bits(model.state_dict().at("1.bias").detach(), before));
  state["0.bias"] = Tensor::full({3}, 7);
  model.load_state_dict(state, false);
  EXPECT_EQ(model.state_dict().at("1.bias").item<float>(), 7);
}

TEST(LoadStateDict, KeepsTheModulesOwnTensors) {
  Linear layer(2, 1);
  const Tensor weight = layer.parameters()[0];
  layer.load_state_dict({{"weight", Tensor::from({1.0, 2.0}, {1, 2})}, {"bias", Tensor::from({int64_t{3}}, {1})}});
  EXPECT_TRUE(same(weight, layer.parameters()[0]));
  EXPECT_EQ(layer(Tensor::from({10.0f, 1.0f}, {1, 2})).item<float>(), 15);
}

TEST(Initialisation, StaysWithinOneOverRootFanIn) {
  manual_seed(3);
  const Linear linear(64, 50);
  const Conv2d conv({.in_channels = 8, .out_channels = 16, .kernel_size = {2, 4}, .groups = 2});
  for (const auto& [tensor, bound] :
       std::vector<std::pair<Tensor, float>>{{linear.parameters()[0], 0.125f},
                                             {linear.parameters()[1], 0.125f},
                                             {conv.parameters()[0], 1 / std::sqrt(32.0f)},
                                             {conv.parameters()[1], 1 / std::sqrt(32.0f)}}) {
    float low = 0, high = 0;
    for (const float value : tensor.to_vector<float>()) low = std::min(low, value), high = std::max(high, value);
    EXPECT_GE(low, -bound);
    EXPECT_LT(high, bound);
    EXPECT_LT(low, -0.7f * bound);
    EXPECT_GT(high, 0.7f * bound);
  }
}

TEST(Initialisation, DependsOnTheSeedOnly) {
  const auto weights = [](uint64_t seed) {
    manual_seed(seed);
    return Linear(5, 4).parameters()[0].detach();
  };
  EXPECT_TRUE(same_bits(weights(42), weights(42)));
  EXPECT_FALSE(same_bits(weights(42), weights(43)));
}

TEST(ManualSeed, RestartsTheNumbersThatOperatorsDraw) {
  const auto drawn = [] { return apply(RandomUniform{.shape = {4}}, {}, 1).front(); };
  manual_seed(9);
  const Tensor first = drawn(), second = drawn();
  EXPECT_FALSE(same_bits(first, second));
  manual_seed(9);
  EXPECT_TRUE(same_bits(drawn(), first));
}

TEST(Registry, MakesEveryModuleFromItsRequiredArguments) {
  for (const ModuleTraits& traits : all_modules()) {
    std::vector<std::optional<AttributeValue>> values;
    for (const FieldInfo& field : traits.arguments) {
      std::optional<AttributeValue> value;
      if (field.required || field.name == "size")  // Upsample wants one of two
        value = field.kind == AttributeKind::integers ? AttributeValue(std::vector<int64_t>{1})
                                                      : AttributeValue(int64_t{1});
      values.push_back(value);
    }
    const std::shared_ptr<Module> module = traits.make(values);
    EXPECT_TRUE(module->describe().starts_with(concat(traits.name, '('))) << module->describe();
  }
}

TEST(Registry, DescribesArgumentsWithTheirDefaults) {
  const Conv2d conv({.in_channels = 1, .out_channels = 2, .kernel_size = {3, 5}});
  EXPECT_EQ(conv.describe(),
            "Conv2d(in_channels=1, out_channels=2, kernel_size=[3, 5], stride=[1, 1], padding=[0, 0], "
            "dilation=[1, 1], groups=1, bias=true, padding_mode=\"zeros\")");
  EXPECT_EQ(MaxPool2d(2).describe(), "MaxPool2d(kernel_size=[2, 2], padding=[0, 0], dilation=[1, 1], ceil_mode=false)");
  EXPECT_EQ(Dropout(0.1).describe(), "Dropout(p=0.1)");
}

TEST(Registry, NamesAMissingArgument) {
  const ModuleTraits& linear = all_modules().front();
  ASSERT_EQ(linear.name, "Linear");
  const std::vector<std::optional<AttributeValue>> values = {int64_t{3}};
  try {
    linear.make(values);
    FAIL();
  } catch (const ArgumentError& error) {
    EXPECT_NE(std::string(error.what()).find("out_features"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace onemodel::nn

// Every module against PyTorch: outputs, gradients, buffers after the run.

#include <gtest/gtest.h>

#include <set>

#include "eager/autograd.h"
#include "nn/goldens.h"
#include "nn/registry.h"
#include "nn/transformer.h"
#include "support/compare.h"

namespace onemodel::nn {
namespace {

using test::close;
using test::golden_tensor;

constexpr double kTolerance = 2e-6;

void expect_parameters(const Module& module, const nlohmann::json& golden) {
  for (const auto& [path, parameter, kind] : module.named_parameters())
    EXPECT_TRUE(close(grad(parameter), golden_tensor(golden.at("gradients").at(path)), kTolerance)) << path;
}

class ModuleGolden : public testing::TestWithParam<std::string> {};

TEST_P(ModuleGolden, ForwardBackwardAndBuffersMatchPyTorch) {
  const auto& golden = test::golden("modules", GetParam());
  const std::shared_ptr<Module> module = test::golden_module(golden);
  const Tensor x = golden_tensor(golden.at("x"));
  set_requires_grad(x);
  const Tensor y = (*module)(x);
  EXPECT_TRUE(close(y.detach(), golden_tensor(golden.at("y")), kTolerance));
  backward(y, golden_tensor(golden.at("dy")));
  EXPECT_TRUE(close(grad(x), golden_tensor(golden.at("dx")), kTolerance));
  expect_parameters(*module, golden);
  const auto state = module->state_dict();
  for (const auto& [path, buffer] : test::golden_tensors(golden.at("buffers")))
    EXPECT_TRUE(close(state.at(path).cast(DType::f32), buffer, 1e-6)) << path;
}

const auto kName = [](const testing::TestParamInfo<std::string>& info) { return info.param; };
INSTANTIATE_TEST_SUITE_P(All, ModuleGolden, testing::ValuesIn(test::golden_names("modules")), kName);

class SequenceGolden : public testing::TestWithParam<std::string> {};

TEST_P(SequenceGolden, ForwardAndBackwardMatchPyTorch) {
  const auto& golden = test::golden("sequences", GetParam());
  const std::shared_ptr<Module> module = test::golden_module(golden);
  std::vector<Tensor> inputs;
  for (const auto& input : golden.at("inputs")) inputs.push_back(test::golden_operand(input));
  for (size_t i = 0; i < inputs.size(); ++i)
    if (!golden.at("input_gradients")[i].is_null()) set_requires_grad(inputs[i]);
  const bool with_weights = GetParam().starts_with("attention_weights");
  const std::vector<Tensor> outputs =
      with_weights ? static_cast<MultiheadAttention&>(*module).with_weights(inputs, !GetParam().ends_with("each"))
                   : (*module)(std::span<const Tensor>(inputs));
  ASSERT_EQ(outputs.size(), golden.at("outputs").size());
  for (size_t i = 0; i < outputs.size(); ++i)
    EXPECT_TRUE(close(outputs[i].detach(), golden_tensor(golden.at("outputs")[i]), kTolerance)) << "output " << i;
  test::golden_backward(outputs, golden.at("output_gradients"));
  for (size_t i = 0; i < inputs.size(); ++i)
    if (const auto& wanted = golden.at("input_gradients")[i]; !wanted.is_null()) {
      EXPECT_TRUE(close(grad(inputs[i]), golden_tensor(wanted), kTolerance)) << "input " << i;
    }
  expect_parameters(*module, golden);
}

INSTANTIATE_TEST_SUITE_P(All, SequenceGolden, testing::ValuesIn(test::golden_names("sequences")), kName);

TEST(ModuleGoldens, ThereIsOneOfEveryModule) {
  std::set<std::string, std::less<>> seen;
  for (const char* section : {"modules", "sequences"})
    for (const auto& golden : test::golden_section(section)) seen.insert(golden.at("class").get<std::string>());
  for (const ModuleTraits& traits : all_modules())
    EXPECT_TRUE(seen.contains(traits.name)) << traits.name << " has no golden: see scripts/golden";
}

}  // namespace
}  // namespace onemodel::nn

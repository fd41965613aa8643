// Functions of tensors against PyTorch: those that script calls by name, and those that it composes itself.

#include <gtest/gtest.h>

#include <functional>
#include <map>
#include <set>

#include "eager/autograd.h"
#include "eager/functions.h"
#include "eager/functions_joining.h"
#include "eager/functions_norm.h"
#include "eager/functions_order.h"
#include "nn/goldens.h"
#include "nn/registry.h"
#include "support/compare.h"

namespace onemodel::nn {
namespace {

using test::close;
using test::golden_tensor;

constexpr double kTolerance = 2e-6;

using Tensors = std::vector<Tensor>;
using Call = std::function<Tensors(const Tensors&)>;

// Outputs and gradients of `call` at the golden's inputs.
void expect_golden(const nlohmann::json& golden, const Call& call) {
  Tensors inputs;
  for (const auto& input : golden.at("inputs")) inputs.push_back(test::golden_operand(input));
  for (size_t i = 0; i < inputs.size(); ++i)
    if (!golden.at("input_gradients")[i].is_null()) set_requires_grad(inputs[i]);
  const Tensors outputs = call(inputs);
  ASSERT_EQ(outputs.size(), golden.at("outputs").size());
  for (size_t i = 0; i < outputs.size(); ++i) {
    const Tensor wanted = test::golden_operand(golden.at("outputs")[i]), got = outputs[i].detach();
    EXPECT_EQ(got.dtype(), wanted.dtype());
    EXPECT_TRUE(is_floating(wanted.dtype()) ? close(got, wanted, kTolerance) : test::same_bits(got, wanted))
        << "output " << i;
  }
  test::golden_backward(outputs, golden.at("output_gradients"));
  for (size_t i = 0; i < inputs.size(); ++i)
    if (const auto& wanted = golden.at("input_gradients")[i]; !wanted.is_null()) {
      EXPECT_TRUE(close(grad(inputs[i]), golden_tensor(wanted), kTolerance)) << "input " << i;
    }
}

class FunctionGolden : public testing::TestWithParam<std::string> {};

TEST_P(FunctionGolden, HasPyTorchsValueAndGradient) {
  const auto& golden = test::golden("functions", GetParam());
  const FunctionTraits& traits = test::named(all_functions(), golden.at("function").get<std::string>());
  const auto options = test::golden_values(traits.options, golden.at("options"));
  expect_golden(golden, [&](Tensors inputs) {
    inputs.resize(traits.inputs.size());
    return Tensors{traits.call(traits.name, inputs, options)};
  });
}

const auto kName = [](const testing::TestParamInfo<std::string>& info) { return info.param; };
INSTANTIATE_TEST_SUITE_P(All, FunctionGolden, testing::ValuesIn(test::golden_names("functions")), kName);

TEST(FunctionGoldens, ThereIsOneOfEveryFunctionAndLoss) {
  std::set<std::string, std::less<>> seen;
  for (const auto& golden : test::golden_section("functions")) seen.insert(golden.at("function").get<std::string>());
  for (const std::string& name : test::golden_names("losses")) seen.insert(name);
  for (const FunctionTraits& traits : all_functions())
    EXPECT_TRUE(seen.contains(traits.name)) << traits.name << " has no golden: see scripts/golden";
}

Tensors both(const Ordered& ordered) { return {ordered.values, ordered.indices}; }

// The indices that scripts/golden/functions.py gathers and scatters by.
Tensor places() { return Tensor::from<int64_t>({2, 0, 1, 1, 0, 0, 2, 1}, {2, 1, 4}); }

const std::map<std::string, Call>& calls() {
  static const std::map<std::string, Call> all = {
      {"min",
       [](const Tensors& x) {
         return Tensors{min(x[0], {0, 2})};
       }},
      {"logsumexp",
       [](const Tensors& x) {
         return Tensors{logsumexp(x[0], {1, 2})};
       }},
      {"argmax", [](const Tensors& x) { return Tensors{argmax(x[0], 1)}; }},
      {"argmax_all", [](const Tensors& x) { return Tensors{argmax(x[0])}; }},
      {"argmin", [](const Tensors& x) { return Tensors{argmin(x[0], -1, true)}; }},
      {"topk", [](const Tensors& x) { return both(topk(x[0], 2, 2)); }},
      {"topk_smallest", [](const Tensors& x) { return both(topk(x[0], 2, 1, false)); }},
      {"sort", [](const Tensors& x) { return both(sort(x[0])); }},
      {"sort_descending", [](const Tensors& x) { return both(sort(x[0], 1, true)); }},
      {"flip",
       [](const Tensors& x) {
         return Tensors{flip(x[0], {0, -1})};
       }},
      {"one_hot", [](const Tensors& x) { return Tensors{one_hot(x[0], 4)}; }},
      {"cumsum", [](const Tensors& x) { return Tensors{cumsum(x[0], 1)}; }},
      {"tril", [](const Tensors& x) { return Tensors{tril(x[0], 1)}; }},
      {"triu", [](const Tensors& x) { return Tensors{triu(x[0], -1)}; }},
      {"tile",
       [](const Tensors& x) {
         return Tensors{tile(x[0], {2, 1, 2, 3})};
       }},
      {"tile_last", [](const Tensors& x) { return Tensors{tile(x[0], {2})}; }},
      {"split", [](const Tensors& x) { return split(x[0], 3, 2); }},
      {"split_sizes",
       [](const Tensors& x) {
         return split(x[0], std::vector<int64_t>{1, 0, 3}, -1);
       }},
      {"chunk", [](const Tensors& x) { return chunk(x[0], 3, 2); }},
      {"stack",
       [](const Tensors& x) {
         return Tensors{stack({x[0], x[1]}, 1)};
       }},
      {"gather_elements", [](const Tensors& x) { return Tensors{gather_elements(x[0], places(), 1)}; }},
      {"scatter", [](const Tensors& x) { return Tensors{scatter(x[0], 1, places(), x[1])}; }},
      {"scatter_add", [](const Tensors& x) { return Tensors{scatter(x[0], 1, places(), x[1], "add")}; }},
      {"einsum",
       [](const Tensors& x) {
         return Tensors{einsum("bij,bkj->bik", {x[0], x[1]})};
       }},
  };
  return all;
}

class OtherFunctionGolden : public testing::TestWithParam<std::string> {};

TEST_P(OtherFunctionGolden, HasPyTorchsValueAndGradient) {
  expect_golden(test::golden("other_functions", GetParam()), calls().at(GetParam()));
}

INSTANTIATE_TEST_SUITE_P(All, OtherFunctionGolden, testing::ValuesIn(test::golden_names("other_functions")), kName);

TEST(OrderFunctions, NameWhatDoesNotFit) {
  const Tensor x = Tensor::zeros({2, 3});
  EXPECT_THROW(topk(x, 4), ArgumentError);
  try {
    sort(x, 2);
    ADD_FAILURE();
  } catch (const ShapeError& error) {
    EXPECT_STREQ(error.what(), "sort: axis 2 is out of range for rank 2 (expected -2 to 1)");
  }
  EXPECT_THROW(flip(x, {2}), ShapeError);
  EXPECT_THROW(one_hot(Tensor::from<int64_t>({1}, {1}), 0), ArgumentError);
  EXPECT_THROW(split(x, 0), ArgumentError);
  EXPECT_THROW(split(x, std::vector<int64_t>{1, 3}, 1), Error);
  EXPECT_THROW(argmax(x, 2), ShapeError);
  EXPECT_THROW(scatter(x, 0, places(), x), Error);
}

}  // namespace
}  // namespace onemodel::nn

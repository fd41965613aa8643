// A domain is a matter of declarations: compositions, and operators with kernels of their own.

#include <gtest/gtest.h>

#include "onnx/functions/function.h"
#include "onnx/model_file.h"
#include "support/compare.h"
#include "support/graphs.h"

namespace onemodel::test {
namespace {

// alpha * x
void scaled(FunctionCall& call) {
  const auto x = call.input(0);
  call.give(0, "Mul", {x, call.number(call.real("alpha", 2), call.dtype(x))});
}

// Its kernel is that of an operator which ai.onnx does not have.
void product_and_bias(FunctionCall& call) {
  call.give(0, "FusedMatMul", {call.input(0), call.input(1), call.input(2)});
}

constexpr Function kFunctions[] = {{"Scaled", 1, 1, 1, scaled}, {"ProductAndBias", 3, 3, 1, product_and_bias}};

ModelFile model(const std::string& type, const Names& inputs, const std::string& domain = "test.only") {
  ModelFile file;
  for (const std::string& input : inputs) file.input(input, input == "bias" ? Names{"2"} : Names{"2", "2"});
  auto& import = *file.model.add_opset_import();
  import.set_domain(domain);
  import.set_version(3);
  file.node(type, inputs, {"y"}, {}, "n").last_node().set_domain(domain);
  return file.output("y");
}

class Domain : public testing::Test {
 protected:
  static void SetUpTestSuite() { add_functions("test.only", kFunctions); }
};

TEST_F(Domain, ReadsWhatIsDeclared) {
  const Tensor x = Tensor::from({1.f, 2.f, 3.f, 4.f}, {2, 2}), w = Tensor::from({1.f, 0.f, 1.f, 1.f}, {2, 2});
  const Tensor twice = evaluate_graph(model("Scaled", {"x"}).read(), {x})[0];
  EXPECT_EQ(twice.to_vector<float>(), (std::vector<float>{2, 4, 6, 8}));
  const Tensor bias = Tensor::from({10.f, 20.f}, {2});
  const Tensor product = evaluate_graph(model("ProductAndBias", {"x", "w", "bias"}).read(), {x, w, bias})[0];
  EXPECT_EQ(product.to_vector<float>(), (std::vector<float>{13, 22, 17, 24}));
}

TEST_F(Domain, RefusesTheRestByName) {
  const std::string node = "the ONNX model 'by_hand' cannot be read: node 'n' (";
  EXPECT_EQ(model("Relu", {"x"}).error(), "Unsupported: " + node + "Relu, test.only opset 3): unknown operator");
  EXPECT_EQ(model("Scaled", {"x"}, "ai.other").error(),
            "Unsupported: " + node + "Scaled, ai.other opset 3): the domain is not supported");
  EXPECT_EQ(model("Scaled", {"x", "z"}).error(),
            "Unsupported: " + node + "Scaled, test.only opset 3): expects at most 1 inputs, got 2");
}

}  // namespace
}  // namespace onemodel::test

// Functions that a model brings with it are put in place of their calls.

#include <gtest/gtest.h>

#include "onnx/convert_attribute.h"
#include "onnx/inline_functions.h"
#include "onnx/model_file.h"
#include "ops/sample.h"
#include "support/compare.h"
#include "support/graphs.h"

namespace onemodel::test {
namespace {

using Ints = std::vector<int64_t>;
using Attributes = std::vector<std::pair<std::string, AttributeValue>>;

// A function of the domain "mine".
class Function {
 public:
  Function(ModelFile& file, const std::string& name, const Names& inputs, const Names& outputs, int64_t opset = 20)
      : proto(*file.model.add_functions()) {
    proto.set_name(name);
    proto.set_domain("mine");
    for (const std::string& input : inputs) proto.add_input(input);
    for (const std::string& output : outputs) proto.add_output(output);
    proto.add_opset_import()->set_version(opset);
  }
  onnx::NodeProto& node(const std::string& type, const Names& inputs, const Names& outputs,
                        const Attributes& attributes = {}) {
    auto& node = *proto.add_node();
    node.set_op_type(type);
    for (const std::string& input : inputs) node.add_input(input);
    for (const std::string& output : outputs) node.add_output(output);
    for (const auto& [name, value] : attributes) attribute_to_onnx(name, value, *node.add_attribute());
    return node;
  }
  onnx::FunctionProto& proto;
};

void refer(onnx::NodeProto& node, const std::string& name, const std::string& reference) {
  auto& attribute = *node.add_attribute();
  attribute.set_name(name);
  attribute.set_type(onnx::AttributeProto::FLOAT);
  attribute.set_ref_attr_name(reference);
}

ModelFile& call(ModelFile& file, const std::string& type, const Names& inputs, const Names& outputs,
                const Attributes& attributes = {}) {
  file.node(type, inputs, outputs, attributes, "call").last_node().set_domain("mine");
  return file;
}

Tensor run(const ModelFile& file, const Tensor& x) { return evaluate_graph(file.read(), {x})[0]; }

const Tensor kX = Tensor::from<float>({-2, 3}, {2});

TEST(LocalFunction, IsInlinedWithNamesOfItsOwn) {
  ModelFile file;
  Function square(file, "SquarePlus", {"a", "b"}, {"out"});
  square.node("Mul", {"a", "a"}, {"x"});  // the name of a graph input outside
  square.node("Add", {"x", "b"}, {"out"});
  call(file.input("x", {"2"}), "SquarePlus", {"x", "x"}, {"y"});
  call(file, "SquarePlus", {"y", "x"}, {"z"}).output("z");
  const Graph graph = file.read();
  EXPECT_EQ(operators(graph), "Mul Add Mul Add");
  EXPECT_EQ(graph.nodes[0].name, "call/Mul_0");
  EXPECT_EQ(graph.value(graph.nodes[0].outputs[0]).name, "call/x");
  EXPECT_EQ(run(file, kX).to_vector<int64_t>(), (Ints{2, 147}));  // (x x + x)^2 + x
}

TEST(LocalFunction, MayCallOthersInAnyOrder) {
  ModelFile file;
  Function outer(file, "Outer", {"a"}, {"out"});
  outer.node("Relu", {"t"}, {"out"});  // before its operand is made
  outer.node("Inner", {"a"}, {"t"}).set_domain("mine");
  Function(file, "Inner", {"a"}, {"out"}).node("Neg", {"a"}, {"out"});
  call(file.input("x", {"2"}), "Outer", {"x"}, {"y"}).output("y");
  EXPECT_EQ(operators(file.read()), "Neg Relu");
  EXPECT_EQ(run(file, kX).to_vector<int64_t>(), (Ints{2, 0}));
}

TEST(LocalFunction, TakesAttributesFromTheCallOrTheirDefaults) {
  const auto leaky = [](const Attributes& attributes) {
    ModelFile file;
    Function function(file, "Leak", {"a"}, {"out"});
    attribute_to_onnx("slope", 0.5, *function.proto.add_attribute_proto());
    refer(function.node("LeakyRelu", {"a"}, {"out"}), "alpha", "slope");
    return call(file.input("x", {"2"}), "Leak", {"x"}, {"y"}, attributes).output("y");
  };
  EXPECT_EQ(run(leaky({}), kX).to_vector<int64_t>(), (Ints{-1, 3}));
  EXPECT_EQ(run(leaky({{"slope", 2.0}}), kX).to_vector<int64_t>(), (Ints{-4, 3}));
  EXPECT_NE(leaky({{"other", 2.0}}).error().find("attribute 'other' is not one of function 'Leak'"), std::string::npos);
}

TEST(LocalFunction, LeavesOutAttributesThatNobodyGives) {
  ModelFile file;
  Function function(file, "Leak", {"a"}, {"out"});
  function.proto.add_attribute("slope");
  refer(function.node("LeakyRelu", {"a"}, {"out"}), "alpha", "slope");
  call(file.input("x", {"2"}), "Leak", {"x"}, {"y"}).output("y");
  EXPECT_TRUE(close(run(file, kX), Tensor::from<float>({-0.02f, 3}, {2}), 1e-6));  // the operator's default
  ModelFile wrong;
  refer(Function(wrong, "Leak", {"a"}, {"out"}).node("LeakyRelu", {"a"}, {"out"}), "alpha", "slope");
  call(wrong.input("x", {"2"}), "Leak", {"x"}, {"y"}).output("y");
  EXPECT_NE(
      wrong.error().find("attribute 'alpha' of LeakyRelu refers to 'slope', which function 'Leak' does not declare"),
      std::string::npos)
      << wrong.error();
}

TEST(LocalFunction, IsReadInItsOwnOpset) {
  ModelFile file(20);
  Function(file, "Drop", {"a"}, {"out"}, 11).node("Squeeze", {"a"}, {"out"}, {{"axes", Ints{0}}});
  Function(file, "Normal", {"a"}, {"out"}, 12).node("Softmax", {"a"}, {"out"});  // of axis 1 and all after it
  call(file.input("x", {"1", "2", "3", "1"}), "Drop", {"x"}, {"t"});
  call(file, "Normal", {"t"}, {"y"}).output("y");
  EXPECT_EQ(operators(file.read()), "Squeeze Flatten Softmax Reshape");
  ModelFile newer;
  Function(newer, "Later", {"a"}, {"out"}, 99).node("Relu", {"a"}, {"out"});
  call(newer.input("x", {"2"}), "Later", {"x"}, {"y"}).output("y");
  EXPECT_NE(newer.error().find("function 'Later' is written in opset 99"), std::string::npos) << newer.error();
}

TEST(LocalFunction, MayHaveOperandsAndResultsLeftOut) {
  ModelFile file;
  Function function(file, "Clamp", {"a", "low", "high"}, {"out", "unused"});
  function.node("Clip", {"a", "low", "high"}, {"out"});
  function.node("Neg", {"a"}, {"unused"});
  file.input("x", {"2"}).constant("one", Tensor::scalar(1.0f));
  call(file, "Clamp", {"x", "", "one"}, {"y"}).output("y");
  EXPECT_EQ(run(file, kX).to_vector<int64_t>(), (Ints{-2, 1}));
}

TEST(LocalFunction, MayReturnWhatItWasGiven) {
  ModelFile file;
  Function function(file, "Pass", {"a"}, {"a"});
  call(file.input("x", {"2"}), "Pass", {"x"}, {"y"}).output("y");
  EXPECT_EQ(operators(file.read()), "Identity");
  EXPECT_TRUE(same_bits(run(file, kX), kX));
}

TEST(LocalFunction, IsToldApartByOverload) {
  ModelFile file;
  Function(file, "F", {"a"}, {"out"}).node("Relu", {"a"}, {"out"});
  Function second(file, "F", {"a"}, {"out"});
  second.proto.set_overload("2");
  second.node("Neg", {"a"}, {"out"});
  call(file.input("x", {"2"}), "F", {"x"}, {"y"}).output("y").last_node().set_overload("2");
  EXPECT_EQ(operators(file.read()), "Neg");
}

TEST(LocalFunction, LeavesKnownOperatorsAlone) {
  ModelFile file;
  Function function(file, "Relu", {"a"}, {"out"});
  function.proto.set_domain("");
  function.node("Neg", {"a"}, {"out"});
  file.input("x", {"2"}).node("Relu", {"x"}, {"y"}).output("y");
  EXPECT_EQ(operators(file.read()), "Relu");
}

onnx::GraphProto& branch(onnx::NodeProto& node, const std::string& name) {
  auto& attribute = *node.add_attribute();
  attribute.set_name(name);
  attribute.set_type(onnx::AttributeProto::GRAPH);
  return *attribute.mutable_g();
}

void add_node(onnx::GraphProto& graph, const std::string& type, const std::string& input, const std::string& output) {
  auto& node = *graph.add_node();
  node.set_op_type(type);
  node.set_domain(type == "Inner" ? "mine" : "");
  node.add_input(input);
  node.add_output(output);
}

// Of the names in a branch of a body, those of the body's values are renamed alike.
TEST(LocalFunction, MayHaveBranchesAndBeCalledInThem) {
  ModelFile file;
  Function outer(file, "Outer", {"condition", "a"}, {"out"});
  outer.node("Neg", {"a"}, {"minus"});
  add_node(branch(outer.node("If", {"condition"}, {"out"}), "then_branch"), "Inner", "minus", "t");
  outer.proto.mutable_node(1)->mutable_attribute(0)->mutable_g()->add_output()->set_name("t");
  refer(Function(file, "Inner", {"b"}, {"r"}, 11).node("LeakyRelu", {"b"}, {"r"}), "alpha", "none");
  file.model.mutable_functions(1)->add_attribute("none");
  call(file, "Outer", {"c", "x"}, {"y"});
  Problems problems;
  inline_functions(file.model, {}, problems);
  EXPECT_TRUE(problems.empty());
  ASSERT_EQ(file.graph().node_size(), 2);
  EXPECT_EQ(file.graph().node(0).input(0), "x");
  const onnx::NodeProto& choice = file.graph().node(1);
  EXPECT_EQ(choice.input(0), "c");
  EXPECT_EQ(choice.output(0), "y");
  const onnx::GraphProto& body = choice.attribute(0).g();
  ASSERT_EQ(body.node_size(), 1);
  EXPECT_EQ(body.node(0).op_type(), "LeakyRelu");
  EXPECT_EQ(body.node(0).input(0), "call/minus");
  EXPECT_EQ(body.node(0).output(0), "call/t");
  EXPECT_EQ(body.output(0).name(), "call/t");
  EXPECT_EQ(body.node(0).attribute_size(), 0);
  EXPECT_EQ(body.node(0).metadata_props(0).value(), "11");
}

TEST(LocalFunction, IsRefusedWhenItDoesNotFit) {
  ModelFile many, twice, wide;
  Function(many, "F", {"a"}, {"out"}).node("Relu", {"a"}, {"out"});
  call(many.input("x", {"2"}), "F", {"x", "x"}, {"y"}).output("y");
  EXPECT_NE(many.error().find("node 'call' (F): function 'F' has 1 inputs, got 2"), std::string::npos) << many.error();
  Function(wide, "F", {"a"}, {"out"}).node("Relu", {"a"}, {"out"});
  call(wide.input("x", {"2"}), "F", {"x"}, {"y", "z"}).output("y");
  EXPECT_NE(wide.error().find("function 'F' has 1 outputs, got 2"), std::string::npos) << wide.error();
  Function(twice, "F", {"a"}, {"out"});
  Function(twice, "F", {"a"}, {"out"});
  EXPECT_NE(twice.error().find("function 'F' (mine) is defined twice"), std::string::npos) << twice.error();
}

// Graphs inside nodes do not each ask for all of them.
TEST(LocalFunction, ResultsOfRefusedCallsAreMissingWhereverTheyAreRead) {
  ModelFile file;
  Function(file, "F", {"a"}, {"out"}).node("Relu", {"a"}, {"out"});
  file.input("x", {"2"}).input("flag", {}, DType::boolean);
  constexpr int kMany = 2000;
  for (int i = 0; i < kMany; ++i) {
    call(file, "F", {"x", "x"}, {concat("lost", i)});
    auto& choice = file.node("If", {"flag"}, {concat("y", i)}).last_node();
    for (const char* name : {"then_branch", "else_branch"}) {
      auto& graph = branch(choice, name);
      add_node(graph, "Relu", concat("lost", i), "z");
      graph.add_output()->set_name("z");
    }
  }
  const std::string error = file.output("lost0").output("y1").error();
  EXPECT_NE(error.find(concat(": ", kMany, " problems\n")), std::string::npos) << error.substr(0, 400);
}

TEST(LocalFunction, ResultsOfRefusedCallsInsideGraphsAreMissingThere) {
  ModelFile file;
  Function(file, "Inner", {}, {"out"}).node("Constant", {}, {"out"}, {{"value_float", 1.0}});
  auto& choice = file.input("x", {"2"}).input("flag", {}, DType::boolean).node("If", {"flag"}, {"y"}).last_node();
  for (const char* name : {"then_branch", "else_branch"}) {
    auto& graph = branch(choice, name);
    add_node(graph, "Inner", "x", concat(name, "_lost"));
    add_node(graph, "Relu", concat(name, "_lost"), concat(name, "_z"));
    graph.add_output()->set_name(concat(name, name[0] == 't' ? "_z" : "_lost"));
  }
  const std::string error = file.output("y").error();
  EXPECT_NE(error.find(": 2 problems\n"), std::string::npos) << error;
  EXPECT_NE(error.find("function 'Inner' has 0 inputs, got 1"), std::string::npos) << error;
}

TEST(LocalFunction, IsRefusedWhenItCallsItself) {
  ModelFile file;
  Function(file, "F", {"a"}, {"out"}).node("G", {"a"}, {"out"}).set_domain("mine");
  Function(file, "G", {"a"}, {"out"}).node("F", {"a"}, {"out"}).set_domain("mine");
  call(file.input("x", {"2"}), "F", {"x"}, {"y"}).output("y");
  EXPECT_EQ(file.error(),
            "Malformed: the ONNX model 'by_hand' cannot be read: node 'call' (F): function 'F' (mine) calls itself");
}

std::string name_of(int i) { return concat("F", i); }

// Each function calls the next twice.
ModelFile doubling(int functions) {
  ModelFile file;
  for (int i = 0; i < functions; ++i) {
    Function function(file, name_of(i), {"a"}, {"out"});
    if (i + 1 == functions) {
      function.node("Neg", {"a"}, {"out"});
      continue;
    }
    function.node(name_of(i + 1), {"a"}, {"t"}).set_domain("mine");
    function.node(name_of(i + 1), {"t"}, {"out"}).set_domain("mine");
  }
  call(file.input("x", {"2"}), "F0", {"x"}, {"y"}).output("y");
  return file;
}

TEST(LocalFunction, IsRefusedWhenItGrowsBeyondTheLimits) {
  // what is counted is not written out: 2 to the power of 98 nodes could not be
  EXPECT_EQ(doubling(99).error(), "TooLarge: the ONNX model has more than 1000000 nodes in its functions");
  EXPECT_EQ(doubling(9).error({.max_nodes = 1000}), "");
  EXPECT_EQ(doubling(10).error({.max_nodes = 1000}),
            "TooLarge: the ONNX model has more than 1000 nodes in its functions");
  EXPECT_EQ(doubling(10).error({.max_bytes = 10'000}),
            "TooLarge: the calls of the ONNX model's functions have more than 10000 bytes");
}

// Each function calls the next one.
ModelFile chain(int functions) {
  ModelFile file;
  for (int i = 0; i < functions; ++i) {
    Function function(file, name_of(i), {"a"}, {"out"});
    if (i + 1 == functions)
      function.node("Neg", {"a"}, {"out"});
    else
      function.node(name_of(i + 1), {"a"}, {"out"}).set_domain("mine");
  }
  call(file.input("x", {"2"}), "F0", {"x"}, {"y"}).output("y");
  return file;
}

TEST(LocalFunction, MayCallOthersManyDeep) {
  EXPECT_EQ(chain(256).error(), "");
  EXPECT_NE(chain(257).error().find("functions, and graphs in them, are nested more than 256 deep"), std::string::npos);
}

// Each function hands the next a graph that has the one it was given twice.
TEST(LocalFunction, IsRefusedWhenWhatItIsGivenGrowsBeyondTheLimits) {
  ModelFile file;
  for (int i = 0; i < 40; ++i) {
    Function function(file, name_of(i), {"a"}, {"out"});
    function.proto.add_attribute("body");
    auto& node = function.node(name_of(i + 1), {"a"}, {"out"});
    node.set_domain("mine");
    auto& given = *node.add_attribute();
    given.set_name("body");
    given.set_type(onnx::AttributeProto::GRAPH);
    auto& branch = *given.mutable_g()->add_node();
    branch.set_op_type("If");
    refer(branch, "then_branch", "body");
    refer(branch, "else_branch", "body");
  }
  Function last(file, name_of(40), {"a"}, {"out"});
  last.proto.add_attribute("body");
  refer(last.node("Relu", {"a"}, {"out"}), "body", "body");
  call(file.input("x", {"2"}), "F0", {"x"}, {"y"}).output("y");
  EXPECT_EQ(file.error(), "TooLarge: the ONNX model has more than 1000000 nodes in its functions");
}

}  // namespace
}  // namespace onemodel::test

// What is refused of If, Loop and Scan, when it is read and when it runs.

#include <gtest/gtest.h>

#include "graph/control_flow.h"
#include "onnx/control_flow_models.h"
#include "support/error_text.h"

namespace onemodel::test {
namespace {

TEST(ControlFlow, ErrorsNameTheNodes) {
  ModelFile two = choice();
  two.graph().clear_input();
  two.input("flag", {"2"}, DType::boolean).input("x", {"n"});
  Session session(two.read());
  const std::vector<Tensor> flags{Tensor::full({2}, 1, DType::boolean), floats({1})};
  EXPECT_ERROR(session.run(flags), ShapeError, "node 'choice' (If): the condition expects one element, got bool[2]");

  ModelFile step, file;
  step.input("i", {}, DType::i64).input("go", {}, DType::boolean);
  step.node("ConstantOfShape", {"sizes"}, {"slice"}, {}, "make").node("Identity", {"go"}, {"more"});
  step.constant("axis", Tensor::from_ints(std::array<int64_t, 1>{0})).node("Unsqueeze", {"i", "axis"}, {"sizes"});
  step.output("more").output("slice");
  file.constant("most", Tensor::scalar(int64_t{3})).node("Loop", {"most", ""}, {"y"}, {}, "loop").output("y");
  body(file, "body", step);
  Session loop(file.read());
  EXPECT_ERROR(loop.run(std::vector<Tensor>{}), ShapeError, "node 'loop' (Loop): the slices that are stacked differ: ",
               "float32[0] in iteration 0, float32[1] in iteration 1");
}

TEST(ControlFlow, ReadingReportsEveryProblemInsideGraphsToo) {
  ModelFile file = choice();
  auto& branch = *file.last_node().mutable_attribute(0)->mutable_g();
  branch.mutable_node(0)->set_op_type("Frobnicate");
  branch.mutable_node(0)->set_name("inner");
  file.node("Nonsense", {"x"}, {"w"}, {}, "outer");
  const std::string error = file.error();
  EXPECT_NE(
      error.find("node 'choice' (If, ai.onnx opset 20): node 'inner' (Frobnicate, ai.onnx opset 20): unknown operator"),
      std::string::npos)
      << error;
  EXPECT_NE(error.find("node 'outer' (Nonsense"), std::string::npos) << error;
}

// The type of a result is unknown then, which is no problem of whoever asks for it.
TEST(ControlFlow, WhatOnlyFollowsFromAProblemIsNone) {
  const auto expect_one_problem = [](ModelFile file) {
    for (const std::string name : {"lost", "y"}) file.node("CastLike", {"x", name}, {name + "_like"});
    EXPECT_EQ(file.error(),
              "Unsupported: the ONNX model 'by_hand' cannot be read: node 'odd' (Nonsense, ai.onnx opset 20): unknown "
              "operator");
  };
  const auto base = [] {
    ModelFile file;
    file.input("x", {"n"}).input("flag", {}, DType::boolean).constant("most", Tensor::scalar(int64_t{3}));
    return file.node("Nonsense", {"x"}, {"lost"}, {}, "odd");
  };
  ModelFile taken, other, step, given, sequence, choice = base(), loop = base();
  taken.node("Mul", {"x", "lost"}, {"z"}).output("z");
  other.node("Neg", {"x"}, {"z"}).output("z");
  choice.node("If", {"flag"}, {"y"}).output("y");
  body(choice, "then_branch", taken);
  expect_one_problem(body(choice, "else_branch", other));
  step.input("i", {}, DType::i64).input("go", {}, DType::boolean).input("sum", {"n"});
  step.node("Identity", {"go"}, {"on"}).node("Add", {"sum", "lost"}, {"next"}).output("on").output("next");
  loop.node("Loop", {"most", "flag", "x"}, {"y"}).output("y");
  expect_one_problem(body(loop, "body", step));
  given = base();
  given.node("If", {"lost"}, {"y"}).output("y");
  body(given, "then_branch", other);
  expect_one_problem(body(given, "else_branch", other));
  sequence = base();
  sequence.node("SequenceConstruct", {"lost", "x"}, {"s"}).node("SequenceAt", {"s", "most"}, {"y"}).output("y");
  expect_one_problem(sequence);
}

TEST(ControlFlow, FilesThatDoNotFitAreRefused) {
  ModelFile missing;
  missing.input("flag", {}, DType::boolean).node("If", {"flag"}, {"y"}, {}, "choice").output("y");
  EXPECT_NE(missing.error().find("attribute 'then_branch' is missing: a graph is expected"), std::string::npos)
      << missing.error();
  ModelFile outputs = choice();
  outputs.last_node().mutable_attribute(0)->mutable_g()->clear_output();
  EXPECT_NE(outputs.error().find("the graph has no outputs"), std::string::npos) << outputs.error();
  ModelFile unknown = choice();
  unknown.last_node().mutable_attribute(0)->mutable_g()->mutable_node(0)->set_input(0, "nowhere");
  EXPECT_NE(unknown.error().find("input 'nowhere' is made by no node"), std::string::npos) << unknown.error();
  ModelFile scan = backward_sums();
  scan.last_node().mutable_attribute(0)->set_i(9);
  EXPECT_NE(scan.error().find("num_scan_inputs expects 1 to 2, got 9"), std::string::npos) << scan.error();
}

TEST(ControlFlow, CountsThatDoNotFitTheNodeAreRefused) {
  for (const int64_t carried : {int64_t{-1}, int64_t{3}, INT64_MIN, INT64_MAX}) {
    Graph graph = growing().read();
    graph.nodes[0].op = Loop{carried};
    EXPECT_ERROR(verify(graph), ModelError, "do not fit");
  }
  for (const int64_t states : {int64_t{-1}, int64_t{2}, INT64_MAX}) {
    Graph graph = backward_sums().read();
    graph.nodes[0].op = Scan{.states = states, .num_scan_inputs = 1};
    EXPECT_ERROR(verify(graph), ModelError, "do not fit");
  }
}

}  // namespace
}  // namespace onemodel::test

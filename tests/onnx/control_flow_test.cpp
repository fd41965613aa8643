// If, Loop and Scan: read from files, run, written again.

#include "graph/control_flow.h"

#include <gtest/gtest.h>

#include <numeric>

#include "format/read_onemodel.h"
#include "format/write_onemodel.h"
#include "onnx/model_file.h"
#include "onnx/write_onnx.h"
#include "ops/binary.h"
#include "runtime/session.h"
#include "support/compare.h"
#include "support/error_text.h"

namespace onemodel::test {
namespace {

Tensor floats(std::initializer_list<float> values) {
  return Tensor::from(values, {static_cast<int64_t>(values.size())});
}

// Gives the last node of `file` a graph.
ModelFile& body(ModelFile& file, const std::string& attribute, ModelFile graph) {
  auto& out = *file.last_node().add_attribute();
  out.set_name(attribute);
  out.set_type(onnx::AttributeProto::GRAPH);
  *out.mutable_g() = graph.graph();
  return file;
}

// y = flag ? x + 1 : (x * x, two of them)
ModelFile choice() {
  ModelFile twice, plus, file;
  twice.node("Mul", {"x", "x"}, {"square"})
      .node("Concat", {"square", "square"}, {"z"}, {{"axis", int64_t{0}}})
      .output("z");
  plus.node("Add", {"x", "one"}, {"z"}).output("z");
  file.input("flag", {}, DType::boolean).input("x", {"n"}).constant("one", Tensor::scalar(1.f));
  file.node("If", {"flag"}, {"y"}, {}, "choice").output("y");
  body(file, "then_branch", plus);
  return body(file, "else_branch", twice);
}

// Appends i to a list as long as i < limit; also gives 10 * i each time.
ModelFile growing() {
  ModelFile step, file;
  step.input("i", {}, DType::i64).input("go", {}, DType::boolean).input("list", {"?"}, DType::i64);
  step.constant("axis", Tensor::from_ints(std::array<int64_t, 1>{0}));
  step.constant("ten", Tensor::scalar(int64_t{10}));
  step.node("Unsqueeze", {"i", "axis"}, {"entry"});
  step.node("Concat", {"list", "entry"}, {"longer"}, {{"axis", int64_t{0}}});
  step.node("Less", {"i", "limit"}, {"more"});
  step.node("Mul", {"i", "ten"}, {"tens"});
  step.output("more", {}, DType::boolean).output("longer", {"?"}, DType::i64).output("tens", {}, DType::i64);
  file.input("most", {}, DType::i64).input("limit", {}, DType::i64).input("start", {"k"}, DType::i64);
  file.node("Loop", {"most", "", "start"}, {"list", "tens"}, {}, "grow");
  file.output("list", {"?"}, DType::i64).output("tens", {"?"}, DType::i64);
  return body(file, "body", step);
}

// Running sums of the rows of x, from the last to the first; sums are stacked along axis 1.
ModelFile backward_sums() {
  ModelFile step, file;
  step.input("sum", {"2"}).input("row", {"2"});
  step.node("Add", {"sum", "row"}, {"next"})
      .node("Identity", {"next"}, {"slice"})
      .output("next", {"2"})
      .output("slice", {"2"});
  file.input("x", {"rows", "2"}).constant("zero", floats({0, 0}));
  file.node("Scan", {"zero", "x"}, {"total", "sums"},
            {{"num_scan_inputs", int64_t{1}},
             {"scan_input_directions", std::vector<int64_t>{1}},
             {"scan_output_axes", std::vector<int64_t>{1}}});
  file.output("total", {"2"}).output("sums", {"2", "rows"});
  return body(file, "body", step);
}

Graph through_onnx(const Graph& graph) { return read_onnx(write_onnx(graph)); }
Graph through_onemodel(const Graph& graph) { return read_onemodel(write_onemodel(graph)); }

// Runs the model as read, and as written and read again in both formats, in both arithmetics: all give the same.
std::vector<Tensor> run_everywhere(const Graph& graph, const std::vector<Tensor>& inputs) {
  std::vector<Tensor> expected = Session(graph).run(inputs);
  for (const Graph& other : {through_onnx(graph), through_onemodel(graph), through_onnx(through_onemodel(graph))}) {
    for (const Arithmetic arithmetic : {Arithmetic::fast, Arithmetic::exact}) {
      const auto results = Session(other, {.arithmetic = arithmetic}).run(inputs);
      EXPECT_EQ(results.size(), expected.size());
      for (size_t i = 0; i < results.size(); ++i) EXPECT_TRUE(close(results[i], expected[i], 1e-6)) << i;
    }
  }
  return expected;
}

TEST(ControlFlow, IfRunsOneBranchWithTheValuesAroundIt) {
  const Graph graph = choice().read();
  const Tensor x = floats({1, 2, 3});
  EXPECT_TRUE(same_bits(run_everywhere(graph, {Tensor::scalar(true), x})[0], floats({2, 3, 4})));
  EXPECT_TRUE(same_bits(run_everywhere(graph, {Tensor::scalar(false), x})[0], floats({1, 4, 9, 1, 4, 9})));
}

TEST(ControlFlow, EachBranchKeepsItsPlans) {
  Session session(choice().read());
  const Tensor x = floats({1, 2, 3});
  EXPECT_EQ(session.plan_count(), 0u);
  for (int run = 0; run < 3; ++run) session.run({{Tensor::scalar(true), x}});
  EXPECT_EQ(session.plan_count(), 1u);
  for (int run = 0; run < 3; ++run) session.run({{Tensor::scalar(false), x}});
  EXPECT_EQ(session.plan_count(), 2u);
  session.run({{Tensor::scalar(true), floats({1})}});
  EXPECT_EQ(session.plan_count(), 3u);
}

TEST(ControlFlow, LoopCarriesValuesThatGrow) {
  const Graph graph = growing().read();
  const auto results = run_everywhere(graph, {Tensor::scalar(int64_t{10}), Tensor::scalar(int64_t{2}),
                                              Tensor::from_ints(std::array<int64_t, 2>{7, 8})});
  EXPECT_EQ(results[0].to_vector<int64_t>(), (std::vector<int64_t>{7, 8, 0, 1, 2}));
  EXPECT_EQ(results[1].to_vector<int64_t>(), (std::vector<int64_t>{0, 10, 20}));
}

TEST(ControlFlow, LoopStopsAfterM) {
  Session session(growing().read());
  const auto results = session.run({{Tensor::scalar(int64_t{1}), Tensor::scalar(int64_t{99}), Tensor::from_ints({})}});
  EXPECT_EQ(results[0].to_vector<int64_t>(), (std::vector<int64_t>{0}));
}

TEST(ControlFlow, LoopWithoutIterationsGivesWhatItGotAndNoSlices) {
  const auto results = run_everywhere(growing().read(), {Tensor::scalar(int64_t{0}), Tensor::scalar(int64_t{2}),
                                                         Tensor::from_ints(std::array<int64_t, 1>{5})});
  EXPECT_EQ(results[0].to_vector<int64_t>(), (std::vector<int64_t>{5}));
  EXPECT_EQ(results[1].dims(), Dims{0});
  EXPECT_EQ(results[1].dtype(), DType::i64);
}

TEST(ControlFlow, ScanGoesBackwardsAndStacksAlongAnAxis) {
  const auto results = run_everywhere(backward_sums().read(), {Tensor::from({1.f, 2.f, 3.f, 4.f, 5.f, 6.f}, {3, 2})});
  EXPECT_TRUE(same_bits(results[0], floats({9, 12})));
  EXPECT_TRUE(same_bits(results[1], Tensor::from({5.f, 8.f, 9.f, 6.f, 10.f, 12.f}, {2, 3})));
}

// Each level adds x of the outermost graph once more, or gives what it got.
ModelFile nested(int depth, const std::string& value) {
  const std::string made = concat("level_", depth);
  ModelFile deeper, same;
  if (depth == 0) {
    deeper.node("Add", {value, "x"}, {made}).output(made);
  } else {
    const std::string sum = concat("sum_", depth);
    deeper.node("Add", {value, "x"}, {sum});
    deeper.node("If", {concat("flag_", depth - 1)}, {made}).output(made);
    body(deeper, "then_branch", nested(depth - 1, sum));
    ModelFile stop;
    stop.node("Identity", {sum}, {"stop"}).output("stop");
    body(deeper, "else_branch", stop);
  }
  return deeper;
}

TEST(ControlFlow, NestsFourDeepWithValuesFromTheOutermostGraph) {
  ModelFile file, stop;
  file.input("x", {"n"});
  for (int i = 0; i < 4; ++i) file.input(concat("flag_", i), {}, DType::boolean);
  stop.node("Neg", {"x"}, {"negative"}).output("negative");
  file.node("If", {"flag_3"}, {"y"}).output("y", {"n"});
  body(file, "then_branch", nested(3, "x"));
  body(file, "else_branch", stop);
  const Graph graph = file.read();
  const auto run = [&](bool f0, bool f1, bool f2, bool f3) {
    return run_everywhere(
        graph, {floats({1, 10}), Tensor::scalar(f0), Tensor::scalar(f1), Tensor::scalar(f2), Tensor::scalar(f3)})[0];
  };
  EXPECT_TRUE(same_bits(run(true, true, true, true), floats({5, 50})));
  EXPECT_TRUE(same_bits(run(true, true, false, true), floats({2, 20})));
  EXPECT_TRUE(same_bits(run(false, true, true, true), floats({4, 40})));
  EXPECT_TRUE(same_bits(run(true, true, true, false), floats({-1, -10})));
}

// Of each step of the innermost graph: the sums of `list` so far, plus a number from the outermost graph.
ModelFile prefix_sums() {
  ModelFile file;
  file.input("sum", {}).input("entry", {});
  file.node("Add", {"sum", "entry"}, {"next"}).node("Add", {"next", "top"}, {"prefix"});
  return file.output("next", {}).output("prefix", {}), file;
}

// `list` becomes its prefix sums and its sum, so that it is longer by one.
ModelFile lengthen() {
  ModelFile file;
  file.input("j", {}, DType::i64).input("go_on", {}, DType::boolean).input("list", {"?"});
  file.node("Scan", {"zero", "list"}, {"all", "prefixes"}, {{"num_scan_inputs", int64_t{1}}});
  body(file, "body", prefix_sums());
  file.node("Unsqueeze", {"all", "axis"}, {"last"}).node("Identity", {"go_on"}, {"still"});
  file.node("Concat", {"prefixes", "last"}, {"longer"}, {{"axis", int64_t{0}}});
  return file.output("still", {}, DType::boolean).output("longer", {"?"}), file;
}

// Adds to `total` the list that one entry of the table has become after `count` steps.
ModelFile add_list() {
  ModelFile file;
  file.input("total", {}).input("entry_of_table", {});
  file.node("Unsqueeze", {"entry_of_table", "axis"}, {"start"});
  file.node("Loop", {"count", "", "start"}, {"list_of_entry"});
  body(file, "body", lengthen());
  file.node("ReduceSum", {"list_of_entry"}, {"sum_of_list"}, {{"keepdims", int64_t{0}}});
  file.node("Add", {"total", "sum_of_list"}, {"next_total"}).node("Identity", {"next_total"}, {"seen"});
  return file.output("next_total", {}).output("seen", {}), file;
}

// A Scan in a Loop in a Scan in a Loop: the outermost appends to x, i + 1 steps further inside each time.
ModelFile four_deep() {
  ModelFile step, file;
  step.input("i", {}, DType::i64).input("go", {}, DType::boolean).input("result", {"?"});
  step.node("Add", {"i", "one"}, {"count"});
  step.node("Scan", {"zero", "table"}, {"sum_of_all", "totals"}, {{"num_scan_inputs", int64_t{1}}});
  body(step, "body", add_list());
  step.node("Unsqueeze", {"sum_of_all", "axis"}, {"appended"}).node("Identity", {"go"}, {"more"});
  step.node("Concat", {"result", "appended"}, {"appended_to"}, {{"axis", int64_t{0}}});
  step.output("more", {}, DType::boolean).output("appended_to", {"?"}).output("totals", {"?"});
  file.input("trips", {}, DType::i64).input("x", {"n"}).input("table", {"rows"});
  file.constant("zero", Tensor::scalar(0.f)).constant("one", Tensor::scalar(int64_t{1}));
  file.constant("axis", Tensor::from_ints(std::array<int64_t, 1>{0}));
  file.node("ReduceSum", {"x"}, {"top"}, {{"keepdims", int64_t{0}}});
  file.node("Loop", {"trips", "", "x"}, {"y", "all_totals"}, {}, "outermost").output("y").output("all_totals");
  return body(file, "body", step);
}

// The same by loops of C++.
std::vector<float> four_deep_by_hand(int64_t trips, std::vector<float> x, const std::vector<float>& table) {
  const float top = std::accumulate(x.begin(), x.end(), 0.f);
  for (int64_t i = 0; i < trips; ++i) {
    float total = 0;
    for (const float entry : table) {
      std::vector<float> list = {entry};
      for (int64_t j = 0; j <= i; ++j) {
        std::partial_sum(list.begin(), list.end(), list.begin());
        list.push_back(list.back());
        for (size_t k = 0; k + 1 < list.size(); ++k) list[k] += top;
      }
      total = std::accumulate(list.begin(), list.end(), total);
    }
    x.push_back(total);
  }
  return x;
}

TEST(ControlFlow, LoopsAndScansNestFourDeepWithSizesOfTheirOwnInEachIteration) {
  const Graph graph = four_deep().read();
  const std::vector<Tensor> feeds = {Tensor::scalar(int64_t{3}), floats({1, 2}), floats({3, -4, 5})};
  const auto results = run_everywhere(graph, feeds);
  EXPECT_EQ(results[0].to_vector<float>(), four_deep_by_hand(3, {1, 2}, {3, -4, 5}));
  EXPECT_EQ(results[1].dims(), (Dims{3, 3}));

  Session session(graph);
  session.run(feeds);
  const size_t plans = session.plan_count();
  EXPECT_GT(plans, 0u);
  session.run(feeds);
  EXPECT_EQ(session.plan_count(), plans);
  session.run({{Tensor::scalar(int64_t{1}), floats({7}), floats({2})}});
  EXPECT_GT(session.plan_count(), plans);
}

TEST(ControlFlow, WeightsOfBothBranchesAreWrittenOnce) {
  ModelFile file, branch;
  branch.node("MatMul", {"x", "w"}, {"z"}).output("z");
  file.input("flag", {}, DType::boolean).input("x", {"n", "64"}).constant("w", Tensor::full({64, 64}, 0.5));
  file.node("If", {"flag"}, {"y"}).output("y");
  body(file, "then_branch", branch);
  body(file, "else_branch", branch);
  const Graph graph = file.read();
  const size_t weight = 64 * 64 * sizeof(float);
  EXPECT_LT(write_onnx(graph).size(), weight + 2048);
  EXPECT_LT(write_onemodel(graph).size(), weight + 2048);
}

TEST(ControlFlow, SizesThatDependOnValuesAreKnownWhileRunning) {
  ModelFile file;  // the positive elements as a column, and their sum repeated as often as the largest says
  file.input("x", {"n"})
      .constant("zero", Tensor::scalar(0.f))
      .constant("column", Tensor::from_ints(std::array<int64_t, 2>{-1, 1}));
  file.node("Greater", {"x", "zero"}, {"positive"})
      .node("Compress", {"x", "positive"}, {"kept"}, {{"axis", int64_t{0}}});
  file.node("Reshape", {"kept", "column"}, {"y"}).node("ReduceMax", {"kept"}, {"largest"}, {{"keepdims", int64_t{1}}});
  file.node("Cast", {"largest"}, {"count"}, {{"to", int64_t{7}}})
      .node("ReduceSum", {"kept"}, {"sum"}, {{"keepdims", int64_t{0}}});
  file.node("Expand", {"sum", "count"}, {"z"}).output("y").output("z");
  const auto results = run_everywhere(file.read(), {floats({-1, 2, 3, -5})});
  EXPECT_TRUE(same_bits(results[0], Tensor::from({2.f, 3.f}, {2, 1})));
  EXPECT_TRUE(same_bits(results[1], floats({5, 5, 5})));
  EXPECT_TRUE(same_bits(Session(file.read()).run({{floats({1})}})[1], floats({1})));
}

TEST(ControlFlow, OutputsAreTheCallersOwn) {
  ModelFile file = choice();
  file.graph().clear_output();
  file.output("y").output("x").output("one");
  Session session(file.read());
  const Tensor x = floats({1, 2});
  const auto results = session.run({{Tensor::scalar(true), x}});
  EXPECT_NE(results[1].storage(), x.storage());
  Tensor(results[2]).fill(7);
  EXPECT_TRUE(same_bits(session.run({{Tensor::scalar(true), x}})[2], Tensor::scalar(1.f)));
  std::vector<Tensor> room{floats({0, 0}), {}, {}};
  session.run({{Tensor::scalar(true), x}}, room);
  EXPECT_TRUE(same_bits(room[0], floats({2, 3})));
  std::vector<Tensor> narrow{floats({0}), {}, {}};
  EXPECT_ERROR(session.run({{Tensor::scalar(true), x}}, narrow), ShapeError, "output 'y' is float32[2]");
}

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

TEST(ControlFlow, RunsAreCancelledInsideLoops) {
  Session session(growing().read());
  int asked = 0;
  RunOptions options;
  options.cancelled = [&] { return ++asked > 20; };
  const std::vector<Tensor> inputs{Tensor::scalar(int64_t{1'000'000'000}), Tensor::scalar(int64_t{1'000'000'000}),
                                   Tensor::from_ints({})};
  EXPECT_THROW(session.run(inputs, options), CancelledError);
}

}  // namespace
}  // namespace onemodel::test

// Graphs inside of graphs inside of graphs.

#include <gtest/gtest.h>

#include <numeric>

#include "onnx/control_flow_models.h"

namespace onemodel::test {
namespace {

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

}  // namespace
}  // namespace onemodel::test

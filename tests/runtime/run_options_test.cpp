// Runs of a part of the outputs, and what is told while a run goes on.

#include <gtest/gtest.h>

#include "graph/control_flow.h"
#include "ops/binary.h"
#include "ops/reduce.h"
#include "ops/reshape.h"
#include "ops/sample.h"
#include "ops/select_rows.h"
#include "ops/split.h"
#include "ops/unary.h"
#include "runtime/profiler.h"
#include "runtime/session.h"
#include "support/compare.h"
#include "support/error_text.h"
#include "support/graphs.h"

namespace onemodel::test {
namespace {

// a = sin(x), b = cos(a), c = exp(x), and d, a view of b
Graph branches() {
  Graph graph;
  graph.name = "branches";
  const ValueId x = graph.add_input("x", {DType::f32, {Extent::symbol("n")}});
  const ValueId a = add(graph, Sin{}, {x}, "a");
  const ValueId b = add(graph, Cos{}, {a}, "b");
  const ValueId c = add(graph, Exp{}, {x}, "c");
  graph.outputs = {a, b, c, add(graph, Unsqueeze{}, {b, ints(graph, {0})}, "d")};
  for (size_t i = 0; i < 4; ++i) graph.value(graph.outputs[i]).name = std::string(1, static_cast<char>('a' + i));
  return graph;
}

std::vector<std::string> nodes_run(Session& session, std::span<const Tensor> inputs, std::vector<std::string> outputs) {
  Profiler profiler;
  session.run(inputs, {.outputs = std::move(outputs), .profiler = &profiler});
  std::vector<std::string> names;
  for (const auto& entry : profiler.entries()) names.push_back(entry.node);
  return names;
}

TEST(RunOptions, RunsOnlyWhatTheWantedOutputsNeed) {
  Session session(branches(), {.optimize = false});
  const std::vector<Tensor> inputs = random_inputs(branches());
  const std::vector<Tensor> all = session.run(inputs);
  EXPECT_TRUE(same_tensors(session.run(inputs, {.outputs = {"c", "a"}}), {all[2], all[0]}));
  EXPECT_TRUE(same_tensors(session.run(inputs, {.outputs = {"b"}}), {all[1]}));
  EXPECT_TRUE(same_tensors(session.run(inputs, {.outputs = {"d"}}), {all[3]}));
  EXPECT_TRUE(same_tensors(session.run(inputs), all));
  EXPECT_EQ(nodes_run(session, inputs, {"c"}), std::vector<std::string>{"c"});
  EXPECT_EQ(nodes_run(session, inputs, {"b"}), (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(nodes_run(session, inputs, {"a"}), std::vector<std::string>{"a"});
  EXPECT_EQ(session.plan_count(), 1u);
}

TEST(RunOptions, WritesWantedOutputsInPlace) {
  Session session(branches());
  const std::vector<Tensor> inputs = random_inputs(branches());
  const std::vector<Tensor> all = session.run(inputs);
  std::vector<Tensor> outputs{Tensor::zeros({1, 3}), Tensor()};
  const std::byte* memory = outputs[0].raw();
  session.run(inputs, outputs, {.outputs = {"d", "c"}});
  EXPECT_EQ(outputs[0].raw(), memory);
  EXPECT_TRUE(same_tensors(outputs, {all[3], all[2]}));
}

TEST(RunOptions, RefusesOutputsThatThereAreNot) {
  Session session(branches());
  const std::vector<Tensor> inputs = random_inputs(branches());
  EXPECT_ERROR(session.run(inputs, {.outputs = {"z"}}), ArgumentError,
               "model 'branches' has no output 'z' (outputs: 'a', 'b', 'c', 'd')");
  EXPECT_ERROR(session.run(inputs, {.outputs = {"a", "a"}}), ArgumentError, "output 'a' is asked for twice");
  std::vector<Tensor> three(3);
  EXPECT_ERROR(session.run(inputs, three, {.outputs = {"a"}}), ArgumentError, "has 1 wanted outputs, got room for 3");
}

// A node that writes a wanted output and another needs room for both.
TEST(RunOptions, RunsNodesOfSeveralOutputs) {
  Graph graph;
  const ValueId x = graph.add_input("x", {DType::f32, {6}});
  const auto parts = graph.add_node(Split{.num_outputs = 2}, {x}, "parts", 2);
  graph.outputs = {parts[0], parts[1]};
  Session session(graph);
  const std::vector<Tensor> inputs = random_inputs(graph), all = session.run(inputs);
  const RunOptions last{.outputs = {graph.value(parts[1]).name}};
  EXPECT_TRUE(same_tensors(session.run(inputs, last), {all[1]}));
}

// positions = NonZero(x), whose size depends on values; total = the sum of x; shifted = positions + 1
TEST(RunOptions, LeavesOutPiecesOfAGraphThatIsCut) {
  Graph graph;
  const ValueId x = graph.add_input("x", {DType::f32, {Extent::symbol("n")}});
  const ValueId total = add(graph, ReduceSum{}, {x}, "total");
  const ValueId positions = add(graph, NonZero{}, {x}, "positions");
  const ValueId one = graph.add_constant("one", Tensor::scalar(int64_t{1}));
  const ValueId shifted = add(graph, Add{}, {positions, one}, "shifted");
  graph.outputs = {total, positions, shifted};
  Session session(graph);
  const std::vector<Tensor> inputs{Tensor::from({0.f, 2.f, 3.f}, {3})}, all = session.run(inputs);
  const auto name = [&](size_t i) { return session.outputs()[i].name; };
  EXPECT_EQ(nodes_run(session, inputs, {name(0)}), std::vector<std::string>{"total"});
  EXPECT_EQ(nodes_run(session, inputs, {name(2)}), std::vector<std::string>{"shifted"});
  EXPECT_TRUE(nodes_run(session, inputs, {name(1)}).empty());
  EXPECT_TRUE(same_tensors(session.run(inputs, {.outputs = {name(2), name(0)}}), {all[2], all[0]}));
  EXPECT_TRUE(same_tensors(session.run(inputs), all));
}

TEST(RunOptions, TellHowManyStepsAreDone) {
  Session session(branches(), {.optimize = false});
  const std::vector<Tensor> inputs = random_inputs(branches());
  std::vector<std::pair<size_t, size_t>> told;
  const auto note = [&](size_t done, size_t steps) { told.emplace_back(done, steps); };
  session.run(inputs, {.progress = note, .outputs = {"b"}});
  EXPECT_EQ(told, (std::vector<std::pair<size_t, size_t>>{{1, 2}, {2, 2}}));
  told.clear();
  const RunOptions stopping{.cancelled = [&] { return told.size() == 1; }, .progress = note};
  EXPECT_ERROR(session.run(inputs, stopping), CancelledError, "before step 1");
}

}  // namespace
}  // namespace onemodel::test

// If, Loop and Scan: read from files, run, written again.

#include <gtest/gtest.h>

#include "onnx/control_flow_models.h"
#include "support/error_text.h"

namespace onemodel::test {
namespace {

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

#include <gtest/gtest.h>

#include "ops/binary.h"
#include "ops/random.h"
#include "ops/reshape.h"
#include "ops/sample.h"
#include "ops/softmax.h"
#include "ops/transpose.h"
#include "ops/unary.h"
#include "passes/pipeline.h"
#include "support/graphs.h"

namespace onemodel::test {
namespace {

const Extent kBatch = Extent::symbol("batch");

std::string simplified(Graph& graph, std::vector<ValueId> outputs) {
  graph.outputs = std::move(outputs);
  const Graph after = optimize(graph, {.arithmetic = Arithmetic::exact}).graph();
  EXPECT_TRUE(same_results(graph, after));
  return operators(after);
}

TEST(MergeTransposes, BecomeOne) {
  Graph graph;
  const ValueId x = graph.add_input("x", {DType::f32, {kBatch, 3, 4}});
  const ValueId once = add(graph, Transpose{{1, 2, 0}}, {x});
  EXPECT_EQ(simplified(graph, {add(graph, Transpose{{1, 2, 0}}, {once}, "y")}), "Transpose");
}

TEST(MergeTransposes, ThatUndoEachOtherVanish) {
  Graph graph;
  const ValueId x = add(graph, Neg{}, {graph.add_input("x", {DType::f32, {kBatch, 3, 4}})});
  const ValueId there = add(graph, Transpose{{2, 0, 1}}, {x});
  EXPECT_EQ(simplified(graph, {add(graph, Transpose{{1, 2, 0}}, {there}, "y")}), "Neg");
}

TEST(MergeTransposes, TheInnerOneStaysWhenItIsAnOutput) {
  Graph graph;
  const ValueId x = graph.add_input("x", {DType::f32, {2, 3, 4}});
  const ValueId inner = add(graph, Transpose{{1, 0, 2}}, {x}, "inner");
  EXPECT_EQ(simplified(graph, {inner, add(graph, Transpose{{2, 1, 0}}, {inner}, "y")}), "Transpose Transpose");
}

TEST(MergeTransposes, NotMergedWhenSomethingLiesBetween) {
  Graph graph;
  const ValueId x = graph.add_input("x", {DType::f32, {2, 3}});
  const ValueId softmax = add(graph, Softmax{}, {add(graph, Transpose{}, {x})});
  EXPECT_EQ(simplified(graph, {add(graph, Transpose{}, {softmax}, "y")}), "Transpose Softmax Transpose");
}

TEST(MergeReshapes, BecomeOneWithTheFinalShape) {
  Graph graph;
  const ValueId x = graph.add_input("x", {DType::f32, {kBatch, 3, 4}});
  const ValueId a = add(graph, Unsqueeze{}, {x, ints(graph, {1})});
  const ValueId b = add(graph, Flatten{.axis = 2}, {a});
  EXPECT_EQ(simplified(graph, {add(graph, Reshape{}, {b, ints(graph, {-1, 2, 6})}, "y")}), "Reshape");
}

TEST(MergeReshapes, NotMergedWhenTwoSizesAreSymbolic) {
  Graph graph;
  const ValueId x = graph.add_input("x", {DType::f32, {kBatch, Extent::symbol("length"), 4}});
  const ValueId a = add(graph, Unsqueeze{}, {x, ints(graph, {1})});
  EXPECT_EQ(simplified(graph, {add(graph, Unsqueeze{}, {a, ints(graph, {0})}, "y")}), "Unsqueeze Unsqueeze");
}

TEST(MergeReshapes, NotMergedAcrossATranspose) {
  Graph graph;
  const ValueId x = graph.add_input("x", {DType::f32, {2, 3}});
  const ValueId turned = add(graph, Transpose{}, {add(graph, Reshape{}, {x, ints(graph, {3, 2})})});
  EXPECT_EQ(simplified(graph, {add(graph, Reshape{}, {turned, ints(graph, {6})}, "y")}), "Reshape Transpose Reshape");
}

TEST(MergeCommonSubexpressions, EqualNodesBecomeOne) {
  Graph graph;
  const ValueId x = graph.add_input("x", {DType::f32, {kBatch, 3}});
  const ValueId two = graph.add_constant("two", Tensor::full({}, 2));
  const ValueId also_two = graph.add_constant("also_two", Tensor::full({}, 2));
  const ValueId a = add(graph, Exp{}, {add(graph, Mul{}, {x, two})});
  const ValueId b = add(graph, Exp{}, {add(graph, Mul{}, {x, also_two})});
  EXPECT_EQ(simplified(graph, {add(graph, Add{}, {a, b}, "y")}), "Mul Exp Add");
}

// A node is compared with so many others at most, that the work is not the square of their number.
TEST(MergeCommonSubexpressions, NotMergedBeyondTheFirstHundredsOfReaders) {
  Graph graph;
  const ValueId x = graph.add_input("x", {DType::f32, {kBatch, 3}});
  const auto scaled = [&](double by) { return add(graph, Mul{}, {x, graph.add_constant("by", Tensor::full({}, by))}); };
  for (int i = 0; i < 300; ++i) graph.outputs.push_back(add(graph, Neg{}, {scaled(2 + i)}));
  const size_t distinct = graph.nodes.size();
  for (const double by : {2.0, 257.0, 258.0}) graph.outputs.push_back(add(graph, Abs{}, {scaled(by)}));
  const Graph after = optimize(graph, {.arithmetic = Arithmetic::exact}).graph();
  EXPECT_EQ(after.nodes.size(), distinct + 3 + 1);
  EXPECT_TRUE(same_results(graph, after));
}

TEST(MergeCommonSubexpressions, NotMergedWhenNumbersAreDrawn) {
  Graph graph;
  const ValueId x = graph.add_input("x", {DType::f32, {kBatch, 3}});
  const ValueId a = add(graph, RandomUniformLike{}, {x}), b = add(graph, RandomUniformLike{}, {x});
  graph.outputs = {add(graph, Add{}, {a, b}, "y")};
  EXPECT_EQ(operators(optimize(graph).graph()), "RandomUniformLike RandomUniformLike Add");
}

TEST(MergeCommonSubexpressions, NotMergedWhenAttributesDiffer) {
  Graph graph;
  const ValueId x = graph.add_input("x", {DType::f32, {kBatch, 3}});
  const ValueId a = add(graph, LeakyRelu{.alpha = 0.1f}, {x}), b = add(graph, LeakyRelu{.alpha = 0.2f}, {x});
  EXPECT_EQ(simplified(graph, {add(graph, Add{}, {a, b}, "y")}), "LeakyRelu LeakyRelu Add");
}

TEST(MergeCommonSubexpressions, NotMergedWhenOperandsAreSwapped) {
  Graph graph;
  const ValueId x = graph.add_input("x", {DType::f32, {3}}), z = graph.add_input("z", {DType::f32, {3}});
  const ValueId a = add(graph, Sub{}, {x, z}), b = add(graph, Sub{}, {z, x});
  EXPECT_EQ(simplified(graph, {add(graph, Mul{}, {a, b}, "y")}), "Sub Sub Mul");
}

TEST(MergeCommonSubexpressions, NotMergedWhenBothAreOutputs) {
  Graph graph;
  const ValueId x = graph.add_input("x", {DType::f32, {3}});
  EXPECT_EQ(simplified(graph, {add(graph, Neg{}, {x}, "a"), add(graph, Neg{}, {x}, "b")}), "Neg Neg");
}

}  // namespace
}  // namespace onemodel::test

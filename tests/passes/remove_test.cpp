#include <gtest/gtest.h>

#include "ops/binary.h"
#include "ops/cast.h"
#include "ops/concat.h"
#include "ops/dropout.h"
#include "ops/expand.h"
#include "ops/reshape.h"
#include "ops/sample.h"
#include "ops/slice.h"
#include "ops/transpose.h"
#include "ops/unary.h"
#include "passes/pipeline.h"
#include "support/graphs.h"

namespace onemodel::test {
namespace {

const Extent kBatch = Extent::symbol("batch");

// Neg before and Abs after what is tested, so that neither end is an input or output.
struct Between {
  Graph graph;
  ValueId x;
  explicit Between(Shape shape = {kBatch, 3}, DType dtype = DType::f32) {
    x = add(graph, Neg{}, {graph.add_input("x", {dtype, std::move(shape)})});
  }
  std::string simplified(ValueId y) {
    graph.outputs = {add(graph, Abs{}, {y}, "y")};
    const Graph after = optimize(graph, {.arithmetic = Arithmetic::exact}).graph();
    EXPECT_TRUE(same_results(graph, after));
    return operators(after);
  }
  std::string simplified(Op op, std::vector<ValueId> rest = {}) {
    rest.insert(rest.begin(), x);
    return simplified(add(graph, std::move(op), rest));
  }
};

TEST(RemoveIdentities, RemovesWhatChangesNothing) {
  EXPECT_EQ(Between().simplified(Identity{}), "Neg Abs");
  EXPECT_EQ(Between().simplified(Dropout{}), "Neg Abs");
  EXPECT_EQ(Between().simplified(Cast{.to = DType::f32}), "Neg Abs");
  EXPECT_EQ(Between().simplified(Transpose{{0, 1}}), "Neg Abs");
  EXPECT_EQ(Between().simplified(Concat{}), "Neg Abs");
  EXPECT_EQ(Between().simplified(Flatten{}), "Neg Abs");
  Between reshape, expand, slice;
  EXPECT_EQ(reshape.simplified(Reshape{}, {ints(reshape.graph, {0, 3})}), "Neg Abs");
  EXPECT_EQ(expand.simplified(Expand{}, {ints(expand.graph, {1, 3})}), "Neg Abs");
  EXPECT_EQ(slice.simplified(Slice{}, {ints(slice.graph, {0}), ints(slice.graph, {INT64_MAX})}), "Neg Abs");
}

TEST(RemoveIdentities, RemovesADropoutThatDropsNothing) {
  const auto between = [](double ratio, bool trains) {
    Between b;
    const ValueId share = b.graph.add_constant("ratio", Tensor::full({}, ratio));
    const ValueId mode = b.graph.add_constant("mode", Tensor::scalar(trains));
    return b.simplified(Dropout{.seed = 1}, {share, mode});
  };
  EXPECT_EQ(between(0, true), "Neg Abs");
  EXPECT_EQ(between(0.5, false), "Neg Abs");
  EXPECT_EQ(between(0.5, true), "Neg Dropout Abs");
}

TEST(RemoveIdentities, NotRemovedWhenItChangesSomething) {
  EXPECT_EQ(Between().simplified(Cast{.to = DType::f64}), "Neg Cast Abs");
  EXPECT_EQ(Between({3, 3}).simplified(Transpose{}), "Neg Transpose Abs");
  EXPECT_EQ(Between({2, 3, 4}).simplified(Flatten{}), "Neg Flatten Abs");
}

TEST(RemoveIdentities, NotRemovedWhenASliceRunsBackward) {
  Between between({3});
  Graph& graph = between.graph;
  EXPECT_EQ(
      between.simplified(Slice{}, {ints(graph, {-1}), ints(graph, {INT64_MIN}), ints(graph, {0}), ints(graph, {-1})}),
      "Neg Slice Abs");
}

TEST(RemoveIdentities, NotRemovedBetweenAnInputAndAnOutput) {
  Graph graph;
  graph.outputs = {add(graph, Identity{}, {graph.add_input("x", {DType::f32, {2}})}, "y")};
  const Graph after = optimize(graph).graph();
  EXPECT_EQ(operators(after), "Identity");
  EXPECT_TRUE(same_results(graph, after));
}

TEST(RemoveIdentities, NotRemovedBetweenTwoOutputs) {
  Graph graph;
  const ValueId a = add(graph, Neg{}, {graph.add_input("x", {DType::f32, {2}})}, "a");
  graph.outputs = {a, add(graph, Identity{}, {a}, "b")};
  const Graph after = optimize(graph).graph();
  EXPECT_EQ(operators(after), "Neg Identity");
  EXPECT_TRUE(same_results(graph, after));
}

TEST(RemoveIdentities, TheOutputKeepsItsName) {
  Graph graph;
  const ValueId a = add(graph, Neg{}, {graph.add_input("x", {DType::f32, {2}})}, "a");
  graph.outputs = {add(graph, Identity{}, {a}, "b")};
  const Graph after = optimize(graph).graph();
  EXPECT_EQ(operators(after), "Neg");
  EXPECT_TRUE(same_results(graph, after));
}

TEST(RemoveNeutralArithmetic, RemovesOnesAndZeros) {
  const auto with = [](Op op, double value, bool constant_first = false, DType dtype = DType::f32) {
    Between between({kBatch, 3}, dtype);
    const ValueId constant = between.graph.add_constant("c", Tensor::full({}, value, dtype));
    std::vector<ValueId> operands{between.x, constant};
    if (constant_first) std::swap(operands[0], operands[1]);
    return between.simplified(add(between.graph, std::move(op), operands));
  };
  EXPECT_EQ(with(Mul{}, 1), "Neg Abs");
  EXPECT_EQ(with(Mul{}, 1, true), "Neg Abs");
  EXPECT_EQ(with(Div{}, 1), "Neg Abs");
  EXPECT_EQ(with(Sub{}, 0), "Neg Abs");
  EXPECT_EQ(with(Add{}, 0, false, DType::i32), "Neg Abs");
  EXPECT_EQ(with(Add{}, 0, true, DType::i64), "Neg Abs");
  EXPECT_EQ(with(Mul{}, 2), "Neg Mul Abs");
  EXPECT_EQ(with(Div{}, 1, true), "Neg Div Abs");
  EXPECT_EQ(with(Sub{}, 0, true), "Neg Sub Abs");
}

TEST(RemoveNeutralArithmetic, NotRemovedWhenItBroadcasts) {
  Between between({kBatch, 1});
  const ValueId ones = between.graph.add_constant("ones", Tensor::full({1, 3}, 1));
  EXPECT_EQ(between.simplified(Mul{}, {ones}), "Neg Mul Abs");
}

TEST(RemoveAddedZeros, InFastArithmeticOnly) {
  Between between;
  between.graph.outputs = {
      add(between.graph, Abs{},
          {add(between.graph, Add{}, {between.x, between.graph.add_constant("0", Tensor::full({}, 0))})})};
  EXPECT_EQ(operators(optimize(between.graph).graph()), "Neg Abs");
  EXPECT_EQ(operators(optimize(between.graph, {.arithmetic = Arithmetic::exact}).graph()), "Neg Add Abs");
}

TEST(RemoveDeadNodes, RemovesChainsThatNothingReads) {
  Between between;
  ValueId dead = between.x;
  for (int i = 0; i < 5; ++i) dead = add(between.graph, Exp{}, {dead});
  between.graph.outputs = {between.x};
  const OptimizedGraph after = optimize(between.graph);
  EXPECT_EQ(operators(after.graph()), "Neg");
  EXPECT_EQ(after.log().size(), 5u);
}

TEST(RemoveDeadNodes, NotRemovedWhenOneOfTheOutputsIsRead) {
  Graph graph;
  const ValueId x = graph.add_input("x", {DType::f32, {4}});
  graph.outputs = {graph.add_node(Dropout{}, {x}, "drop", 2)[1]};
  EXPECT_EQ(operators(optimize(graph).graph()), "Dropout");
}

}  // namespace
}  // namespace onemodel::test

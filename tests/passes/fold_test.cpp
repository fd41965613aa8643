#include <gtest/gtest.h>

#include "ops/batch_normalization.h"
#include "ops/binary.h"
#include "ops/concat.h"
#include "ops/conv.h"
#include "ops/expand.h"
#include "ops/gather.h"
#include "ops/random.h"
#include "ops/reshape.h"
#include "ops/sample.h"
#include "ops/shape.h"
#include "ops/slice.h"
#include "ops/transpose.h"
#include "ops/unary.h"
#include "passes/pipeline.h"
#include "support/graphs.h"

namespace onemodel::test {
namespace {

const Extent kBatch = Extent::symbol("batch");

// y = BatchNormalization(Conv(x, w, b)); the parts that guards look at can be changed before `finish`.
struct NormalizedConv {
  Graph graph;
  ValueId x = graph.add_input("x", {DType::f32, {kBatch, 3, 6, 6}});
  ValueId conv;

  explicit NormalizedConv(bool bias = true) {
    std::vector<ValueId> inputs{x, graph.add_constant("w", sample_values({4, 3, 3, 3}))};
    if (bias) inputs.push_back(graph.add_constant("b", sample_values({4})));
    conv = add(graph, Conv{}, inputs, "conv");
  }

  ValueId normalize(ValueId id, ValueId scale = kNone) {
    if (scale == kNone) scale = graph.add_constant("scale", sample_values({4}, 0.5, 2));
    return add(
        graph, BatchNormalization{},
        {id, scale, graph.add_constant("shift", sample_values({4})), graph.add_constant("mean", sample_values({4})),
         graph.add_constant("variance", sample_values({4}, 0.2, 2))},
        "norm");
  }
};

TEST(FoldConstants, EvaluatesWhatNoInputReaches) {
  Graph graph;
  const ValueId x = graph.add_input("x", {DType::f32, {kBatch, 3}});
  const ValueId a = graph.add_constant("a", sample_values({3, 3})), b = graph.add_constant("b", sample_values({3}));
  const ValueId sum = add(graph, Add{}, {add(graph, Transpose{}, {a}), b});
  graph.outputs = {add(graph, Sub{}, {x, sum}, "y")};
  const Graph after = optimize(graph).graph();
  EXPECT_EQ(operators(after), "Sub");
  EXPECT_TRUE(same_results(graph, after));
}

TEST(FoldConstants, NotFoldedWhenNumbersAreDrawn) {
  Graph graph;
  const ValueId x = graph.add_input("x", {DType::f32, {3}});
  const ValueId noise = add(graph, RandomNormal{.shape = {3}}, {});
  const ValueId coins = add(graph, Bernoulli{}, {graph.add_constant("p", Tensor::full({3}, 0.5))});
  graph.outputs = {add(graph, Add{}, {add(graph, Add{}, {x, noise}), coins}, "y")};
  EXPECT_EQ(operators(optimize(graph).graph()), "RandomNormal Bernoulli Add Add");
}

TEST(FoldConstants, GivesAConstantOutputItsName) {
  Graph graph;
  graph.add_input("x", {DType::f32, {2}});
  graph.outputs = {add(graph, Neg{}, {graph.add_constant("a", sample_values({3}))}, "y")};
  const Graph after = optimize(graph).graph();
  EXPECT_EQ(operators(after), "");
  EXPECT_TRUE(same_results(graph, after));
}

TEST(FoldConstants, FoldsShapeArithmeticOfFixedSizes) {
  Graph graph;
  const ValueId x = graph.add_input("x", {DType::f32, {2, 3, 4}});
  const ValueId last = add(graph, Gather{}, {add(graph, ShapeOf{}, {x}), ints(graph, {2})});
  const ValueId target = add(graph, Concat{}, {ints(graph, {-1}), last});
  graph.outputs = {add(graph, Reshape{}, {x, target}, "y")};
  const Graph after = optimize(graph).graph();
  EXPECT_EQ(operators(after), "Reshape");
  EXPECT_TRUE(same_results(graph, after));
}

TEST(FoldConstants, FoldsFixedSizesPickedOfASymbolicShape) {
  Graph graph;
  const ValueId x = graph.add_input("x", {DType::f32, {kBatch, 3, 4}});
  const ValueId shape = add(graph, ShapeOf{}, {x});
  const ValueId last = add(graph, Slice{}, {shape, ints(graph, {-1}), ints(graph, {9})});
  const ValueId first = add(graph, Gather{}, {shape, ints(graph, {0})});
  const ValueId middle = add(graph, Gather{}, {shape, graph.add_constant("one", Tensor::scalar<int64_t>(1))});
  const ValueId one = add(graph, Unsqueeze{}, {middle, ints(graph, {0})});
  graph.outputs = {add(graph, Reshape{}, {x, add(graph, Concat{}, {one, last, first})}, "y")};
  const Graph after = optimize(graph).graph();
  EXPECT_EQ(operators(after), "Shape Gather Concat Reshape");
  EXPECT_TRUE(same_results(graph, after));
}

TEST(FoldConstants, NotFoldedWhenAnInputReachesIt) {
  Graph graph;
  const ValueId x = graph.add_input("x", {DType::f32, {2}});
  graph.outputs = {add(graph, Neg{}, {x}, "y")};
  EXPECT_EQ(operators(optimize(graph).graph()), "Neg");
}

TEST(FoldConstants, NotFoldedWhenTheShapeIsSymbolic) {
  Graph graph;
  const ValueId x = graph.add_input("x", {DType::f32, {kBatch, 3}});
  graph.outputs = {add(graph, ShapeOf{}, {x}, "y")};
  EXPECT_EQ(operators(optimize(graph).graph()), "Shape");
}

TEST(FoldConstants, NotFoldedWhenTheResultWouldBeLarge) {
  Graph graph;
  const ValueId one = graph.add_constant("one", Tensor::full({1}, 1));
  graph.outputs = {add(graph, Expand{}, {one, ints(graph, {1024, 1024})}, "y")};
  EXPECT_EQ(operators(optimize(graph).graph()), "Expand");
}

TEST(FoldConstants, NotFoldedWhenItCannotBeEvaluated) {
  Graph graph;
  const ValueId table = graph.add_constant("table", sample_values({3, 2}));
  graph.outputs = {add(graph, Gather{}, {table, ints(graph, {7})}, "y")};
  EXPECT_EQ(operators(optimize(graph).graph()), "Gather");
}

TEST(FoldBatchNorm, ScalesTheWeightsOfAConvolution) {
  for (bool bias : {true, false}) {
    NormalizedConv model(bias);
    model.graph.outputs = {model.normalize(model.conv)};
    const Graph after = optimize(model.graph).graph();
    EXPECT_EQ(operators(after), "Conv") << bias;
    EXPECT_TRUE(same_results(model.graph, after, 1e-6));
  }
}

TEST(FoldBatchNorm, KeepsTheConvolutionsName) {
  NormalizedConv model;
  model.graph.outputs = {model.normalize(model.conv)};
  EXPECT_EQ(optimize(model.graph).graph().nodes[0].name, "conv");
}

TEST(FoldBatchNorm, NotFoldedInExactArithmetic) {
  NormalizedConv model;
  model.graph.outputs = {model.normalize(model.conv)};
  const Graph after = optimize(model.graph, {.arithmetic = Arithmetic::exact}).graph();
  EXPECT_EQ(operators(after), "Conv BatchNormalization");
}

TEST(FoldBatchNorm, NotFoldedWhenTheConvolutionIsReadTwice) {
  NormalizedConv model;
  model.graph.outputs = {add(model.graph, Add{}, {model.normalize(model.conv), model.conv}, "y")};
  EXPECT_EQ(operators(optimize(model.graph).graph()), "Conv BatchNormalization Add");
}

TEST(FoldBatchNorm, NotFoldedWhenTheConvolutionIsAnOutput) {
  NormalizedConv model;
  model.graph.outputs = {model.normalize(model.conv), model.conv};
  EXPECT_EQ(operators(optimize(model.graph).graph()), "Conv BatchNormalization");
}

TEST(FoldBatchNorm, NotFoldedWhenTheScaleIsAnInput) {
  NormalizedConv model;
  const ValueId scale = model.graph.add_input("scale", {DType::f32, {4}});
  model.graph.outputs = {model.normalize(model.conv, scale)};
  EXPECT_EQ(operators(optimize(model.graph).graph()), "Conv BatchNormalization");
}

TEST(FoldBatchNorm, NotFoldedWhenSomethingLiesBetween) {
  NormalizedConv model;
  model.graph.outputs = {model.normalize(add(model.graph, Relu{}, {model.conv}))};
  EXPECT_EQ(operators(optimize(model.graph).graph()), "Conv BatchNormalization");
}

}  // namespace
}  // namespace onemodel::test

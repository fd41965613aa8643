#include <gtest/gtest.h>

#include <limits>

#include "ops/binary.h"
#include "ops/clip.h"
#include "ops/conv.h"
#include "ops/gemm.h"
#include "ops/matmul.h"
#include "ops/sample.h"
#include "ops/softmax.h"
#include "ops/unary.h"
#include "passes/pipeline.h"
#include "support/graphs.h"

namespace onemodel::test {
namespace {

const Extent kBatch = Extent::symbol("batch");
constexpr float kInfinity = std::numeric_limits<float>::infinity();

// Exact arithmetic, so that a fusion which changed a bit would show.
Graph optimized(Graph& graph, std::vector<ValueId> outputs) {
  graph.outputs = std::move(outputs);
  Graph after = optimize(graph, {.arithmetic = Arithmetic::exact}).graph();
  EXPECT_TRUE(same_results(graph, after));
  return after;
}

struct Product {
  Graph graph;
  ValueId x, product;
  explicit Product(DType dtype = DType::f32) {
    x = graph.add_input("x", {dtype, {kBatch, 5}});
    product = add(graph, MatMul{}, {x, graph.add_constant("w", sample_values({5, 4}, -2, 2, dtype))}, "product");
  }
  ValueId constant(const Dims& dims, DType dtype = DType::f32) {
    return graph.add_constant("c", sample_values(dims, -2, 2, dtype, 5));
  }
};

struct Convolution {
  Graph graph;
  ValueId x = graph.add_input("x", {DType::f32, {kBatch, 3, 6, 6}});
  ValueId sum = add(graph, Conv{}, {x, graph.add_constant("w", sample_values({4, 3, 3, 3}))}, "conv");
  ValueId constant(const Dims& dims) { return graph.add_constant("c", sample_values(dims)); }
};

TEST(FuseBiasIntoMatmul, OfEitherSideAndShape) {
  for (const Dims& dims : {Dims{4}, Dims{1, 4}}) {
    for (bool first : {true, false}) {
      Product model;
      const ValueId bias = model.constant(dims);
      const ValueId y = first ? add(model.graph, Add{}, {bias, model.product}, "y")
                              : add(model.graph, Add{}, {model.product, bias}, "y");
      const Graph after = optimized(model.graph, {y});
      EXPECT_EQ(operators(after), "FusedMatMul");
      EXPECT_EQ(after.nodes[0].name, "product");
    }
  }
}

TEST(FuseBiasIntoMatmul, NotFusedWhenTheProductIsReadTwice) {
  Product model;
  const ValueId sum = add(model.graph, Add{}, {model.product, model.constant({4})});
  EXPECT_EQ(operators(optimized(model.graph, {add(model.graph, Sub{}, {sum, model.product}, "y")})), "MatMul Add Sub");
}

TEST(FuseBiasIntoMatmul, NotFusedWhenTheProductIsAnOutput) {
  Product model;
  const ValueId sum = add(model.graph, Add{}, {model.product, model.constant({4})}, "y");
  EXPECT_EQ(operators(optimized(model.graph, {sum, model.product})), "MatMul Add");
}

TEST(FuseBiasIntoMatmul, NotFusedWhenTheBiasIsAnInput) {
  Product model;
  const ValueId bias = model.graph.add_input("bias", {DType::f32, {4}});
  EXPECT_EQ(operators(optimized(model.graph, {add(model.graph, Add{}, {model.product, bias}, "y")})), "MatMul Add");
}

TEST(FuseBiasIntoMatmul, NotFusedWhenTheConstantIsNotARow) {
  for (const Dims& dims : {Dims{}, Dims{1}, Dims{3, 4}, Dims{1, 1, 4}}) {
    Product model;
    const ValueId y = add(model.graph, Add{}, {model.product, model.constant(dims)}, "y");
    EXPECT_EQ(operators(optimized(model.graph, {y})), "MatMul Add") << concat(dims);
  }
}

TEST(FuseBiasIntoMatmul, NotFusedInHalfPrecision) {
  Product model(DType::f16);
  const ValueId y = add(model.graph, Add{}, {model.product, model.constant({4}, DType::f16)}, "y");
  EXPECT_EQ(operators(optimized(model.graph, {y})), "MatMul Add");
}

TEST(FuseBiasIntoConv, OfOneElementPerChannel) {
  for (const Dims& dims : {Dims{4, 1, 1}, Dims{1, 4, 1, 1}}) {
    Convolution model;
    const ValueId y = add(model.graph, Add{}, {model.constant(dims), model.sum}, "y");
    const Graph after = optimized(model.graph, {y});
    EXPECT_EQ(operators(after), "Conv");
    EXPECT_EQ(after.nodes[0].inputs.size(), 3u);
  }
}

TEST(FuseBiasIntoConv, NotFusedWhenItVariesAlongOtherAxes) {
  for (const Dims& dims : {Dims{4, 4, 4}, Dims{4}, Dims{1, 4, 1}, Dims{3, 4, 1, 1}}) {
    Convolution model;
    const ValueId y = add(model.graph, Add{}, {model.sum, model.constant(dims)}, "y");
    EXPECT_EQ(operators(optimized(model.graph, {y})), "Conv Add") << concat(dims);
  }
}

TEST(FuseBiasIntoConv, NotFusedWhenTheConvolutionHasABias) {
  Convolution model;
  Node& conv = model.graph.nodes[0];
  conv.inputs.push_back(model.constant({4}));
  const ValueId y = add(model.graph, Add{}, {model.sum, model.constant({4, 1, 1})}, "y");
  EXPECT_EQ(operators(optimized(model.graph, {y})), "Conv Add");
}

TEST(FuseActivation, ReluAndClipBecomeBounds) {
  Product relu;
  const Graph after_relu = optimized(relu.graph, {add(relu.graph, Relu{}, {relu.product}, "y")});
  EXPECT_EQ(operators(after_relu), "MatMul");
  EXPECT_EQ(after_relu.nodes[0].clamp, (Clamp{0, kInfinity}));
  Convolution clip;
  const ValueId low = clip.graph.add_constant("low", Tensor::scalar(-1.f));
  const ValueId high = clip.graph.add_constant("high", Tensor::scalar(6.f));
  const Graph after_clip = optimized(clip.graph, {add(clip.graph, Clip{}, {clip.sum, low, high}, "y")});
  EXPECT_EQ(operators(after_clip), "Conv");
  EXPECT_EQ(after_clip.nodes[0].clamp, (Clamp{-1, 6}));
}

TEST(FuseActivation, AfterABiasWasFused) {
  Product model;
  const ValueId sum = add(model.graph, Add{}, {model.product, model.constant({4})});
  const Graph after = optimized(model.graph, {add(model.graph, Relu{}, {sum}, "y")});
  EXPECT_EQ(operators(after), "FusedMatMul");
  EXPECT_TRUE(after.nodes[0].clamp);
}

TEST(FuseActivation, IntoGemmAndSums) {
  Graph graph;
  const ValueId x = graph.add_input("x", {DType::f32, {kBatch, 5}});
  const ValueId w = graph.add_constant("w", sample_values({4, 5})), b = graph.add_constant("b", sample_values({4}));
  const ValueId gemm = add(graph, Relu{}, {add(graph, Gemm{.transB = true}, {x, w, b})});
  const ValueId z = graph.add_input("z", {DType::f32, {kBatch, 4}});
  EXPECT_EQ(operators(optimized(graph, {add(graph, Relu{}, {add(graph, Add{}, {gemm, z})}, "y")})), "Gemm Add");
}

TEST(FuseActivation, NotFusedWhenTheResultIsReadTwice) {
  Product model;
  const ValueId relu = add(model.graph, Relu{}, {model.product});
  EXPECT_EQ(operators(optimized(model.graph, {add(model.graph, Sub{}, {relu, model.product}, "y")})),
            "MatMul Relu Sub");
}

TEST(FuseActivation, NotFusedWhenTheResultIsAnOutput) {
  Product model;
  const ValueId relu = add(model.graph, Relu{}, {model.product}, "y");
  EXPECT_EQ(operators(optimized(model.graph, {relu, model.product})), "MatMul Relu");
}

TEST(FuseActivation, NotFusedWhenABoundIsAnInput) {
  Product model;
  const ValueId low = model.graph.add_input("low", {DType::f32, Shape{}});
  EXPECT_EQ(operators(optimized(model.graph, {add(model.graph, Clip{}, {model.product, low}, "y")})), "MatMul Clip");
}

TEST(FuseActivation, NotFusedWhenTheBoundsCross) {
  Product model;
  const ValueId low = model.graph.add_constant("low", Tensor::scalar(1.f));
  const ValueId high = model.graph.add_constant("high", Tensor::scalar(-1.f));
  EXPECT_EQ(operators(optimized(model.graph, {add(model.graph, Clip{}, {model.product, low, high}, "y")})),
            "MatMul Clip");
}

TEST(FuseActivation, NotFusedTwice) {
  Product model;
  const ValueId high = model.graph.add_constant("high", Tensor::scalar(1.f));
  const ValueId relu = add(model.graph, Relu{}, {model.product});
  EXPECT_EQ(operators(optimized(model.graph, {add(model.graph, Clip{}, {relu, kNone, high}, "y")})), "MatMul Clip");
}

TEST(FuseActivation, NotFusedIntoOperatorsThatTakeNoBound) {
  Graph graph;
  const ValueId x = graph.add_input("x", {DType::f32, {kBatch, 5}});
  EXPECT_EQ(operators(optimized(graph, {add(graph, Relu{}, {add(graph, Softmax{}, {x})}, "y")})), "Softmax Relu");
}

}  // namespace
}  // namespace onemodel::test

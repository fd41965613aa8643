#include <gtest/gtest.h>

#include "ops/binary.h"
#include "ops/clip.h"
#include "ops/conv.h"
#include "ops/gemm.h"
#include "ops/matmul.h"
#include "ops/quantize_linear.h"
#include "ops/sample.h"
#include "ops/unary.h"
#include "passes/pipeline.h"
#include "support/graphs.h"

namespace onemodel::test {
namespace {

const Extent kBatch = Extent::symbol("batch");

// A model whose operands and result are quantised and dequantised.
struct Model {
  Graph graph;
  DType result = DType::u8;
  float y_scale = 0.1f;
  int y_zero = 100;

  ValueId constant(Tensor tensor) { return graph.add_constant("c", std::move(tensor)); }
  ValueId number(int value, DType dtype) { return constant(Tensor::full({}, value, dtype)); }
  ValueId step(float value) { return constant(Tensor::scalar(value)); }

  // A graph input that goes through uint8.
  ValueId input(Shape shape) {
    const ValueId x = graph.add_input("x", {DType::f32, std::move(shape)}), scale = step(0.02f);
    const ValueId zero = number(128, DType::u8), q = add(graph, QuantizeLinear{}, {x, scale, zero});
    return add(graph, DequantizeLinear{}, {q, scale, zero});
  }
  // int8 weights with one scale.
  ValueId weights(const Dims& dims, int64_t axis = 1) {
    const Tensor scales = axis < 0 ? Tensor() : sample_values({dims[static_cast<size_t>(axis)]}, 0.01, 0.02);
    const ValueId values = constant(sample_values(dims, -100, 100, DType::i8, 2));
    return add(graph, DequantizeLinear{.axis = axis}, {values, axis < 0 ? step(0.01f) : constant(scales)});
  }
  ValueId quantise(ValueId x) { return add(graph, QuantizeLinear{}, {x, step(y_scale), number(y_zero, result)}, "y"); }
  Graph optimized(std::vector<ValueId> outputs, Arithmetic arithmetic = Arithmetic::fast) {
    graph.outputs = std::move(outputs);
    Graph after = optimize(graph, {.arithmetic = arithmetic}).graph();
    // a result next to a half may be rounded to the other side
    EXPECT_TRUE(same_results(graph, after, arithmetic == Arithmetic::exact ? 0 : 1.0 / 100));
    return after;
  }
};

struct ConvModel : Model {
  ValueId x = input({kBatch, 3, 6, 6});
};
struct MatMulModel : Model {
  ValueId x = input({kBatch, 20});
};

TEST(FuseQdq, OfAConvolution) {
  for (int64_t axis : {-1, 0}) {
    ConvModel m;
    const ValueId y = m.quantise(
        add(m.graph, Conv{.pads = {1, 1, 1, 1}, .strides = {2, 2}}, {m.x, m.weights({8, 3, 3, 3}, axis)}, "conv"));
    const Graph after = m.optimized({y});
    EXPECT_EQ(operators(after), "QuantizeLinear QLinearConv") << axis;
    EXPECT_EQ(after.nodes[1].name, "conv");
  }
}

TEST(FuseQdq, OfAConvolutionWithABiasInFloatsOrIntegers) {
  for (bool integer : {false, true}) {
    ConvModel m;
    const ValueId w = m.weights({8, 3, 3, 3}, -1);
    const ValueId bias = integer ? add(m.graph, DequantizeLinear{},
                                       {m.constant(sample_values({8}, -9999, 9999, DType::i32)), m.step(0.0002f)})
                                 : m.constant(sample_values({8}));
    const Graph after = m.optimized({m.quantise(add(m.graph, Conv{}, {m.x, w, bias}))});
    EXPECT_EQ(operators(after), "QuantizeLinear QLinearConv");
    EXPECT_EQ(after.nodes[1].inputs.size(), 9u);
  }
}

TEST(FuseQdq, OfAMatrixProductAndItsBias) {
  MatMulModel plain;
  EXPECT_EQ(operators(plain.optimized({plain.quantise(add(plain.graph, MatMul{}, {plain.x, plain.weights({20, 5})}))})),
            "QuantizeLinear QLinearMatMul");
  for (bool first : {false, true}) {
    MatMulModel m;
    const ValueId product = add(m.graph, MatMul{}, {m.x, m.weights({20, 5})}), bias = m.constant(sample_values({5}));
    const ValueId sum = first ? add(m.graph, Add{}, {bias, product}) : add(m.graph, Add{}, {product, bias});
    EXPECT_EQ(operators(m.optimized({m.quantise(sum)})), "QuantizeLinear FusedQLinearMatMul");
  }
}

TEST(FuseQdq, OfGemm) {
  for (bool transposed : {false, true}) {
    MatMulModel m;
    const ValueId w = transposed ? m.weights({5, 20}, 0) : m.weights({20, 5});
    const ValueId y = add(m.graph, Gemm{.transB = transposed}, {m.x, w, m.constant(sample_values({5}))});
    EXPECT_EQ(operators(m.optimized({m.quantise(y)})), "QuantizeLinear FusedQLinearMatMul");
  }
}

TEST(FuseQdq, OfWeightsThatTheModelQuantises) {
  MatMulModel m;
  const ValueId scale = m.step(0.02f), zero = m.number(0, DType::i8);
  const ValueId w = add(m.graph, QuantizeLinear{}, {m.constant(sample_values({20, 5})), scale, zero});
  const ValueId back = add(m.graph, DequantizeLinear{}, {w, scale, zero});
  EXPECT_EQ(operators(m.optimized({m.quantise(add(m.graph, MatMul{}, {m.x, back}))})), "QuantizeLinear QLinearMatMul");
}

TEST(FuseQdq, TakesAnActivationThatSaturationDoesAsWell) {
  ConvModel relu;
  relu.y_zero = 0;
  const ValueId sum = add(relu.graph, Conv{}, {relu.x, relu.weights({8, 3, 3, 3}, 0)});
  EXPECT_EQ(operators(relu.optimized({relu.quantise(add(relu.graph, Relu{}, {sum}))})), "QuantizeLinear QLinearConv");

  ConvModel clip;
  clip.y_zero = 0;
  clip.y_scale = 6.f / 255;
  const ValueId conv = add(clip.graph, Conv{}, {clip.x, clip.weights({8, 3, 3, 3}, 0)});
  const ValueId six = add(clip.graph, Clip{}, {conv, clip.step(0), clip.step(6)});
  EXPECT_EQ(operators(clip.optimized({clip.quantise(six)})), "QuantizeLinear QLinearConv");
}

TEST(FuseQdq, NotFusedInExactArithmetic) {
  MatMulModel m;
  const ValueId y = m.quantise(add(m.graph, MatMul{}, {m.x, m.weights({20, 5})}));
  EXPECT_EQ(operators(m.optimized({y}, Arithmetic::exact)), "QuantizeLinear DequantizeLinear MatMul QuantizeLinear");
}

TEST(FuseQdq, NotFusedWhenAnActivationBoundsMore) {
  ConvModel m;  // its zero point is 100: there are numbers below 0
  const ValueId sum = add(m.graph, Conv{}, {m.x, m.weights({8, 3, 3, 3}, 0)});
  EXPECT_EQ(operators(m.optimized({m.quantise(add(m.graph, Relu{}, {sum}))})),
            "QuantizeLinear DequantizeLinear Conv QuantizeLinear");
}

TEST(FuseQdq, NotFusedWhenAResultBetweenIsReadElsewhere) {
  MatMulModel m;
  const ValueId product = add(m.graph, MatMul{}, {m.x, m.weights({20, 5})}, "product");
  EXPECT_EQ(operators(m.optimized({m.quantise(product), product})),
            "QuantizeLinear DequantizeLinear MatMul QuantizeLinear");
}

TEST(FuseQdq, NotFusedWhenAnOperandIsNotQuantised) {
  MatMulModel m;
  const ValueId y = m.quantise(add(m.graph, MatMul{}, {m.x, m.constant(sample_values({20, 5}))}));
  EXPECT_EQ(operators(m.optimized({y})), "QuantizeLinear DequantizeLinear MatMul QuantizeLinear");
}

TEST(FuseQdq, NotFusedWhenTheScalesLieAlongTheInnerAxis) {
  MatMulModel m;
  const ValueId y = m.quantise(add(m.graph, MatMul{}, {m.x, m.weights({20, 5}, 0)}));
  EXPECT_EQ(operators(m.optimized({y})), "QuantizeLinear DequantizeLinear MatMul QuantizeLinear");
}

TEST(FuseQdq, NotFusedWhenTheResultHasSixteenBits) {
  MatMulModel m;
  m.result = DType::i16;
  const ValueId y = m.quantise(add(m.graph, MatMul{}, {m.x, m.weights({20, 5})}));
  EXPECT_EQ(operators(m.optimized({y})), "QuantizeLinear DequantizeLinear MatMul QuantizeLinear");
}

TEST(FuseQdq, NotFusedWhenAScaleIsAnInput) {
  MatMulModel m;
  const ValueId scale = m.graph.add_input("scale", {DType::f32, Shape{}});
  const ValueId product = add(m.graph, MatMul{}, {m.x, m.weights({20, 5})});
  EXPECT_EQ(operators(m.optimized({add(m.graph, QuantizeLinear{}, {product, scale}, "y")})),
            "QuantizeLinear DequantizeLinear MatMul QuantizeLinear");
}

TEST(FuseQdq, NotFusedWhenTheBiasIsNotARow) {
  MatMulModel m;
  const ValueId product = add(m.graph, MatMul{}, {m.x, m.weights({20, 5})});
  const ValueId sum = add(m.graph, Add{}, {product, m.constant(sample_values({1, 1, 5}))});
  EXPECT_EQ(operators(m.optimized({m.quantise(sum)})), "QuantizeLinear DequantizeLinear MatMul Add QuantizeLinear");
}

TEST(FuseQdq, NotFusedWhenGemmScales) {
  MatMulModel m;
  const ValueId y = add(m.graph, Gemm{.alpha = 2}, {m.x, m.weights({20, 5})});
  EXPECT_EQ(operators(m.optimized({m.quantise(y)})), "QuantizeLinear DequantizeLinear Gemm QuantizeLinear");
}

}  // namespace
}  // namespace onemodel::test

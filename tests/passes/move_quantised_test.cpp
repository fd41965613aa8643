#include <gtest/gtest.h>

#include "ops/concat.h"
#include "ops/gather.h"
#include "ops/pool.h"
#include "ops/quantize_linear.h"
#include "ops/reshape.h"
#include "ops/sample.h"
#include "ops/slice.h"
#include "ops/softmax.h"
#include "ops/transpose.h"
#include "ops/unary.h"
#include "passes/pipeline.h"
#include "support/graphs.h"

namespace onemodel::test {
namespace {

const Extent kBatch = Extent::symbol("batch");

// How one value is quantised.
struct Steps {
  float scale = 0.02f;
  int zero = 100;
  DType dtype = DType::u8;
};

// Numbers that are quantised, given to a function and quantised again.
struct Model {
  Graph graph;
  ValueId constant(Tensor tensor) { return graph.add_constant("c", std::move(tensor)); }
  ValueId scale(const Steps& s) { return constant(Tensor::scalar(s.scale)); }
  ValueId zero(const Steps& s) { return constant(Tensor::full({}, s.zero, s.dtype)); }

  ValueId input(const Steps& s = {}) {
    const ValueId x = graph.add_input(concat("x", graph.inputs.size()), {DType::f32, {kBatch, 2, 4, 4}});
    const ValueId q = add(graph, QuantizeLinear{}, {x, scale(s), zero(s)});
    return add(graph, DequantizeLinear{}, {q, scale(s), zero(s)});
  }
  ValueId quantise(ValueId x, const Steps& s = {}) { return add(graph, QuantizeLinear{}, {x, scale(s), zero(s)}); }
  std::string optimized(std::vector<ValueId> outputs) {
    graph.outputs = std::move(outputs);
    const Graph after = optimize(graph, {.arithmetic = Arithmetic::exact}).graph();
    EXPECT_TRUE(same_results(graph, after)) << to_string(after);
    return operators(after);
  }
};

TEST(MoveQuantised, WhereElementsAreOnlyMoved) {
  for (const DType dtype : {DType::u8, DType::i8}) {
    const Steps steps{.zero = 3, .dtype = dtype};
    const auto around = [&](const Op& op, std::vector<Tensor> operands) {
      Model m;
      std::vector<ValueId> inputs = {m.input(steps)};
      for (Tensor& operand : operands) inputs.push_back(m.constant(std::move(operand)));
      return m.optimized({m.quantise(add(m.graph, op, std::move(inputs)), steps)});
    };
    EXPECT_EQ(around(Transpose{.perm = {0, 2, 3, 1}}, {}), "QuantizeLinear Transpose");
    EXPECT_EQ(around(Reshape{}, {sample_ints({0, -1})}), "QuantizeLinear Reshape");
    EXPECT_EQ(around(Flatten{}, {}), "QuantizeLinear Flatten");
    EXPECT_EQ(around(Slice{}, {sample_ints({1}), sample_ints({3}), sample_ints({2})}), "QuantizeLinear Slice");
    EXPECT_EQ(around(Gather{.axis = 1}, {sample_ints({1, 0, 1})}), "QuantizeLinear Gather");
  }
}

TEST(MoveQuantised, WhereTheLargestIsTaken) {
  Model pool;
  const MaxPool windows{.kernel_shape = {3, 3}, .pads = {1, 1, 1, 1}, .strides = {2, 2}};
  EXPECT_EQ(pool.optimized({pool.quantise(add(pool.graph, windows, {pool.input()}))}), "QuantizeLinear MaxPool");
  Model relu;
  EXPECT_EQ(relu.optimized({relu.quantise(add(relu.graph, Relu{}, {relu.input()}))}), "QuantizeLinear Clip");
}

TEST(MoveQuantised, OfAllOperandsOfConcat) {
  Model m;
  const ValueId a = m.input(), b = m.input();
  EXPECT_EQ(m.optimized({m.quantise(add(m.graph, Concat{.axis = 1}, {a, b, a}))}),
            "QuantizeLinear QuantizeLinear Concat");
}

TEST(MoveQuantised, ThroughSeveralFunctions) {
  Model m;
  ValueId x = m.quantise(add(m.graph, Transpose{.perm = {0, 2, 3, 1}}, {m.input()}));
  x = add(m.graph, DequantizeLinear{}, {x, m.scale({}), m.zero({})});
  EXPECT_EQ(m.optimized({m.quantise(add(m.graph, Flatten{}, {x}))}), "QuantizeLinear Transpose Flatten");
}

TEST(MoveQuantised, NotWithOtherStepsOfTheResult) {
  for (const Steps& other : {Steps{.scale = 0.03f}, Steps{.zero = 99}, Steps{.zero = 100, .dtype = DType::i8}}) {
    Model m;
    EXPECT_EQ(m.optimized({m.quantise(add(m.graph, Transpose{}, {m.input()}), other)}),
              "QuantizeLinear DequantizeLinear Transpose QuantizeLinear");
  }
}

TEST(MoveQuantised, NotWhenOneOperandOfConcatDiffers) {
  Model m;
  const ValueId a = m.input(), b = m.input({.scale = 0.04f});
  EXPECT_EQ(m.optimized({m.quantise(add(m.graph, Concat{.axis = 1}, {a, b}))}),
            "QuantizeLinear DequantizeLinear QuantizeLinear DequantizeLinear Concat QuantizeLinear");
}

TEST(MoveQuantised, NotAroundFunctionsThatComputeNewNumbers) {
  Model m;
  EXPECT_EQ(m.optimized({m.quantise(add(m.graph, Softmax{}, {m.input()}))}),
            "QuantizeLinear DequantizeLinear Softmax QuantizeLinear");
  Model average;
  EXPECT_EQ(
      average.optimized({average.quantise(add(average.graph, AveragePool{.kernel_shape = {2, 2}}, {average.input()}))}),
      "QuantizeLinear DequantizeLinear AveragePool QuantizeLinear");
}

TEST(MoveQuantised, NotWhenTheFloatsAreReadElsewhere) {
  Model m;
  const ValueId moved = add(m.graph, Transpose{}, {m.input()}, "moved");
  EXPECT_EQ(m.optimized({m.quantise(moved), moved}), "QuantizeLinear DequantizeLinear Transpose QuantizeLinear");
}

TEST(MoveQuantised, NotWithAScaleThatLosesIntegers) {
  Model huge;
  const Steps steps{.scale = 3e38f};  // two steps are infinite
  EXPECT_EQ(huge.optimized({huge.quantise(add(huge.graph, Transpose{}, {huge.input(steps)}), steps)}),
            "QuantizeLinear DequantizeLinear Transpose QuantizeLinear");
}

}  // namespace
}  // namespace onemodel::test

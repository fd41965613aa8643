// Attention written in separate operators becomes one, and gives what it gave before.

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "ops/binary.h"
#include "ops/cast.h"
#include "ops/conditions.h"
#include "ops/expand.h"
#include "ops/fused_attention.h"
#include "ops/matmul.h"
#include "ops/range.h"
#include "ops/reshape.h"
#include "ops/sample.h"
#include "ops/shape.h"
#include "ops/slice.h"
#include "ops/softmax.h"
#include "ops/transpose.h"
#include "ops/unary.h"
#include "runtime/session.h"
#include "support/graphs.h"

namespace onemodel::test {
namespace {

const Extent kBatch = Extent::symbol("batch"), kRows = Extent::symbol("rows"), kKeys = Extent::symbol("keys");
constexpr double kTolerance = 1e-5;
constexpr float kInfinity = std::numeric_limits<float>::infinity();

// Values of a graph with queries q [batch, 2, rows, 4], keys k [batch, 2, keys, 4] and values v [batch, 2, keys, 6].
struct Model {
  Graph graph;
  ValueId q = graph.add_input("q", {DType::f32, {kBatch, 2, kRows, 4}});
  ValueId k = graph.add_input("k", {DType::f32, {kBatch, 2, kKeys, 4}});
  ValueId v = graph.add_input("v", {DType::f32, {kBatch, 2, kKeys, 6}});

  ValueId number(float value) { return graph.add_constant("c", Tensor::scalar(value)); }
  ValueId node(Op op, std::vector<ValueId> inputs) { return add(graph, std::move(op), std::move(inputs)); }
  ValueId transposed(ValueId x) { return node(Transpose{.perm = {0, 1, 3, 2}}, {x}); }
  ValueId product() { return node(MatMul{}, {q, transposed(k)}); }
  ValueId scaled() { return node(Mul{}, {product(), number(0.5f)}); }
  ValueId weighted(ValueId scores) { return node(MatMul{}, {node(Softmax{}, {scores}), v}); }
  ValueId mask(Shape shape, DType dtype = DType::f32) { return graph.add_input("mask", {dtype, std::move(shape)}); }
};

// Runs at several sizes: nodes as they were, the operators after the passes, and the session, with fast kernels.
Graph expect_same(Graph& graph, std::vector<ValueId> outputs) {
  graph.outputs = std::move(outputs);
  const Graph after = optimize(graph).graph();
  Session session(graph);
  for (const Sizes& sizes :
       {Sizes{{"batch", 1}, {"rows", 1}, {"keys", 1}}, Sizes{{"batch", 2}, {"rows", 5}, {"keys", 7}},
        Sizes{{"batch", 3}, {"rows", 37}, {"keys", 150}}}) {
    EXPECT_TRUE(same_results(graph, after, kTolerance, sizes));
    const std::vector<Tensor> inputs = random_inputs(graph, sizes);
    EXPECT_TRUE(same_tensors(session.run(inputs), evaluate_graph(graph, inputs), kTolerance));
  }
  return after;
}

const FusedAttention& attention(const Graph& graph) {
  for (const Node& node : graph.nodes)
    if (const auto* op = node.op.as<FusedAttention>()) return *op;
  static const FusedAttention none{.scale = 0};
  ADD_FAILURE() << "nothing was fused: " << operators(graph);
  return none;
}

std::string fused(Model& model, ValueId y) { return operators(expect_same(model.graph, {y})); }

TEST(FuseAttention, WithoutScale) {
  Model model;
  EXPECT_EQ(fused(model, model.weighted(model.product())), "FusedAttention");
}

TEST(FuseAttention, ScaledByMulOrDivOnEitherSide) {
  for (int form = 0; form < 3; ++form) {
    Model model;
    const ValueId product = model.product();
    const ValueId scaled = form == 0   ? model.node(Mul{}, {product, model.number(0.25f)})
                           : form == 1 ? model.node(Mul{}, {model.number(0.25f), product})
                                       : model.node(Div{}, {product, model.number(4)});
    const Graph after = expect_same(model.graph, {model.weighted(scaled)});
    EXPECT_EQ(operators(after), "FusedAttention");
    EXPECT_EQ(attention(after).scale, 0.25f);
  }
}

TEST(FuseAttention, QueriesAndKeysScaledApart) {
  for (bool before : {true, false}) {
    Model model;
    const ValueId root = model.graph.add_constant("root", Tensor::from({0.5f}, {1}));
    const ValueId q = model.node(Mul{}, {model.q, root});
    const ValueId k = before ? model.transposed(model.node(Mul{}, {model.k, root}))
                             : model.node(Mul{}, {model.transposed(model.k), root});
    const Graph after = expect_same(model.graph, {model.weighted(model.node(MatMul{}, {q, k}))});
    EXPECT_EQ(operators(after), "FusedAttention");
    EXPECT_EQ(attention(after).scale, 0.25f);
  }
}

TEST(FuseAttention, ScaledByTheWidthThatTheExporterReadsFromTheShape) {
  Model model;
  const ValueId width = model.node(Slice{}, {model.node(ShapeOf{}, {model.q}), ints(model.graph, {-1}),
                                             ints(model.graph, {std::numeric_limits<int64_t>::max()})});
  const ValueId scale =
      model.node(Div{}, {model.number(1), model.node(Sqrt{}, {model.node(Cast{.to = DType::f32}, {width})})});
  const ValueId root = model.node(Sqrt{}, {scale});
  const ValueId product =
      model.node(MatMul{}, {model.node(Mul{}, {model.q, root}), model.node(Mul{}, {model.transposed(model.k), root})});
  const Graph after = expect_same(model.graph, {model.weighted(product)});
  EXPECT_EQ(operators(after), "FusedAttention");
  EXPECT_NEAR(attention(after).scale, 0.5, 1e-6);
}

TEST(FuseAttention, MasksOfEveryShapeOnEitherSide) {
  const Shape shapes[] = {
      {}, {kKeys}, {kRows, 1}, {kRows, kKeys}, {2, 1, 1}, {kBatch, 1, 1, kKeys}, {kBatch, 2, kRows, kKeys}};
  for (const Shape& shape : shapes)
    for (bool first : {true, false}) {
      SCOPED_TRACE(concat(shape));
      Model model;
      const ValueId scores = model.scaled(), mask = model.mask(shape);
      const ValueId masked = first ? model.node(Add{}, {mask, scores}) : model.node(Add{}, {scores, mask});
      EXPECT_EQ(fused(model, model.weighted(masked)), "FusedAttention");
    }
}

TEST(FuseAttention, AConstantMaskWithoutScaleIsNoBias) {
  Graph graph;
  const ValueId q = graph.add_input("q", {DType::f32, {kRows, 4}});
  const ValueId k = graph.add_constant("k", sample_values({4, 7})), v = graph.add_constant("v", sample_values({7, 3}));
  const ValueId masked = add(graph, Add{}, {add(graph, MatMul{}, {q, k}), graph.add_constant("m", sample_values({7}))});
  EXPECT_EQ(operators(expect_same(graph, {add(graph, MatMul{}, {add(graph, Softmax{}, {masked}), v})})),
            "FusedAttention");
}

TEST(FuseAttention, BoolMasksWithAnyFill) {
  for (float fill : {-kInfinity, -1e9f, 0.5f})
    for (const Shape& shape : {Shape{kKeys}, Shape{kRows, 1}, Shape{kBatch, 1, kRows, kKeys}}) {
      Model model;
      const ValueId mask = model.mask(shape, DType::boolean);
      const ValueId masked = model.node(Where{}, {mask, model.scaled(), model.number(fill)});
      const Graph after = expect_same(model.graph, {model.weighted(masked)});
      EXPECT_EQ(operators(after), "FusedAttention");
      EXPECT_EQ(attention(after).fill, fill);
    }
}

TEST(FuseAttention, BoolMasksOfWhatIsLeftOut) {
  Model model;
  const ValueId mask = model.mask({kRows, kKeys}, DType::boolean);
  const ValueId masked = model.node(Where{}, {mask, model.number(-1e9f), model.scaled()});
  EXPECT_EQ(fused(model, model.weighted(masked)), "Not FusedAttention");
}

TEST(FuseAttention, TranspositionsOfHeadsGoIntoIt) {
  Graph graph;
  const ValueId q = graph.add_input("q", {DType::f32, {kBatch, kRows, 12}});
  const ValueId k = graph.add_input("k", {DType::f32, {kBatch, kKeys, 12}});
  const auto heads = [&](ValueId x) {
    return add(graph, Transpose{.perm = {0, 2, 1, 3}}, {add(graph, Reshape{}, {x, ints(graph, {0, 0, 3, 4})})});
  };
  const ValueId columns = add(graph, Transpose{.perm = {0, 1, 3, 2}}, {heads(k)});
  const ValueId weights = add(graph, Softmax{.axis = 3}, {add(graph, MatMul{}, {heads(q), columns})});
  const ValueId y = add(graph, Transpose{.perm = {0, 2, 1, 3}}, {add(graph, MatMul{}, {weights, heads(k)})});
  const Graph after = expect_same(graph, {add(graph, Reshape{}, {y, ints(graph, {0, 0, 12})})});
  EXPECT_EQ(operators(after), "Reshape Reshape FusedAttention Reshape");
  const std::vector<int64_t> perm{0, 2, 1, 3};
  for (const auto& each :
       {attention(after).q_perm, attention(after).k_perm, attention(after).v_perm, attention(after).y_perm})
    EXPECT_EQ(each, perm);
}

TEST(FuseAttention, TranspositionsThatScatterRowsStay) {
  Graph graph;
  const ValueId q = graph.add_input("q", {DType::f32, {kBatch, 4, kRows}});
  const ValueId k = graph.add_input("k", {DType::f32, {4, kBatch, kKeys}});
  const ValueId v = graph.add_input("v", {DType::f32, {kBatch, 6, kKeys}});
  const auto swapped = [&](ValueId x) { return add(graph, Transpose{.perm = {0, 2, 1}}, {x}); };
  const ValueId scores = add(graph, MatMul{}, {swapped(q), add(graph, Transpose{.perm = {1, 0, 2}}, {k})});
  const ValueId y = add(graph, MatMul{}, {add(graph, Softmax{}, {scores}), swapped(v)});
  EXPECT_EQ(operators(expect_same(graph, {swapped(y)})), "Transpose Transpose FusedAttention Transpose");
}

TEST(FuseAttention, KeysThatAreTransposedAlready) {
  Model model;
  const ValueId k = model.graph.add_input("kt", {DType::f32, {kBatch, 2, 4, kKeys}});
  EXPECT_EQ(fused(model, model.weighted(model.node(MatMul{}, {model.q, k}))), "FusedAttention");
}

TEST(FuseAttention, OfThreeAxesAndOfTwo) {
  for (const Shape& lead : {Shape{kBatch}, Shape{}}) {
    Graph graph;
    const auto input = [&](const char* name, const Extent& rows, int64_t columns) {
      Shape shape = lead;
      shape.push_back(rows), shape.push_back(columns);
      return graph.add_input(name, {DType::f32, shape});
    };
    const ValueId q = input("q", kRows, 5), k = input("k", kKeys, 5), v = input("v", kKeys, 3);
    const std::vector<int64_t> perm = lead.empty() ? std::vector<int64_t>{1, 0} : std::vector<int64_t>{0, 2, 1};
    const ValueId scores = add(graph, MatMul{}, {q, add(graph, Transpose{.perm = perm}, {k})});
    EXPECT_EQ(operators(expect_same(graph, {add(graph, MatMul{}, {add(graph, Softmax{}, {scores}), v})})),
              "FusedAttention");
  }
}

// [batch, 2, keys, e] with each head three times.
ValueId repeated(Model& model, ValueId x, int64_t width, int64_t times = 3) {
  const ValueId one = model.node(Unsqueeze{}, {x, ints(model.graph, {2})});
  const ValueId wide = model.node(Expand{}, {one, ints(model.graph, {1, 1, times, 1, 1})});
  return model.node(Reshape{}, {wide, ints(model.graph, {0, 2 * times, -1, width})});
}

TEST(FuseAttention, SharedHeadsAreNotCopied) {
  Model model;
  const ValueId q = model.graph.add_input("many", {DType::f32, {kBatch, 6, kRows, 4}});
  const ValueId k = repeated(model, model.k, 4), v = repeated(model, model.v, 6);
  const ValueId weights = model.node(Softmax{}, {model.node(MatMul{}, {q, model.transposed(k)})});
  const Graph after = expect_same(model.graph, {model.node(MatMul{}, {weights, v})});
  EXPECT_EQ(operators(after), "FusedAttention");
  EXPECT_EQ(attention(after).groups, 3);
}

TEST(FuseAttention, HeadsSharedByKeysAloneAreCopied) {
  Model model;
  const ValueId q = model.graph.add_input("many", {DType::f32, {kBatch, 6, kRows, 4}});
  const ValueId v = model.graph.add_input("values", {DType::f32, {kBatch, 6, kKeys, 6}});
  const ValueId k = repeated(model, model.k, 4);
  const ValueId weights = model.node(Softmax{}, {model.node(MatMul{}, {q, model.transposed(k)})});
  const Graph after = expect_same(model.graph, {model.node(MatMul{}, {weights, v})});
  EXPECT_EQ(attention(after).groups, 1);
}

TEST(FuseAttention, NotInExactArithmetic) {
  Model model;
  model.graph.outputs = {model.weighted(model.scaled())};
  const Graph after = optimize(model.graph, {.arithmetic = Arithmetic::exact}).graph();
  EXPECT_EQ(operators(after), "Transpose MatMul Mul Softmax MatMul");
  EXPECT_TRUE(same_results(model.graph, after));
}

TEST(FuseAttention, NotFusedWhenTheScoresAreReadElsewhere) {
  Model model;
  const ValueId scores = model.scaled();
  const ValueId y = model.weighted(scores), other = model.node(Abs{}, {scores});
  EXPECT_EQ(operators(expect_same(model.graph, {y, other})), "Transpose MatMul Mul Softmax MatMul Abs");
}

TEST(FuseAttention, NotFusedWhenAValueInBetweenIsAnOutput) {
  for (int which = 0; which < 3; ++which) {
    Model model;
    const ValueId product = model.product(), scaled = model.node(Mul{}, {product, model.number(0.5f)});
    const ValueId weights = model.node(Softmax{}, {scaled}), y = model.node(MatMul{}, {weights, model.v});
    const ValueId seen[] = {product, scaled, weights};
    EXPECT_EQ(operators(expect_same(model.graph, {y, seen[which]})), "Transpose MatMul Mul Softmax MatMul");
  }
}

TEST(FuseAttention, NotFusedWhenTheSoftmaxIsOverAnotherAxis) {
  for (int64_t axis : {0, 1, 2, -2}) {
    Model model;
    const ValueId weights = model.node(Softmax{.axis = axis}, {model.scaled()});
    EXPECT_EQ(fused(model, model.node(MatMul{}, {weights, model.v})), "Transpose MatMul Mul Softmax MatMul");
  }
}

TEST(FuseAttention, NotFusedWhenTheMaskHasMoreAxes) {
  Model model;
  const ValueId masked = model.node(Add{}, {model.scaled(), model.mask({3, 1, 1, 1, kKeys})});
  EXPECT_EQ(fused(model, model.weighted(masked)), "Transpose MatMul Mul Add Softmax MatMul");
}

TEST(FuseAttention, NotFusedWhenTheMaskMakesTheScoresLarger) {
  Graph graph;
  const ValueId q = graph.add_input("q", {DType::f32, {1, 1, 4}}),
                k = graph.add_input("k", {DType::f32, {1, 4, kKeys}});
  const ValueId v = graph.add_input("v", {DType::f32, {kKeys, 3}}),
                mask = graph.add_input("mask", {DType::f32, {kRows, 1}});
  const ValueId masked = add(graph, Add{}, {add(graph, MatMul{}, {q, k}), mask});
  EXPECT_EQ(operators(expect_same(graph, {add(graph, MatMul{}, {add(graph, Softmax{}, {masked}), v})})),
            "MatMul Add Softmax MatMul");
}

TEST(FuseAttention, NotFusedWhenTheMaskMayBeOfAnotherSize) {
  Model model;
  model.graph.outputs = {model.weighted(model.node(Add{}, {model.scaled(), model.mask({Extent::symbol("others")})}))};
  EXPECT_EQ(operators(optimize(model.graph).graph()), "Transpose MatMul Mul Add Softmax MatMul");
}

TEST(FuseAttention, NotFusedWhenTheValuesHaveMoreMatrices) {
  Model model;
  const ValueId v = model.graph.add_input("many", {DType::f32, {3, 1, 1, kKeys, 6}});
  const ValueId y = model.node(MatMul{}, {model.node(Softmax{}, {model.scaled()}), v});
  EXPECT_EQ(fused(model, y), "Transpose MatMul Mul Softmax MatMul");
}

TEST(FuseAttention, NotFusedWhenTheFactorOrFillIsNotOneConstant) {
  Model per_head, input, fill;
  const ValueId factors = per_head.graph.add_constant("c", sample_values({2, 1, 1}));
  EXPECT_EQ(fused(per_head, per_head.weighted(per_head.node(Mul{}, {per_head.product(), factors}))),
            "Transpose MatMul Mul Softmax MatMul");
  const ValueId factor = input.graph.add_input("factor", {DType::f32, Shape{}});
  EXPECT_EQ(fused(input, input.weighted(input.node(Mul{}, {input.product(), factor}))),
            "Transpose MatMul Mul Softmax MatMul");
  const ValueId mask = fill.mask({kKeys}, DType::boolean), low = fill.graph.add_input("low", {DType::f32, {kKeys}});
  EXPECT_EQ(fused(fill, fill.weighted(fill.node(Where{}, {mask, fill.scaled(), low}))),
            "Transpose MatMul Mul Where Softmax MatMul");
}

TEST(FuseAttention, NotFusedWhenTheFactorDividedByTheScores) {
  Model model;
  EXPECT_EQ(fused(model, model.weighted(model.node(Div{}, {model.number(2), model.product()}))),
            "Transpose MatMul Div Softmax MatMul");
}

TEST(FuseAttention, NotFusedForOtherDtypes) {
  Graph graph;
  const ValueId q = graph.add_input("q", {DType::f64, {kRows, 4}}), k = graph.add_input("k", {DType::f64, {4, kKeys}});
  const ValueId v = graph.add_input("v", {DType::f64, {kKeys, 3}});
  const ValueId weights = add(graph, Softmax{}, {add(graph, MatMul{}, {q, k})});
  EXPECT_EQ(operators(expect_same(graph, {add(graph, MatMul{}, {weights, v})})), "MatMul Softmax MatMul");
}

TEST(FuseAttention, RowsWithoutAnyKeyAndNaNStayAsTheyWere) {
  Model model;
  const ValueId mask = model.mask({kRows, kKeys});
  model.graph.outputs = {model.weighted(model.node(Add{}, {model.scaled(), mask}))};
  Session session(model.graph);
  for (int64_t rows : {3, 20}) {
    std::vector<Tensor> inputs = random_inputs(model.graph, {{"batch", 2}, {"rows", rows}, {"keys", 300}});
    inputs[3].slice(0, 0, 1).fill(-static_cast<double>(kInfinity));
    inputs[3].slice(0, 1, 2).slice(1, 0, 299).fill(-static_cast<double>(kInfinity));
    inputs[0].slice(2, 2, 3).slice(1, 0, 1).fill(std::numeric_limits<double>::quiet_NaN());
    inputs[1].slice(2, 7, 8).slice(0, 1, 2).slice(1, 1, 2).fill(static_cast<double>(kInfinity));
    inputs[2].slice(2, 9, 10).slice(0, 1, 2).slice(1, 0, 1).fill(static_cast<double>(kInfinity));
    EXPECT_TRUE(same_tensors(session.run(inputs), evaluate_graph(model.graph, inputs), kTolerance)) << rows;
  }
}

TEST(FuseAttention, PlansNameTheKernel) {
  Model model;
  model.graph.outputs = {model.weighted(model.scaled())};
  Session session(model.graph);
  const std::string plan = to_string(*session.prepare(random_inputs(model.graph)));
  EXPECT_NE(plan.find("FusedAttention(scale=0.5) [simd.attention]"), std::string::npos) << plan;
}

TEST(FuseAttention, TheScoresAreNotKept) {
  Model model;
  model.graph.outputs = {model.weighted(model.scaled())};
  Session session(model.graph);
  const std::vector<Tensor> inputs = random_inputs(model.graph, {{"batch", 4}, {"rows", 1000}, {"keys", 1000}});
  const size_t scores = size_t{4} * 2 * 1000 * 1000 * sizeof(float);
  EXPECT_LT(session.prepare(inputs)->arena_bytes(), scores / 10);
}

}  // namespace
}  // namespace onemodel::test

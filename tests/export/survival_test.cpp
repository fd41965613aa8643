// A contract stays with its program: through every pass, and through both file formats.

#include <gtest/gtest.h>

#include <set>

#include "format/read_onemodel.h"
#include "format/write_onemodel.h"
#include "onnx/read_onnx.h"
#include "onnx/write_onnx.h"
#include "ops/batch_normalization.h"
#include "ops/binary.h"
#include "ops/conv.h"
#include "ops/matmul.h"
#include "ops/quantize_linear.h"
#include "ops/reshape.h"
#include "ops/sample.h"
#include "ops/softmax.h"
#include "ops/transpose.h"
#include "ops/unary.h"
#include "passes/pipeline.h"
#include "passes/rewriter.h"
#include "runtime/session.h"
#include "support/error_text.h"
#include "support/graphs.h"

namespace onemodel::test {
namespace {

const Extent n = Extent::symbol("n");

ValueId weights(Graph& graph, const Dims& dims) { return graph.add_constant("w", sample_values(dims, -0.5, 0.5)); }
ValueId number(Graph& graph, float value) { return graph.add_constant("c", Tensor::scalar(value)); }

// n in [2, 8], and an input of 2*n + 1 rows: for whatever takes an input "x" of n rows.
Graph constrained(Graph graph, std::vector<ValueId> outputs) {
  const ValueId y = graph.add_input("y", {DType::f32, {Extent(2) * n + 1, 3}});
  outputs.push_back(add(graph, Neg{}, {y}));
  graph.outputs = std::move(outputs);
  graph.contract = std::make_shared<const SizeContract>(
      SizeContract{.ranges = {{"n", 2, 8}}, .relations = {{"2*n + 1", "n", 2, 1}}});
  return graph;
}

Graph image_program() {
  Graph graph;
  const ValueId x = graph.add_input("x", {DType::f32, {n, 4, 6, 6}});
  ValueId now = add(graph, Conv{}, {x, weights(graph, {4, 4, 3, 3})});
  now = add(graph, BatchNormalization{},
            {now, weights(graph, {4}), weights(graph, {4}), weights(graph, {4}),
             graph.add_constant("variance", sample_values({4}, 0.5, 1))});
  now = add(graph, Relu{}, {now});
  now = add(graph, Add{}, {add(graph, Conv{}, {now, weights(graph, {4, 4, 3, 3})}), weights(graph, {4, 1, 1})});
  now = add(graph, Mul{}, {add(graph, Add{}, {now, number(graph, 0)}), number(graph, 1)});
  now = add(graph, Transpose{.perm = {0, 2, 1, 3}}, {add(graph, Transpose{.perm = {0, 2, 1, 3}}, {now})});
  now = add(graph, Reshape{}, {now, ints(graph, {0, 4, 4})});
  now = add(graph, Reshape{}, {now, ints(graph, {0, 16})});
  now = add(graph, Identity{}, {now});
  now = add(graph, Add{}, {add(graph, MatMul{}, {now, weights(graph, {16, 5})}), weights(graph, {5})});
  now = add(graph, Mul{}, {add(graph, Exp{}, {now}), add(graph, Exp{}, {now})});
  now = add(graph, Mul{}, {now, add(graph, Neg{}, {number(graph, 3)})});
  add(graph, Tanh{}, {now});
  return constrained(std::move(graph), {now});
}

Graph attention_program() {
  Graph graph;
  const auto heads = [&](const char* name) {
    const ValueId x = graph.add_input(name, {DType::f32, {n, 5, 2, 4}});
    return add(graph, Transpose{.perm = {0, 2, 1, 3}}, {x});
  };
  const ValueId q = heads("x"), k = heads("k"), v = heads("v");
  const ValueId scores = add(graph, MatMul{}, {q, add(graph, Transpose{.perm = {0, 1, 3, 2}}, {k})});
  const ValueId rows = add(graph, Softmax{}, {add(graph, Mul{}, {scores, number(graph, 0.5f)})});
  const ValueId out = add(graph, MatMul{}, {rows, v});
  const ValueId y = add(graph, Transpose{.perm = {0, 2, 1, 3}}, {out});
  return constrained(std::move(graph), {y});
}

Graph quantised_program() {
  Graph graph;
  const ValueId x = graph.add_input("x", {DType::f32, {n, 20}}), scale = number(graph, 0.02f);
  const ValueId zero = graph.add_constant("z", Tensor::full({}, 128, DType::u8));
  const ValueId a = add(graph, DequantizeLinear{}, {add(graph, QuantizeLinear{}, {x, scale, zero}), scale, zero});
  const ValueId b = add(graph, DequantizeLinear{.axis = 1},
                        {graph.add_constant("i", sample_values({20, 6}, -100, 100, DType::i8, 2)),
                         graph.add_constant("s", sample_values({6}, 0.01, 0.02))});
  const ValueId product = add(graph, QuantizeLinear{}, {add(graph, MatMul{}, {a, b}), scale, zero});
  const ValueId turned =
      add(graph, Transpose{.perm = {1, 0}}, {add(graph, DequantizeLinear{}, {product, scale, zero})});
  const ValueId y = add(graph, QuantizeLinear{}, {turned, scale, zero});
  return constrained(std::move(graph), {y});
}

// Inputs whose sizes are those of n, but for y, which has `rows`.
std::vector<Tensor> inputs_of(const Graph& graph, int64_t size, int64_t rows) {
  std::vector<Tensor> out;
  for (const ValueId id : graph.inputs) {
    Shape shape = graph.value(id).type.shape;
    shape[0] = graph.value(id).name == "y" ? rows : size;
    out.push_back(sample_values(shape.dims()));
  }
  return out;
}

void expect_enforced(const Graph& graph, bool optimize = false) {
  ASSERT_TRUE(graph.contract);
  Session session(graph, {.optimize = optimize});
  EXPECT_EQ(session.run(inputs_of(graph, 3, 7)).size(), graph.outputs.size());
  EXPECT_ERROR(session.run(inputs_of(graph, 9, 19)), ConstraintsError, "size 'n' must be in [2, 8], got 9");
  EXPECT_ERROR(session.run(inputs_of(graph, 3, 6)), ConstraintsError, "2 * n + 1 = 7", "got 6");
  EXPECT_ERROR(session.run(inputs_of(graph, 1, 4)), ConstraintsError, "[2, 8], got 1", "2 * n + 1 = 3");
}

Graph swept(Graph graph, const Pass& pass, std::set<std::string_view>& fired) {
  Rewriter rewriter(std::move(graph));
  for (size_t i = 0; i < rewriter.node_count(); ++i) {
    const auto id = static_cast<NodeId>(pass.order == Pass::forward ? i : rewriter.node_count() - 1 - i);
    if (rewriter.is_removed(id)) continue;
    const auto patch = pass.rewrite(rewriter.context(), id);
    if (!patch) continue;
    rewriter.apply(id, *patch);
    fired.insert(pass.name);
  }
  return std::move(rewriter).finish();
}

TEST(Survival, NoPassDropsAContract) {
  std::set<std::string_view> all, fired;
  for (const Graph& program : {image_program(), attention_program(), quantised_program()}) {
    // On its own, and after all those before it, since some passes find work only then.
    Graph after_others = program;
    for (const auto& passes : {simplify_passes(), optimise_passes()})
      for (const Pass& pass : passes) {
        SCOPED_TRACE(pass.name);
        all.insert(pass.name);
        const Graph alone = swept(program, pass, fired);
        after_others = swept(std::move(after_others), pass, fired);
        EXPECT_EQ(*alone.contract, *program.contract);
        EXPECT_EQ(*after_others.contract, *program.contract);
        expect_enforced(alone);
        expect_enforced(after_others);
      }
    expect_enforced(program, true);
  }
  EXPECT_EQ(fired, all);
}

TEST(Survival, OnemodelFilesHaveTheContract) {
  for (const Graph& program : {image_program(), attention_program(), quantised_program()}) {
    const Graph read = read_onemodel(write_onemodel(program));
    ASSERT_TRUE(read.contract);
    EXPECT_EQ(*read.contract, *program.contract);
    EXPECT_EQ(to_string(read), to_string(program));
    expect_enforced(read);
  }
}

TEST(Survival, OnnxFilesHaveTheContract) {
  for (const Graph& program : {image_program(), attention_program(), quantised_program()}) {
    const Graph read = read_onnx(write_onnx(program));
    ASSERT_TRUE(read.contract);
    EXPECT_EQ(*read.contract, *program.contract);
    EXPECT_EQ(read.metadata.size(), 1u);  // the opset
    expect_enforced(read);
  }
}

TEST(Survival, AnEmptyContractIsOne) {
  Graph graph;
  graph.outputs = {add(graph, Neg{}, {graph.add_input("x", {DType::f32, {n, 3}})})};
  EXPECT_FALSE(read_onemodel(write_onemodel(graph)).contract);
  EXPECT_FALSE(read_onnx(write_onnx(graph)).contract);
  graph.contract = std::make_shared<const SizeContract>();
  for (const Graph& read : {read_onemodel(write_onemodel(graph)), read_onnx(write_onnx(graph))}) {
    ASSERT_TRUE(read.contract);
    EXPECT_ERROR(Session(read).run(std::vector{Tensor::zeros({2, 4})}), ConstraintsError, "must be 3, got 4");
  }
}

TEST(Survival, TextsOfMetadataAreReadable) {
  const SizeContract contract{.ranges = {{"batch", 2, 64}, {"2*m - 1", 0, {}}},
                              .relations = {{"2*m - 1", "m", 2, -1}, {"k", "m", 1, 0}, {"m + 4", "m", 1, 4}}};
  EXPECT_EQ(ranges_text(contract), "2 <= batch <= 64\n0 <= 2*m - 1");
  EXPECT_EQ(relations_text(contract), "2*m - 1 = 2*m - 1\nk = m\nm + 4 = m + 4");
  EXPECT_EQ(contract_from_text(ranges_text(contract), relations_text(contract)), contract);
}

TEST(Survival, MetadataThatStatesNoContractIsMalformed) {
  for (const char* text : {"batch", "2 <= batch <= x", "batch <= 64", "2 < batch", "1 <= 2 <= 3 <= 4", "\n", "2 <= "})
    EXPECT_THROW(contract_from_text(text, ""), ModelError) << text;
  for (const char* text : {"n", "n = 2m+", "n = x*m", "n = m + x", "n = m = k", "\n", "n = m 1", "n = 2*m  1"})
    EXPECT_THROW(contract_from_text("", text), ModelError) << text;
  Graph graph;
  graph.outputs = {add(graph, Neg{}, {graph.add_input("x", {DType::f32, {n, 3}})})};
  graph.metadata["onemodel.size_ranges"] = "2 <= k";
  EXPECT_ERROR(read_onnx(write_onnx(graph)), ModelError, "the size 'k' is that of no input");
  graph.metadata["onemodel.size_ranges"] = "k";
  EXPECT_ERROR(read_onnx(write_onnx(graph)), ModelError, "'k' is no range of a size");
}

}  // namespace
}  // namespace onemodel::test

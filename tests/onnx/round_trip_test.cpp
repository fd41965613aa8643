// graph -> .onnx -> graph -> .onnx: the same bytes, and everything a graph knows.

#include <gtest/gtest.h>
#include <onnx.pb.h>

#include <algorithm>
#include <limits>

#include "graph/control_flow.h"
#include "onnx/read_onnx.h"
#include "onnx/write_onnx.h"
#include "ops/arg_reduce.h"
#include "ops/binary.h"
#include "ops/cast.h"
#include "ops/conv.h"
#include "ops/dynamic_quantize_linear.h"
#include "ops/fused_attention.h"
#include "ops/fused_matmul.h"
#include "ops/matmul.h"
#include "ops/matmul_integer.h"
#include "ops/pool.h"
#include "ops/quantize_linear.h"
#include "ops/reshape.h"
#include "ops/shape.h"
#include "ops/slice.h"
#include "ops/softmax.h"
#include "ops/split.h"
#include "ops/string_operators.h"
#include "ops/unary.h"
#include "support/compare.h"
#include "support/error_text.h"
#include "support/graphs.h"
#include "support/sample_graph.h"

namespace onemodel::test {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();

Graph round_trip(const Graph& graph) {
  const auto bytes = write_onnx(graph);
  Graph read = read_onnx(bytes);
  EXPECT_TRUE(write_onnx(read) == bytes) << to_string(graph) << to_string(read);
  return read;
}

Graph one_node(Op op, std::optional<Clamp> clamp = {}, DType dtype = DType::f32) {
  Graph graph;
  const ValueId x = graph.add_input("x", {dtype, {Extent::symbol("n"), 3}});
  graph.outputs = graph.add_node(std::move(op), {x}, "node", 1, "block.0");
  graph.nodes[0].clamp = clamp;
  return graph;
}

TEST(OnnxRoundTrip, KeepsStringsAndListsOfThem) {
  const Tensor words = Tensor::from<std::string>({"ü", ""}, {2});
  Graph graph;
  const ValueId x = graph.add_input("x", {DType::string, {Extent::symbol("n")}});
  const ValueId kept = graph.add_node(StringNormalizer{.stopwords = words}, {x}, "kept")[0];
  graph.outputs = graph.add_node(StringConcat{}, {kept, graph.add_constant("c", words.reshape({2, 1}))}, "all");
  const Graph read = round_trip(graph);
  EXPECT_EQ(concat(read.value(read.inputs[0]).type), "string[n]");
  EXPECT_EQ(read.nodes[0].op.as<StringNormalizer>()->stopwords.to_vector<std::string>(),
            words.to_vector<std::string>());
}

TEST(OnnxRoundTrip, SaysTheVersionThatHasTheElementTypes) {
  const struct {
    DType dtype;
    int64_t opset, ir;
  } cases[] = {{DType::f8e4m3fn, 20, 9}, {DType::string, 20, 9},  {DType::i4, 21, 10},
               {DType::f4e2m1, 23, 11},  {DType::f8e8m0, 24, 12}, {DType::u2, 25, 13}};
  for (const auto& [dtype, opset, ir] : cases) {
    const Tensor constant = Tensor::full({3}, 2, dtype);
    Graph graph;
    graph.outputs = graph.add_node(
        Reshape{},
        {graph.add_constant("c", constant), graph.add_constant("s", Tensor::from_ints(std::vector<int64_t>{3, 1}))},
        "r");
    const Graph read = round_trip(graph);
    EXPECT_TRUE(same_bits(read.value(read.find_value("c")).constant, constant)) << dtype_name(dtype);
    const auto bytes = write_onnx(graph);
    onnx::ModelProto model;
    ASSERT_TRUE(model.ParseFromArray(bytes.data(), static_cast<int>(bytes.size())));
    EXPECT_EQ(model.opset_import(0).version(), opset) << dtype_name(dtype);
    EXPECT_EQ(model.ir_version(), ir) << dtype_name(dtype);
  }
}

TEST(OnnxRoundTrip, LeavesOutAbsentInputsAtTheEnd) {
  Graph graph;
  const ValueId x = graph.add_input("x", {DType::f32, {Extent::symbol("n"), 4}});
  graph.outputs = graph.add_node(Split{.axis = 1, .num_outputs = 2}, {x, kNone}, "split", 2);
  round_trip(graph);
  const auto bytes = write_onnx(graph);
  onnx::ModelProto model;
  ASSERT_TRUE(model.ParseFromArray(bytes.data(), static_cast<int>(bytes.size())));
  EXPECT_EQ(model.graph().node(0).input_size(), 1);
}

TEST(OnnxRoundTrip, KeepsNamesSymbolsKindsPathsAndMetadata) {
  Graph graph;
  graph.name = "small";
  graph.metadata = {{"author", "me"}, {"empty", ""}};
  const Extent batch = Extent::symbol("batch"), width = Extent::symbol("w");
  const ValueId x = graph.add_input("image", {DType::f32, {batch, 3, width, Extent(2) * width}});
  const ValueId w = graph.add_constant("conv.weight", Tensor::full({4, 3, 3, 3}, 0.25), ConstantKind::parameter);
  const ValueId b = graph.add_constant("conv.bias", Tensor::full({4}, -1), ConstantKind::non_persistent_buffer);
  const ValueId unnamed = graph.add_constant("", Tensor::from_ints(std::vector<int64_t>{0, -1}));
  const ValueId y = graph.add_node(Conv{.kernel_shape = {3, 3}, .pads = {1, 1, 1, 1}, .strides = {2, 2}}, {x, w, b},
                                   "Conv_0", 1, "encoder.layers.0")[0];
  const ValueId z = graph.add_node(Reshape{}, {y, unnamed}, "Reshape_1", 1, "encoder")[0];
  graph.outputs = {z, y};

  const Graph read = round_trip(graph);
  EXPECT_EQ(to_string(read), to_string(graph));
  EXPECT_EQ(read.name, "small");
  graph.metadata["onemodel.opset"] = "20";
  EXPECT_EQ(read.metadata, graph.metadata);
  EXPECT_EQ(read.nodes[0].module_path, "encoder.layers.0");
  EXPECT_EQ(read.nodes[0].name, "Conv_0");
  EXPECT_TRUE(read.nodes[0].op == graph.nodes[0].op);
  EXPECT_EQ(read.value(read.find_value("conv.weight")).kind, ConstantKind::parameter);
  EXPECT_EQ(read.value(read.find_value("conv.bias")).kind, ConstantKind::non_persistent_buffer);
  EXPECT_EQ(read.value(read.find_value("constant")).kind, ConstantKind::plain);
  EXPECT_EQ(concat(read.value(read.inputs[0]).type), "float32[batch, 3, w, 2*w]");
  EXPECT_TRUE(same_results(graph, read, 0, {{"batch", 2}, {"w", 5}}));
}

TEST(OnnxRoundTrip, ReadsNamesOfSizesAsTheyWereWritten) {
  const Extent h = Extent::symbol("h"), n = Extent::symbol("n");
  const Extent sizes[] = {h * n,
                          Extent(3) * h * h,
                          floor_div(h - Extent(3), 2) + Extent(1),
                          (h + Extent(1)) * n,
                          floor_div(h, 2) * Extent(4),
                          h + n,
                          floor_div(h + n, 2) * (h - n)};
  for (const Extent& size : sizes) {
    Graph graph;
    graph.outputs = {add(graph, Relu{}, {graph.add_input("x", {DType::f32, {size}})})};
    EXPECT_TRUE(round_trip(graph).values[0].type.shape[0] == size) << size.text();
  }
}

class EveryOperator : public ::testing::TestWithParam<OperatorCase> {};

TEST(OnnxRoundTrip, WritesOutputsThatOnnxDemands) {
  const auto outputs = [](Op op, size_t count, DType dtype, std::vector<ValueId> more, Graph graph) {
    std::vector<ValueId> operands = {graph.add_input("x", {dtype, {4}})};
    operands.insert(operands.end(), more.begin(), more.end());
    graph.outputs = {graph.add_node(std::move(op), operands, "node", count)[0]};
    onnx::ModelProto model;
    const auto bytes = write_onnx(round_trip(graph));
    EXPECT_TRUE(model.ParseFromArray(bytes.data(), static_cast<int>(bytes.size())));
    return model.graph().node(0).output_size();
  };
  Graph one;
  const ValueId k = one.add_constant("k", Tensor::from_ints(std::array<int64_t, 1>{2}));
  EXPECT_EQ(outputs(TopK{}, 1, DType::f32, {k}, one), 2);
  EXPECT_EQ(outputs(DynamicQuantizeLinear{}, 1, DType::f32, {}, {}), 3);
  EXPECT_EQ(outputs(StringSplit{}, 1, DType::string, {}, {}), 2);
}

TEST_P(EveryOperator, KeepsItsAttributes) {
  each_sample_graph(GetParam(), [](const Graph& graph) {
    const Op& op = graph.nodes[0].op;
    const bool is_quantised = op.is<FusedQLinearMatMul>();
    const bool is_fused = op.is<FusedMatMul>() || op.is<FusedAttention>() || is_quantised;
    if (op.traits().info.internal && !is_fused) {
      EXPECT_ERROR(write_onnx(graph), ModelError, "node 'node'", op.name(), "no ONNX operator");
      return;
    }
    const Graph read = round_trip(graph);
    EXPECT_TRUE(same_results(graph, read, is_quantised ? 1.0 / 100 : 0));
    if (is_fused || op.is<Constant>()) return;
    // outputs that ONNX demands are written whether somebody reads them or not
    if (read.nodes[0].outputs.size() == graph.nodes[0].outputs.size()) {
      EXPECT_EQ(to_string(read), to_string(graph));
    }
    EXPECT_TRUE(read.nodes[0].op == op) << concat(read.nodes[0].op, " for ", op);
  });
}

INSTANTIATE_TEST_SUITE_P(Onnx, EveryOperator, ::testing::ValuesIn(operator_cases()),
                         [](const auto& info) { return info.param.struct_name; });

TEST(WriteOnnx, GivesEqualBytesForEqualGraphs) {
  EXPECT_TRUE(write_onnx(one_node(Relu{})) == write_onnx(one_node(Relu{})));
  EXPECT_FALSE(write_onnx(one_node(Relu{})) == write_onnx(one_node(Sigmoid{})));
}

TEST(WriteOnnx, DoesNotDependOnUnusedValuesOrTheOrderOfValues) {
  Graph graph = one_node(Relu{});
  const auto bytes = write_onnx(graph);
  graph.add_constant("unused", Tensor::zeros({1000}));
  EXPECT_TRUE(write_onnx(graph) == bytes);
}

TEST(WriteOnnx, WritesAClampAsItsOwnNode) {
  EXPECT_EQ(operators(round_trip(one_node(Tanh{}, Clamp{0, kInfinity}))), "Tanh Relu");
  EXPECT_EQ(operators(round_trip(one_node(Tanh{}, Clamp{-0.5f, 0.25f}))), "Tanh Clip");
  for (const Clamp clamp : {Clamp{0, kInfinity}, Clamp{-0.5f, 0.25f}, Clamp{-kInfinity, 0.5f}, Clamp{-1, kInfinity}}) {
    const Graph graph = one_node(Tanh{}, clamp);
    EXPECT_TRUE(same_results(graph, round_trip(graph)));
  }
  const Graph read = round_trip(one_node(Tanh{}, Clamp{-kInfinity, 0.5f}));
  EXPECT_EQ(read.value(read.nodes[1].inputs[1]).constant.item<float>(), -kInfinity) << "absent is finite in ONNX";
  EXPECT_EQ(read.nodes[1].module_path, "block.0");
  EXPECT_EQ(read.value(read.outputs[0]).name, "node_out");
}

TEST(WriteOnnx, ClampsOnlyTheFirstOutput) {
  Graph graph;
  const ValueId x = graph.add_input("x", {DType::f32, {1, 1, 4, 4}});
  graph.outputs = graph.add_node(MaxPool{.kernel_shape = {2, 2}}, {x}, "pool", 2);
  graph.nodes[0].clamp = Clamp{0, 1};
  const Graph read = round_trip(graph);
  EXPECT_EQ(operators(read), "MaxPool Clip");
  EXPECT_TRUE(same_results(graph, read));
}

TEST(WriteOnnx, ExpandsFusedMatMulAndItsClamp) {
  Graph graph;
  const ValueId a = graph.add_input("a", {DType::f32, {Extent::symbol("n"), 2, 3}});
  const ValueId b = graph.add_constant("b", Tensor::full({3, 4}, 0.5));
  const ValueId bias = graph.add_constant("bias", Tensor::full({4}, -0.5));
  graph.outputs = graph.add_node(FusedMatMul{}, {a, b, bias}, "linear", 1, "head");
  graph.nodes[0].clamp = Clamp{0, kInfinity};
  const Graph read = round_trip(graph);
  EXPECT_EQ(operators(read), "MatMul Add Relu");
  for (const Node& node : read.nodes) EXPECT_EQ(node.module_path, "head");
  EXPECT_TRUE(same_results(graph, read));
}

TEST(WriteOnnx, ExpandsFusedAttention) {
  Graph graph;
  const Extent batch = Extent::symbol("batch"), keys = Extent::symbol("keys");
  const ValueId q = graph.add_input("q", {DType::f32, {batch, 3, 4, 8}});  // [batch, queries, heads, width]
  const ValueId k = graph.add_input("k", {DType::f32, {batch, keys, 2, 8}});
  const ValueId v = graph.add_input("v", {DType::f32, {batch, keys, 2, 5}});
  const ValueId mask = graph.add_input("mask", {DType::boolean, {3, keys}});
  const std::vector<int64_t> heads{0, 2, 1, 3};
  const FusedAttention op{
      .scale = 0.5f, .fill = -1e9f, .groups = 2, .q_perm = heads, .k_perm = heads, .v_perm = heads, .y_perm = heads};
  graph.outputs = graph.add_node(op, {q, k, v, mask}, "attention", 1, "block");
  const Graph read = round_trip(graph);
  EXPECT_EQ(operators(read), "Transpose Gather Transpose Gather Transpose MatMul Mul Where Softmax MatMul Transpose");
  for (const Node& node : read.nodes) EXPECT_EQ(node.module_path, "block");
  EXPECT_TRUE(same_results(graph, read));
}

TEST(WriteOnnx, RefusesFusedAttentionOfAnUnknownNumberOfHeads) {
  Graph graph;
  const Extent heads = Extent::symbol("heads");
  const ValueId q = graph.add_input("q", {DType::f32, {heads * 2, 3, 4}});
  const ValueId k = graph.add_input("k", {DType::f32, {heads, 5, 4}});
  graph.outputs = graph.add_node(FusedAttention{.groups = 2}, {q, k, k}, "attention");
  EXPECT_ERROR(write_onnx(graph), ModelError, "node 'attention': FusedAttention is no ONNX operator");
}

// A quantised product of a [n, 3] with a bias; `lines`: scales of b, one or one for each column.
Graph quantised_product(const Dims& lines, bool constant_scale = true) {
  Graph graph;
  const auto constant = [&](Tensor tensor) { return graph.add_constant("c", std::move(tensor)); };
  const ValueId a = graph.add_input("a", {DType::u8, {Extent::symbol("n"), 3}});
  const ValueId scale = constant_scale ? constant(Tensor::scalar(0.02f)) : graph.add_input("s", {DType::f32, Shape{}});
  graph.outputs = graph.add_node(
      FusedQLinearMatMul{},
      {a, scale, constant(Tensor::scalar<uint8_t>(3)), constant(sample_values({3, 4}, -100, 100, DType::i8, 2)),
       constant(sample_values(lines, 0.01, 0.02)), constant(Tensor::zeros({}, DType::i8)),
       constant(Tensor::scalar(0.05f)), constant(Tensor::scalar<uint8_t>(110)),
       constant(sample_values({4}, -999, 999, DType::i32))},
      "linear");
  return graph;
}

TEST(WriteOnnx, ExpandsQuantisedProductsWithABias) {
  for (const Dims& lines : {Dims{}, Dims{4}}) {
    const Graph graph = quantised_product(lines), read = round_trip(graph);
    EXPECT_EQ(operators(read), "DequantizeLinear DequantizeLinear DequantizeLinear MatMul Add QuantizeLinear");
    EXPECT_TRUE(same_results(graph, read, 1.0 / 100)) << "rounded once more";
  }
  EXPECT_ERROR(write_onnx(quantised_product({}, false)), ModelError, "FusedQLinearMatMul is no ONNX operator");
}

// The opset and IR version that a file says.
using Versions = std::pair<int64_t, int64_t>;
Versions versions(const Graph& graph) {
  const auto bytes = write_onnx(graph);
  onnx::ModelProto model;
  EXPECT_TRUE(model.ParseFromArray(bytes.data(), static_cast<int>(bytes.size())));
  return {model.opset_import(0).version(), model.ir_version()};
}

TEST(WriteOnnx, SaysTheLowestOpsetThatItsNodesNeed) {
  const auto quantised = [](DType dtype, const QuantizeLinear& op = {}) {
    Graph graph;
    const ValueId x = graph.add_input("x", {DType::f32, {2, 4}});
    const Dims scales = op.block_size ? Dims{2, 2} : Dims{};
    const ValueId scale = graph.add_constant("scale", Tensor::full(scales, 0.5));
    const ValueId zero = graph.add_constant("zero", Tensor::zeros(scales, dtype));
    const ValueId q = add(graph, op, {x, scale, zero});
    graph.outputs = {add(graph, DequantizeLinear{.axis = op.axis, .block_size = op.block_size}, {q, scale, zero}, "y")};
    return graph;
  };
  EXPECT_EQ(versions(one_node(Relu{})), Versions(20, 9));
  EXPECT_EQ(versions(quantised(DType::u8)), Versions(20, 9));
  EXPECT_EQ(versions(quantised(DType::i16)), Versions(21, 10));
  EXPECT_EQ(versions(quantised(DType::u8, {.block_size = 2})), Versions(21, 10));
  EXPECT_EQ(versions(quantised(DType::u8, {.precision = DType::f32})), Versions(23, 11));
  EXPECT_EQ(versions(one_node(Tanh{}, {}, DType::bf16)), Versions(20, 9));
  EXPECT_EQ(versions(one_node(Softplus{}, {}, DType::bf16)), Versions(22, 10));
  EXPECT_EQ(versions(one_node(Cast{.to = DType::f16})), Versions(20, 9));
  EXPECT_EQ(versions(one_node(Cast{.to = DType::f16, .round_mode = "nearest"})), Versions(24, 12));
  round_trip(quantised(DType::u16, {.axis = 1, .block_size = 2}));
}

TEST(WriteOnnx, SaysTheVersionInWhichAScaleMayHaveAnotherType) {
  const auto quantised = [](DType dtype) {
    Graph graph;
    const ValueId x = graph.add_input("x", {dtype, {4}});
    graph.outputs = {add(graph, QuantizeLinear{}, {x, graph.add_constant("scale", Tensor::full({}, 0.5))}, "q")};
    return graph;
  };
  EXPECT_EQ(versions(quantised(DType::f32)), Versions(20, 9));
  EXPECT_EQ(versions(quantised(DType::f16)), Versions(23, 11));
}

TEST(WriteOnnx, LooksIntoBodiesForTheOpset) {
  const auto branch = [](Op op) {
    Graph body;
    body.outputs = {add(body, std::move(op), {body.add_constant("c", Tensor::full({2}, 1, DType::bf16))}, "y")};
    return std::make_shared<const Graph>(std::move(body));
  };
  Graph graph;
  const ValueId condition = graph.add_input("condition", {DType::boolean, Shape{}});
  graph.values.push_back({.name = "y", .type = {DType::bf16, {2}}, .producer = 0});
  Node node{If{}, {condition}, {1}, "if", ""};
  node.bodies = {branch(Tanh{}), branch(Softsign{})};
  graph.nodes.push_back(std::move(node));
  graph.outputs = {1};
  EXPECT_EQ(versions(graph).first, 22);
}

TEST(WriteOnnx, WritesConstantNodesAsInitializers) {
  Graph graph;
  const ValueId x = graph.add_input("x", {DType::f32, {2}});
  const ValueId c = add(graph, Constant{.value_floats = std::vector<double>{1, 2}}, {}, "c");
  graph.outputs = {add(graph, Add{}, {x, c})};
  const Graph read = round_trip(graph);
  EXPECT_EQ(operators(read), "Add");
  EXPECT_TRUE(same_results(graph, read));
}

TEST(WriteOnnx, NamesEveryOperatorWithoutOnnxForm) {
  Graph graph;
  const ValueId x = graph.add_input("x", {DType::f32, {2}});
  const SliceGradient op{.shape = {4}, .starts = {1}, .steps = {1}};
  graph.outputs = {add(graph, op, {x}, "first"), add(graph, op, {x}, "second")};
  EXPECT_ERROR(write_onnx(graph), ModelError, "node 'first': SliceGradient", "node 'second': SliceGradient");
}

TEST(WriteOnnx, RefusesGraphsThatDoNotVerify) {
  Graph graph = one_node(Relu{});
  graph.nodes[0].inputs[0] = 99;
  EXPECT_ERROR(write_onnx(graph), ModelError, "value id 99");
}

// The tensors take no memory: one element, repeated.
std::string refusal_of_constants(std::initializer_list<int64_t> lengths) {
  Graph graph = one_node(Identity{});
  for (const int64_t length : lengths) {
    const Tensor endless = Tensor::view_of(Tensor::zeros({1}).memory(), 0, {length}, {0}, DType::f32);
    graph.outputs.push_back(graph.add_constant(concat("endless_", length), endless));
  }
  try {
    write_onnx(graph);
    return "nothing";
  } catch (const ModelError& error) {
    return concat(error.kind(), ": ", error.what());
  }
}

TEST(WriteOnnx, RefusesConstantsAboveTwoGiBAndSaysWhatHasNoSuchEnd) {
  constexpr std::string_view kAdvice =
      " bytes; an ONNX file ends at 2 GiB: put the weights into a file beside it, or write a .onemodel file";
  EXPECT_EQ(refusal_of_constants({7, 1 << 29}),
            concat("TooLarge: constant 'endless_536870912' has 2147483648", kAdvice));
  EXPECT_EQ(refusal_of_constants({300'000'000, 300'000'001}),
            concat("TooLarge: the constants have 2400000004", kAdvice));
}

}  // namespace
}  // namespace onemodel::test

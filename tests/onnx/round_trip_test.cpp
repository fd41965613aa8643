// graph -> .onnx -> graph -> .onnx: the same bytes, and everything a graph knows.

#include <gtest/gtest.h>
#include <onnx.pb.h>

#include <algorithm>
#include <limits>

#include "onnx/read_onnx.h"
#include "onnx/write_onnx.h"
#include "ops/binary.h"
#include "ops/cast.h"
#include "ops/conv.h"
#include "ops/fused_matmul.h"
#include "ops/matmul.h"
#include "ops/pool.h"
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

TEST_P(EveryOperator, KeepsItsAttributes) {
  each_sample_graph(GetParam(), [](const Graph& graph) {
    const Op& op = graph.nodes[0].op;
    if (op.traits().info.internal && !op.is<FusedMatMul>()) {
      EXPECT_ERROR(write_onnx(graph), ModelError, "node 'node'", op.name(), "no ONNX operator");
      return;
    }
    const Graph read = round_trip(graph);
    EXPECT_TRUE(same_results(graph, read));
    if (op.is<FusedMatMul>() || op.is<Constant>()) return;
    EXPECT_EQ(to_string(read), to_string(graph));
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
  EXPECT_EQ(read.nodes[1].inputs[1], kNone);
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

TEST(WriteOnnx, RefusesTensorsAboveTwoGiB) {
  Graph graph = one_node(Identity{});
  const Tensor one = Tensor::zeros({1});
  const Tensor huge = Tensor::view_of(one.storage(), 0, {int64_t{1} << 30}, {0}, DType::f32);
  graph.outputs.push_back(graph.add_constant("huge", huge));
  EXPECT_ERROR(write_onnx(graph), ModelError, "constant 'huge' has 4294967296 bytes", "2 GiB");
}

}  // namespace
}  // namespace onemodel::test

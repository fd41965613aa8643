// Where nodes and constants came from: in the graph, in both files, and after the passes.

#include <onnx.pb.h>

#include "eager/functions.h"
#include "format/read_onemodel.h"
#include "format/write_onemodel.h"
#include "onnx/read_onnx.h"
#include "onnx/write_onnx.h"
#include "ops/unary.h"
#include "passes/pipeline.h"
#include "trace/refusal.h"

namespace onemodel::test {
namespace {

using Names = std::vector<std::string>;
using Texts = std::map<std::string, std::string>;

class Block final : public nn::Module {
 public:
  Block() {
    register_parameter("weight", sample_values({3, 2}));
    register_buffer("scale", sample_values({2}));
    register_buffer("offset", sample_values({2}), false);
  }
  std::vector<Tensor> forward(std::span<const Tensor> inputs) override {
    const Tensor rows = matmul(inputs[0], tensor("weight")) * tensor("scale") + tensor("offset");
    return {rows + sample_values({2})};
  }
  std::string describe() const override { return "Block"; }
};

class Tower final : public nn::Module {
 public:
  Tower() { add_module("encoder", layers_); }
  std::vector<Tensor> forward(std::span<const Tensor> inputs) override { return {exp((*layers_)(inputs)[0])}; }
  std::string describe() const override { return "Tower"; }

 private:
  std::shared_ptr<nn::Sequential> layers_ = std::make_shared<nn::Sequential>(std::make_shared<Block>());
};

Graph traced() {
  Tower model;
  return trace_module(model, sample_values({4, 3}), Names{"batch", ""}).graph;
}

Texts kinds(const Graph& graph) {
  Texts out;
  for (const Value& value : graph.values)
    if (value.is_constant()) out[value.name] = constant_kind_name(value.kind);
  return out;
}

Names paths(const Graph& graph) {
  Names out;
  for (const Node& node : graph.nodes) out.push_back(concat(node.op.name(), " ", node.module_path));
  return out;
}

const Texts kKinds = {{"constant", "plain"},
                      {"encoder.0.offset", "non_persistent_buffer"},
                      {"encoder.0.scale", "buffer"},
                      {"encoder.0.weight", "parameter"}};
const Names kPaths = {"MatMul encoder.0", "Mul encoder.0", "Add encoder.0", "Add encoder.0", "Exp "};

TEST(Provenance, IsInTheGraphAndInBothFiles) {
  const Graph graph = traced();
  for (const Graph& each : {graph, read_onemodel(write_onemodel(graph)), read_onnx(write_onnx(graph))}) {
    EXPECT_EQ(kinds(each), kKinds);
    EXPECT_EQ(paths(each), kPaths);
    EXPECT_EQ(each.nodes[0].name, "MatMul_0");
  }
}

TEST(Provenance, IsWrittenAsOnnxMetadata) {
  const std::vector<std::byte> bytes = write_onnx(traced());
  onnx::ModelProto model;
  ASSERT_TRUE(model.ParseFromArray(bytes.data(), static_cast<int>(bytes.size())));
  const auto entries = [](const auto& proto) {
    Texts out;
    for (const auto& entry : proto.metadata_props()) out[entry.key()] = entry.value();
    return out;
  };
  const auto& nodes = model.graph().node();
  ASSERT_EQ(nodes.size(), 5);
  EXPECT_EQ(nodes[0].name(), "encoder.0/MatMul_0");
  EXPECT_EQ(entries(nodes[0]), (Texts{{"onemodel.module_path", "encoder.0"}}));
  EXPECT_EQ(nodes[4].name(), "Exp_4");
  EXPECT_EQ(entries(nodes[4]), Texts());
  for (const auto& tensor : model.graph().initializer()) {
    const std::string& kind = kKinds.at(tensor.name());
    EXPECT_EQ(entries(tensor), kind == "plain" ? Texts() : (Texts{{"onemodel.kind", kind}})) << tensor.name();
  }
}

TEST(Provenance, OutlivesThePasses) {
  for (const Arithmetic arithmetic : {Arithmetic::fast, Arithmetic::exact}) {
    const OptimizedGraph optimized = optimize(traced(), {.arithmetic = arithmetic});
    const Graph& graph = optimized.graph();
    for (const Node& node : graph.nodes)
      EXPECT_EQ(node.module_path, node.op.is<Exp>() ? "" : "encoder.0") << to_string(graph);
    const ValueId weight = graph.find_value("encoder.0.weight");
    ASSERT_NE(weight, kNone) << to_string(graph);
    EXPECT_EQ(graph.value(weight).kind, ConstantKind::parameter);
  }
}

TEST(Provenance, NamesEachViewOfAParameterOnce) {
  const Tensor weight = sample_values({3, 3});
  Tracer tracer = Tracer::begin();
  tracer.parameter("fc.weight", weight, ConstantKind::buffer);
  const Tensor x = tracer.input("x", sample_values({3, 3}));
  Tensor y = matmul(x, weight);
  for (int i = 0; i < 2; ++i) y = matmul(y, permute(weight, {1, 0})) + slice(weight, 0, 1, 2);
  const Graph graph = tracer.finish(std::vector{y}, Names{"y"}).graph;
  EXPECT_EQ(kinds(graph),
            (Texts{{"fc.weight", "buffer"}, {"fc.weight.view_1", "buffer"}, {"fc.weight.view_2", "buffer"}}));
  const Tensor& transposed = graph.value(graph.find_value("fc.weight.view_1")).constant;
  EXPECT_TRUE(transposed.is_contiguous());
  EXPECT_EQ(transposed.to_vector<float>(), weight.permute(Dims{1, 0}).to_vector<float>());
}

}  // namespace
}  // namespace onemodel::test

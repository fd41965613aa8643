#include "onnx/write_onnx.h"

#include <onnx.pb.h>

#include <limits>

#include "onnx/convert_attribute.h"
#include "onnx/convert_tensor.h"
#include "onnx/convert_type.h"
#include "onnx/lower.h"
#include "onnx/onnx_metadata.h"

namespace onemodel {
namespace {

constexpr auto kMostBytes = static_cast<uint64_t>(std::numeric_limits<int32_t>::max());

void add_metadata(onnx::StringStringEntryProto* entry, std::string_view key, std::string_view value) {
  entry->set_key(std::string(key));
  entry->set_value(std::string(value));
}

// An empty list is a default that ONNX expresses by leaving the attribute out.
bool is_left_out(const FieldInfo& field, const AttributeValue& value) {
  if (const auto* integers = std::get_if<std::vector<int64_t>>(&value))
    return integers->empty() && field.initial.has_value();
  if (const auto* reals = std::get_if<std::vector<double>>(&value)) return reals->empty() && field.initial.has_value();
  return field.kind == AttributeKind::dtype && std::get<int64_t>(value) == 0;
}

void write_node(const Graph& graph, const Node& node, onnx::NodeProto& out) {
  const auto name_of = [&](ValueId id) { return id == kNone ? std::string() : graph.value(id).name; };
  // onnxruntime counts inputs at the end that are absent as given (Split with num_outputs).
  size_t inputs = node.inputs.size();
  while (inputs > 0 && node.inputs[inputs - 1] == kNone) --inputs;
  for (size_t i = 0; i < inputs; ++i) out.add_input(name_of(node.inputs[i]));
  for (const ValueId id : node.outputs) out.add_output(name_of(id));
  out.set_name(node.module_path.empty() ? node.name : concat(node.module_path, "/", node.name));
  out.set_op_type(std::string(node.op.name()));
  const auto& fields = node.op.traits().fields;
  for (size_t i = 0; i < fields.size(); ++i) {
    const auto value = node.op.attribute(i);
    if (value && !is_left_out(fields[i], *value)) attribute_to_onnx(fields[i].name, *value, *out.add_attribute());
  }
  if (!node.module_path.empty()) add_metadata(out.add_metadata_props(), kModulePathMetadataKey, node.module_path);
}

void check_size(const Graph& graph) {
  uint64_t total = 0;
  for (const Value& value : graph.values) {
    if (!value.is_constant()) continue;
    const uint64_t bytes = static_cast<uint64_t>(value.constant.numel()) * dtype_size(value.constant.dtype());
    if (bytes > kMostBytes)
      throw ModelError("TooLarge",
                       concat("constant '", value.name, "' has ", bytes, " bytes; an ONNX file ends at 2 GiB"));
    total += bytes;
  }
  if (total > kMostBytes)
    throw ModelError("TooLarge", concat("the constants have ", total, " bytes; an ONNX file ends at 2 GiB"));
}

void write_graph(const Graph& graph, onnx::GraphProto& out) {
  out.set_name(graph.name.empty() ? "graph" : graph.name);
  for (const Node& node : graph.nodes) write_node(graph, node, *out.add_node());
  for (const Value& value : graph.values) {
    if (!value.is_constant()) continue;
    auto& tensor = *out.add_initializer();
    tensor_to_onnx(value.constant, value.name, tensor);
    if (value.kind != ConstantKind::plain)
      add_metadata(tensor.add_metadata_props(), kKindMetadataKey, constant_kind_name(value.kind));
  }
  for (const ValueId id : graph.inputs) type_to_onnx(graph.value(id).name, graph.value(id).type, *out.add_input());
  for (const ValueId id : graph.outputs) type_to_onnx(graph.value(id).name, graph.value(id).type, *out.add_output());
  std::vector<bool> is_output(graph.values.size());
  for (const ValueId id : graph.outputs) is_output[static_cast<size_t>(id)] = true;
  for (const Node& node : graph.nodes) {
    for (const ValueId id : node.outputs) {
      if (id == kNone || is_output[static_cast<size_t>(id)]) continue;
      const Value& value = graph.value(id);
      if (value.type.dtype != DType::undefined) type_to_onnx(value.name, value.type, *out.add_value_info());
    }
  }
}

}  // namespace

std::vector<std::byte> write_onnx(const Graph& graph) {
  verify(graph);
  Graph lowered = lower_to_onnx(graph);
  lowered.compact();
  check_size(lowered);
  onnx::ModelProto model;
  model.set_ir_version(kWrittenOnnxIr);
  model.set_producer_name("onemodel");
  model.add_opset_import()->set_version(kWrittenOnnxOpset);
  for (const auto& [key, value] : graph.metadata) add_metadata(model.add_metadata_props(), key, value);
  write_graph(lowered, *model.mutable_graph());
  lowered = Graph();
  const size_t bytes = model.ByteSizeLong();
  if (bytes > kMostBytes)
    throw ModelError("TooLarge", concat("the model has ", bytes, " bytes; an ONNX file ends at 2 GiB"));
  std::vector<std::byte> out(bytes);
  model.SerializeWithCachedSizesToArray(reinterpret_cast<uint8_t*>(out.data()));
  return out;
}

}  // namespace onemodel

#include "onnx/write_onnx.h"

#include <onnx.pb.h>

#include <algorithm>
#include <limits>
#include <map>
#include <tuple>
#include <utility>

#include "graph/container_ops.h"
#include "graph/control_flow.h"
#include "onnx/convert_attribute.h"
#include "onnx/convert_tensor.h"
#include "onnx/convert_type.h"
#include "onnx/lower.h"
#include "onnx/name_pool.h"
#include "onnx/needed_opset.h"
#include "onnx/onnx_metadata.h"
#include "onnx/packed_elements.h"
#include "ops/arg_reduce.h"
#include "ops/dynamic_quantize_linear.h"
#include "ops/string_operators.h"

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

/// How many outputs ONNX does not let a node leave out.
size_t least_outputs(const Op& op) {
  if (op.is<DynamicQuantizeLinear>()) return 3;
  return op.is<TopK>() || op.is<StringSplit>() ? 2 : 1;
}

constexpr std::string_view kAdvice =
    "; an ONNX file ends at 2 GiB: put the weights into a file beside it, or write a .onemodel file";

uint64_t bytes_of(const Tensor& tensor) { return packed_bytes(tensor.dtype(), static_cast<uint64_t>(tensor.numel())); }

bool is_external(const Tensor& tensor, const ExternalWeights* external) {
  return external && tensor.dtype() != DType::string && bytes_of(tensor) >= external->least_bytes;
}

void check_size(const Graph& graph, const ExternalWeights* external) {
  uint64_t total = 0;
  for (const Value& value : graph.values) {
    if (!value.is_constant() || is_external(value.constant, external)) continue;
    const uint64_t bytes = bytes_of(value.constant);
    if (bytes > kMostBytes)
      throw ModelError("TooLarge", concat("constant '", value.name, "' has ", bytes, " bytes", kAdvice));
    total += bytes;
  }
  if (total > kMostBytes) throw ModelError("TooLarge", concat("the constants have ", total, " bytes", kAdvice));
}

void check_name(const std::string& file) {
  const bool is_plain = !file.empty() && file != "." && file != ".." && file.find_first_of("/\\:") == file.npos &&
                        file.find('\0') == file.npos;
  check(is_plain, "external data: the file expects a plain name, got '", file, "'");
}

/// Writes a graph and those inside its nodes. Names are unique in the whole file, since a graph inside sees those around
/// it; the constants of all are initializers of the outermost, shared ones once.
class Writer {
 public:
  Writer(onnx::GraphProto& file, const ExternalWeights* external) : file_(file), external_(external) {}

  void write(const Graph& graph) {
    std::vector<std::string> names;
    for (const Value& value : graph.values) {
      names_.take(value.name);
      names.push_back(value.name);
    }
    file_.set_name(graph.name.empty() ? "graph" : graph.name);
    for (size_t v = 0; v < graph.values.size(); ++v)
      if (graph.values[v].is_constant()) shared_[key(graph.values[v].constant)] = names[v];
    nodes(graph, names, file_);
    for (const Value& value : graph.values)
      if (value.is_constant()) initializer(value, value.name);
    for (const Value& value : hoisted_) initializer(value, value.name);
    for (const ValueId id : graph.inputs) typed(graph, names, id, *file_.add_input());
    for (const auto& [id, shape] : graph.optional_inputs)
      type_to_onnx(graph.value(id).name, {graph.value(id).type.dtype, shape}, *file_.add_input());
    for (const ValueId id : graph.outputs) typed(graph, names, id, *file_.add_output());
  }

 private:
  using Key = std::tuple<const std::byte*, DType, std::vector<int64_t>, std::vector<int64_t>>;
  static Key key(const Tensor& tensor) {
    return {tensor.raw(), tensor.dtype(), tensor.dims().vector(), tensor.strides().vector()};
  }

  void initializer(const Value& value, const std::string& name) {
    auto& tensor = *file_.add_initializer();
    if (is_external(value.constant, external_))
      put_outside(value.constant, name, tensor);
    else
      tensor_to_onnx(value.constant, name, tensor);
    if (value.kind != ConstantKind::plain)
      add_metadata(tensor.add_metadata_props(), kKindMetadataKey, constant_kind_name(value.kind));
  }

  void put_outside(const Tensor& constant, const std::string& name, onnx::TensorProto& out) {
    const Tensor values = constant.contiguous();
    const std::string packed = packed_bits(values.dtype()) < 8 ? pack_elements(values) : std::string();
    const std::span<const std::byte> bytes =
        packed.empty() ? std::span(values.raw(), values.bytes()) : std::as_bytes(std::span(packed));
    constexpr std::byte kZeros[kExternalAlignment] = {};
    external_->write(std::span(kZeros).first(static_cast<size_t>(-external_bytes_ % kExternalAlignment)));
    external_bytes_ += -external_bytes_ % kExternalAlignment;
    tensor_type_to_onnx(values, name, out);
    out.set_data_location(onnx::TensorProto::EXTERNAL);
    add_metadata(out.add_external_data(), "location", external_->file);
    add_metadata(out.add_external_data(), "offset", concat(external_bytes_));
    add_metadata(out.add_external_data(), "length", concat(bytes.size()));
    external_->write(bytes);
    external_bytes_ += bytes.size();
  }

  void nodes(const Graph& graph, const std::vector<std::string>& names, onnx::GraphProto& out) {
    for (const Node& each : graph.nodes) node(graph, each, names, *out.add_node());
    std::vector<bool> is_output(graph.values.size()), is_read(graph.values.size());
    for (const ValueId id : graph.outputs) is_output[static_cast<size_t>(id)] = true;
    for (const Node& each : graph.nodes)
      for (const ValueId id : each.inputs)
        if (id != kNone) is_read[static_cast<size_t>(id)] = true;
    for (const Node& each : graph.nodes) {
      for (const ValueId id : each.outputs) {
        if (id == kNone || is_output[static_cast<size_t>(id)] || !is_read[static_cast<size_t>(id)]) continue;
        if (graph.value(id).type.dtype != DType::undefined) typed(graph, names, id, *out.add_value_info());
      }
    }
  }

  void node(const Graph& graph, const Node& node, const std::vector<std::string>& names, onnx::NodeProto& out) {
    const auto name_of = [&](ValueId id) { return id == kNone ? std::string() : names[static_cast<size_t>(id)]; };
    // onnxruntime counts inputs at the end that are absent as given (Split with num_outputs).
    size_t inputs = node.inputs.size() - (node.bodies.empty() ? 0 : capture_count(node));
    while (inputs > 0 && node.inputs[inputs - 1] == kNone) --inputs;
    for (size_t i = 0; i < inputs; ++i) out.add_input(name_of(node.inputs[i]));
    const size_t least = least_outputs(node.op);
    for (size_t i = 0; i < std::max(node.outputs.size(), least); ++i) {
      const ValueId id = i < node.outputs.size() ? node.outputs[i] : kNone;
      out.add_output(id == kNone && i < least ? names_.unique(concat(node.name, "_unused")) : name_of(id));
    }
    out.set_name(node.module_path.empty() ? node.name : concat(node.module_path, "/", node.name));
    out.set_op_type(std::string(node.op.name()));
    const auto& fields = node.op.traits().fields;
    for (size_t i = 0; i < fields.size(); ++i) {
      if (is_our_own(node, fields[i].name)) continue;
      const auto value = node.op.attribute(i);
      if (value && !is_left_out(fields[i], *value)) attribute_to_onnx(fields[i].name, *value, *out.add_attribute());
    }
    if (node.op.is<Optional>() && inputs == 0) optional_type(graph.value(node.outputs[0]), *out.add_attribute());
    for (size_t b = 0; b < node.bodies.size(); ++b) {
      auto& attribute = *out.add_attribute();
      attribute.set_name(!node.op.is<If>() ? "body" : b == 0 ? "then_branch" : "else_branch");
      attribute.set_type(onnx::AttributeProto::GRAPH);
      body(*node.bodies[b], node, names, *attribute.mutable_g());
    }
    if (!node.module_path.empty()) add_metadata(out.add_metadata_props(), kModulePathMetadataKey, node.module_path);
  }

  // Nothing to infer it from: the attribute says what could be there.
  static void optional_type(const Value& value, onnx::AttributeProto& out) {
    out.set_name("type");
    out.set_type(onnx::AttributeProto::TYPE_PROTO);
    onnx::ValueInfoProto typed;
    type_to_onnx({}, value.type, typed, value.holds);
    *out.mutable_tp() = typed.type().optional_type().elem_type();
  }

  // What control_flow.h and container_ops.h add to ONNX's attributes.
  static bool is_our_own(const Node& node, std::string_view attribute) {
    if (node.bodies.empty()) return node.op.is<Optional>();
    return attribute == "carried" || attribute == "states" || attribute == "batched" || attribute == "operands";
  }

  void body(const Graph& graph, const Node& node, std::span<const std::string> outer, onnx::GraphProto& out) {
    out.set_name(graph.name.empty() ? "graph" : graph.name);
    const size_t captures = capture_count(node), formal = graph.inputs.size() - captures;
    std::vector<std::string> names(graph.values.size());
    for (size_t i = 0; i < captures; ++i)
      names[static_cast<size_t>(graph.inputs[formal + i])] =
          outer[static_cast<size_t>(node.inputs[node.inputs.size() - captures + i])];
    for (size_t v = 0; v < names.size(); ++v)
      if (names[v].empty()) names[v] = name_in_body(graph.values[v]);
    for (size_t i = 0; i < formal; ++i) typed(graph, names, graph.inputs[i], *out.add_input());
    nodes(graph, names, out);
    for (const ValueId id : graph.outputs) output(graph, names, id, out);
  }

  std::string name_in_body(const Value& value) {
    if (!value.is_constant()) return names_.unique(value.name);
    std::string& name = shared_[key(value.constant)];
    if (!name.empty()) return name;
    name = names_.unique(value.name);
    hoisted_.push_back(value);
    hoisted_.back().name = name;
    return name;
  }

  // onnxruntime wants outputs of a graph inside a node to be made there, each by one node.
  void output(const Graph& graph, std::vector<std::string>& names, ValueId id, onnx::GraphProto& out) {
    std::string& name = names[static_cast<size_t>(id)];
    const bool is_given = std::any_of(out.output().begin(), out.output().end(),
                                      [&](const onnx::ValueInfoProto& other) { return other.name() == name; });
    if (graph.value(id).producer != kNone && !is_given) return typed(graph, names, id, *out.add_output());
    auto& copy = *out.add_node();
    copy.set_op_type("Identity");
    copy.add_input(name);
    copy.add_output(names_.unique(name + "_copy"));
    copy.set_name(copy.output(0));
    const std::string own = std::exchange(name, copy.output(0));
    typed(graph, names, id, *out.add_output());
    name = own;
  }

  static void typed(const Graph& graph, std::span<const std::string> names, ValueId id, onnx::ValueInfoProto& out) {
    const TensorType& type = graph.value(id).type;
    const std::string& name = names[static_cast<size_t>(id)];
    if (type.dtype == DType::undefined && graph.value(id).holds == Holds::tensor) {
      out.set_name(name);
      const DType element = graph.value(id).element;
      if (element != DType::undefined)
        out.mutable_type()->mutable_tensor_type()->set_elem_type(static_cast<int32_t>(element));
    } else {
      type_to_onnx(name, type, out, graph.value(id).holds);
    }
  }

  static constexpr uint64_t kExternalAlignment = 64;

  onnx::GraphProto& file_;
  const ExternalWeights* external_;
  uint64_t external_bytes_ = 0;
  NamePool names_;                     // of values, in the whole file
  std::map<Key, std::string> shared_;  // constants by where they lie
  std::vector<Value> hoisted_;         // constants of graphs inside
};

}  // namespace

std::vector<std::byte> write_onnx(const Graph& graph, const ExternalWeights* external) {
  verify(graph);
  if (external) check_name(external->file);
  Graph lowered = lower_to_onnx(graph);
  lowered.compact();
  check_size(lowered, external);
  onnx::ModelProto model;
  const int64_t opset = needed_opset(lowered);
  model.set_ir_version(ir_version_of(opset));
  model.set_producer_name("onemodel");
  model.add_opset_import()->set_version(opset);
  for (const auto& [key, value] : graph.metadata)
    if (key != kOpsetMetadataKey) add_metadata(model.add_metadata_props(), key, value);
  if (graph.contract) {
    // Both, also when one is empty: that there is a contract is what makes undeclared sizes errors of their own kind.
    add_metadata(model.add_metadata_props(), kSizeRangesMetadataKey, ranges_text(*graph.contract));
    add_metadata(model.add_metadata_props(), kSizeRelationsMetadataKey, relations_text(*graph.contract));
  }
  Writer(*model.mutable_graph(), external).write(lowered);
  lowered = Graph();
  const size_t bytes = model.ByteSizeLong();
  if (bytes > kMostBytes) throw ModelError("TooLarge", concat("the model has ", bytes, " bytes", kAdvice));
  std::vector<std::byte> out(bytes);
  model.SerializeWithCachedSizesToArray(reinterpret_cast<uint8_t*>(out.data()));
  return out;
}

}  // namespace onemodel

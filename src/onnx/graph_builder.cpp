#include "onnx/graph_builder.h"

#include <algorithm>

#include "graph/container_ops.h"
#include "graph/control_flow.h"
#include "onnx/functions/function.h"

namespace onemodel {
namespace {

[[noreturn]] void unsupported(std::string message) { throw ModelError("Unsupported", std::move(message)); }

const FieldInfo* find_field(const OpTraits& traits, std::string_view name) {
  for (const FieldInfo& field : traits.fields)
    if (field.name == name) return &field;
  return nullptr;
}

void check_element_type(const std::string& name, const AttributeValue& value) {
  const auto* number = std::get_if<int64_t>(&value);
  if (!number || *number == 0) return;
  if (*number > 0 && *number <= UINT8_MAX && dtype_size(static_cast<DType>(*number)) != 0) return;
  unsupported(concat("attribute '", name, "': element type ", *number, " is not supported"));
}

// A conversion cannot go on for want of a value that is missing.
struct Reported {};

bool is_operator(const FileNode& node) { return is_standard_domain(node.domain) && find_operator(node.type); }

// Sizes that the file tells and inference does not.
TensorType sharpen(TensorType inferred, const TensorType& declared) {
  if (inferred.dtype == DType::undefined) return declared;
  if (declared.dtype == inferred.dtype && declared.shape.rank() == inferred.shape.rank())
    for (size_t i = 0; i < inferred.shape.rank(); ++i)
      if (declared.shape[i].is_number() && !inferred.shape[i].is_number()) inferred.shape[i] = declared.shape[i];
  return inferred;
}

}  // namespace

ValueId GraphBuilder::add_value(Value value) {
  ids_.emplace(value.name, static_cast<ValueId>(graph_.values.size()));
  types_.push_back(value.type);
  data_.emplace_back();
  graph_.values.push_back(std::move(value));
  return static_cast<ValueId>(graph_.values.size()) - 1;
}

void GraphBuilder::add_input(const std::string& name, TensorType type, Holds holds, DType element) {
  const bool is_open = type.dtype == DType::undefined;
  graph_.inputs.push_back(add_value(
      {.name = name, .type = std::move(type), .holds = holds, .element = is_open ? element : DType::undefined}));
}

void GraphBuilder::add_named_constant(const std::string& name, Tensor tensor, ConstantKind kind) {
  TensorType type{tensor.dtype(), Shape(tensor.dims())};
  add_value({.name = name, .type = std::move(type), .constant = std::move(tensor), .kind = kind});
}

std::string GraphBuilder::add_constant(const std::string& stem, Tensor tensor) {
  std::string name = fresh_name(stem);
  add_named_constant(name, std::move(tensor), ConstantKind::plain);
  return name;
}

void GraphBuilder::add_missing(const std::string& name, TensorType type) {
  if (name.empty()) return;
  const auto found = ids_.find(name);
  missing_.insert(found == ids_.end() ? add_value({.name = name, .type = std::move(type)}) : found->second);
}

TensorType GraphBuilder::type_of(const std::string& value) const {
  const auto found = ids_.find(value);
  if (found == ids_.end()) return {};
  const TensorType& type = types_[static_cast<size_t>(found->second)];
  if (type.dtype == DType::undefined && is_missing(found->second)) throw Reported();
  return type;
}

void GraphBuilder::add_output(const std::string& name) { graph_.outputs.push_back(ids_.at(name)); }

void GraphBuilder::add_node(FileNode node, int64_t opset, const std::string& where) {
  const std::vector<std::string> outputs = node.outputs;
  bool is_whole = false;
  problems_.attempt(where, [&] {
    try {
      if (is_standard_domain(node.domain))
        convert_opset(std::move(node), opset, *this);
      else
        emit(std::move(node));
      is_whole = true;
    } catch (const Reported&) {
    }
  });
  for (const std::string& output : outputs) {
    if (is_whole && !output.empty() && !has(output))
      problems_.malformed(where, ": output '", output, "' is made by nothing");
    if (!is_whole || !has(output)) add_missing(output);
  }
}

void GraphBuilder::emit(FileNode node) {
  const Function* function = is_operator(node) ? nullptr : find_function(node.domain, node.type);
  if (function)
    expand_function(*function, std::move(node), *this);
  else
    append(std::move(node));
}

Tensor GraphBuilder::constant_of(const std::string& value) const {
  const auto found = ids_.find(value);
  if (found == ids_.end()) return {};
  if (is_missing(found->second)) throw Reported();
  consulted_.insert(found->second);
  return graph_.value(found->second).constant;
}

Op GraphBuilder::make(FileNode& node) const {
  const OpTraits* container = find_container_operator(node.type);
  const OpTraits& traits = container ? *container : *find_operator(node.type);
  std::vector<std::pair<std::string, AttributeValue>> attributes;
  for (auto& [name, value] : node.attributes) {
    const FieldInfo* field = find_field(traits, name);
    if (!field) unsupported(concat("attribute '", name, "' is not supported"));
    if (field->kind == AttributeKind::dtype) check_element_type(name, value);
    attributes.emplace_back(name, std::move(value));
  }
  return make_op(traits, attributes);
}

// Resolves the operands and makes the outputs. True when every operand is known.
bool GraphBuilder::connect(const FileNode& file, Node& node) {
  bool complete = true;
  for (const std::string& input : file.inputs) {
    const auto found = ids_.find(input);
    node.inputs.push_back(found == ids_.end() ? kNone : found->second);
    complete &= input.empty() || found != ids_.end();
  }
  for (const std::string& output : file.outputs) {
    if (output.empty() || ids_.contains(output)) {  // absent, or a duplicate that was reported
      node.outputs.push_back(kNone);
      continue;
    }
    const auto declared = declared_.find(output);
    node.outputs.push_back(add_value({.name = output,
                                      .type = declared == declared_.end() ? TensorType{} : declared->second.type,
                                      .producer = static_cast<NodeId>(graph_.nodes.size())}));
  }
  return complete;
}

void GraphBuilder::append(FileNode node) {
  while (!node.outputs.empty() && node.outputs.back().empty()) node.outputs.pop_back();
  while (!node.inputs.empty() && node.inputs.back().empty()) node.inputs.pop_back();
  Node out{.op = make(node), .name = std::move(node.name), .module_path = std::move(node.module_path)};
  const size_t most = out.op.traits().outputs.size();
  if (node.outputs.empty()) throw ModelError("Malformed", "the node has no outputs");
  if (node.outputs.size() > most)
    unsupported(concat("output ", most + 1, " ('", node.outputs[most], "') is not supported"));
  const bool complete = connect(node, out);
  graph_.nodes.push_back(std::move(out));
  const Node& made = graph_.nodes.back();
  if (complete)
    infer_outputs(made);
  else
    missing_.insert(made.outputs.begin(), made.outputs.end());
}

void GraphBuilder::add_control_flow(FileNode node, Op op, std::vector<std::shared_ptr<const Graph>> bodies) {
  Node out{.op = std::move(op),
           .name = std::move(node.name),
           .module_path = std::move(node.module_path),
           .bodies = std::move(bodies)};
  connect(node, out);
  check_control_flow(out);
  const std::vector<TensorType> types = control_flow_types(out);
  const std::vector<Holds> holds = control_flow_holds(out);
  for (size_t i = 0; i < out.outputs.size(); ++i) {
    if (out.outputs[i] == kNone) continue;
    Value& value = graph_.value(out.outputs[i]);
    const auto declared = declared_.find(value.name);
    TensorType& type = types_[static_cast<size_t>(out.outputs[i])];
    type = declared == declared_.end() ? types[i] : sharpen(types[i], declared->second.loose);
    value.type = type;
    value.holds = holds[i];
  }
  graph_.nodes.push_back(std::move(out));
}

std::optional<CapturedValue> GraphBuilder::capture(const std::string& name) const {
  const auto found = ids_.find(name);
  if (found == ids_.end()) return {};
  const Value& value = graph_.value(found->second);
  const TensorType& type = types_[static_cast<size_t>(found->second)];
  return CapturedValue{name, value.holds == Holds::tensor ? type : TensorType{type.dtype, {}}, value.constant,
                       value.holds, is_missing(found->second)};
}

void GraphBuilder::infer_outputs(const Node& node) {
  if (std::ranges::any_of(node.inputs, [&](ValueId id) { return is_missing(id); }))
    missing_.insert(node.outputs.begin(), node.outputs.end());
  if (handles_containers(graph_, node)) {
    infer_containers(graph_, node);
    if (const ValueId id = node.outputs[0]; id != kNone) types_[static_cast<size_t>(id)] = graph_.value(id).type;
    return;
  }
  std::vector<TensorType> types;
  std::vector<Tensor> constants;
  bool is_open = false;
  for (const ValueId id : node.inputs) {
    types.push_back(id == kNone ? TensorType{} : types_[static_cast<size_t>(id)]);
    constants.push_back(id == kNone ? Tensor() : graph_.value(id).constant);
    is_open |= id != kNone && types.back().dtype == DType::undefined;
  }
  if (is_open) return;
  InferContext context(node.op.traits(), types, constants, node.outputs.size());
  context.set_label(node.name);
  for (size_t i = 0; i < node.inputs.size(); ++i)
    if (node.inputs[i] != kNone && data_[static_cast<size_t>(node.inputs[i])])
      context.set_shape_data(i, *data_[static_cast<size_t>(node.inputs[i])]);
  infer(node.op, context);
  for (size_t i = 0; i < node.outputs.size(); ++i) {
    if (node.outputs[i] == kNone) continue;
    const auto id = static_cast<size_t>(node.outputs[i]);
    types_[id] = sharpen(context.outputs()[i], types_[id]);
    data_[id] = context.output_shape_data(i);
  }
}

}  // namespace onemodel

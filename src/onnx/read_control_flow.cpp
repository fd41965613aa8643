#include "onnx/read_control_flow.h"

#include <algorithm>

#include "onnx/convert_attribute.h"
#include "onnx/free_names.h"

namespace onemodel {
namespace {

onnx::GraphProto* body_of(onnx::NodeProto& node, std::string_view name) {
  for (auto& attribute : *node.mutable_attribute())
    if (attribute.name() == name && attribute.has_g()) return attribute.mutable_g();
  throw ModelError("Malformed", concat("attribute '", name, "' is missing: a graph is expected"));
}

using Attributes = std::vector<std::pair<std::string, AttributeValue>>;

// Before opset 9 there was a batch axis, and one list of directions.
ControlFlow scan(onnx::NodeProto& node, int64_t opset) {
  Attributes attributes;
  for (const auto& attribute : node.attribute()) {
    if (attribute.has_g()) continue;
    const bool is_old_name = opset < 9 && attribute.name() == "directions";
    attributes.emplace_back(is_old_name ? "scan_input_directions" : attribute.name(), attribute_from_onnx(attribute));
  }
  ControlFlow out{
      make_op(traits_of<Scan>(), attributes), {node.input().begin(), node.input().end()}, {body_of(node, "body")}};
  Scan op = *out.op.as<Scan>();
  op.batched = opset < 9;
  op.states = node.input_size() - op.num_scan_inputs - (op.batched ? 1 : 0);
  out.op = op;
  return out;
}

ControlFlow loop(onnx::NodeProto& node) {
  ControlFlow out{
      Loop{std::max(node.input_size() - 2, 0)}, {node.input().begin(), node.input().end()}, {body_of(node, "body")}};
  while (out.inputs.size() < 2) out.inputs.emplace_back();
  return out;
}

}  // namespace

bool ControlFlow::reads(const std::string& name) const {
  return std::any_of(bodies.begin(), bodies.end(), [&](const onnx::GraphProto* body) {
    const auto names = free_names(*body);
    return std::find(names.begin(), names.end(), name) != names.end();
  });
}

ControlFlow control_flow_from_onnx(onnx::NodeProto& node, int64_t opset) {
  if (node.op_type() == "Loop") return loop(node);
  if (node.op_type() == "Scan") return scan(node, opset);
  if (node.op_type() == "SequenceMap")
    return {SequenceMap{node.input_size()}, {node.input().begin(), node.input().end()}, {body_of(node, "body")}};
  if (node.input_size() != 1) throw ModelError("Malformed", concat("expects 1 input, got ", node.input_size()));
  return {If{}, {node.input(0)}, {body_of(node, "then_branch"), body_of(node, "else_branch")}};
}

}  // namespace onemodel

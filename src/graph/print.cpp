#include "core/indented.h"
#include "graph/graph.h"

namespace onemodel {
namespace {

std::string reference(const Graph& graph, ValueId id) { return id == kNone ? "-" : "%" + graph.value(id).name; }

std::string contract_lines(const SizeContract& contract) {
  std::string out;
  for (const SizeRange& each : contract.ranges) out += concat("size ", each.label, " in ", bounds_text(each), '\n');
  for (const SizeRelation& each : contract.relations)
    if (const std::string formula = size_formula(each.root, each.scale, each.offset); formula != each.label)
      out += concat("size ", each.label, " = ", formula, '\n');
  return out;
}

}  // namespace

std::string to_string(const Graph& graph) {
  std::string out = concat("graph ", graph.name, '\n');
  for (ValueId id : graph.inputs) out += concat("input %", graph.value(id).name, ": ", graph.value(id).type, '\n');
  if (graph.contract) out += contract_lines(*graph.contract);
  for (const Value& value : graph.values)
    if (value.is_constant())
      out += concat("constant %", value.name, ": ", value.type, "  # ", constant_kind_name(value.kind), '\n');
  for (const auto& [id, shape] : graph.optional_inputs)
    out += concat("optional input %", graph.value(id).name, ": ", graph.value(id).type.dtype, shape, '\n');
  for (const Node& node : graph.nodes) {
    for (size_t i = 0; i < node.outputs.size(); ++i) {
      if (i) out += ", ";
      out += reference(graph, node.outputs[i]);
      if (node.outputs[i] != kNone) out += concat(": ", graph.value(node.outputs[i]).type);
    }
    out += concat(" = ", node.op);
    if (node.clamp) out += concat(" clamp[", node.clamp->min, ", ", node.clamp->max, "]");
    for (ValueId id : node.inputs) out += " " + reference(graph, id);
    if (!node.module_path.empty()) out += "  # " + node.module_path;
    out += '\n';
    for (const auto& body : node.bodies) out += indented(to_string(*body));
  }
  for (ValueId id : graph.outputs) out += concat("output %", graph.value(id).name, ": ", graph.value(id).type, '\n');
  return out;
}

}  // namespace onemodel

#include <algorithm>

#include "graph/container_ops.h"
#include "graph/control_flow.h"
#include "ops/infer.h"

namespace onemodel {
namespace {

// The declared type sharpened by the inferred one; sizes known on one side only are taken from there.
TensorType merge(const Node& node, const Value& value, const TensorType& inferred) {
  const TensorType& declared = value.type;
  if (declared.dtype == DType::undefined) return inferred;
  if (inferred.dtype == DType::undefined) return declared;
  const auto contradiction = [&] {
    throw ModelError("Malformed", concat("node '", node.name, "' (", node.op.name(), "): output '", value.name,
                                         "' is declared ", declared, " but computes ", inferred));
  };
  if (declared.dtype != inferred.dtype || declared.shape.rank() != inferred.shape.rank()) contradiction();
  TensorType merged = inferred;
  for (size_t i = 0; i < merged.shape.rank(); ++i) {
    const Extent& d = declared.shape[i];
    Extent& m = merged.shape[i];
    if (d.is_number() && m.is_number() && !(d == m)) contradiction();
    const bool derived = !m.is_number() && m.text().find_first_of(" .") != std::string::npos;
    if (derived || (d.is_number() && !m.is_number())) m = d;
  }
  return merged;
}

}  // namespace

bool has_all_types(const Graph& graph) {
  return std::none_of(graph.values.begin(), graph.values.end(), [](const Value& value) {
    return value.type.dtype == DType::undefined || value.holds != Holds::tensor;
  });
}

void infer_types(Graph& graph) {
  std::vector<std::optional<ShapeData>> data(graph.values.size());
  const auto is_unknown = [&](ValueId id) { return id != kNone && graph.value(id).type.dtype == DType::undefined; };
  for (Node& node : graph.nodes) {
    if (!node.bodies.empty()) {
      const std::vector<TensorType> types = control_flow_types(node);
      const std::vector<Holds> holds = control_flow_holds(node);
      for (size_t i = 0; i < node.outputs.size(); ++i) {
        if (node.outputs[i] == kNone) continue;
        Value& value = graph.value(node.outputs[i]);
        value.type = merge(node, value, types[i]);
        value.holds = holds[i];
      }
      continue;
    }
    if (handles_containers(graph, node)) {
      infer_containers(graph, node);
      continue;
    }
    if (std::any_of(node.inputs.begin(), node.inputs.end(), is_unknown)) continue;
    std::vector<TensorType> types;
    std::vector<Tensor> constants;
    for (ValueId id : node.inputs) {
      types.push_back(id == kNone ? TensorType{} : graph.value(id).type);
      constants.push_back(id == kNone ? Tensor() : graph.value(id).constant);
    }
    try {
      InferContext context(node.op.traits(), types, constants, node.outputs.size());
      context.set_label(node.name);
      for (size_t i = 0; i < node.inputs.size(); ++i)
        if (node.inputs[i] != kNone && data[static_cast<size_t>(node.inputs[i])])
          context.set_shape_data(i, *data[static_cast<size_t>(node.inputs[i])]);
      infer(node.op, context);
      for (size_t i = 0; i < node.outputs.size(); ++i) {
        if (node.outputs[i] == kNone) continue;
        Value& value = graph.value(node.outputs[i]);
        value.type = merge(node, value, context.outputs()[i]);
        data[static_cast<size_t>(node.outputs[i])] = context.output_shape_data(i);
      }
    } catch (Error& error) {
      error.add_context(concat("node '", node.name, "'"));
      throw;
    }
  }
}

}  // namespace onemodel

#include "graph/infer_types.h"

#include <algorithm>

#include "graph/container_ops.h"
#include "graph/control_flow.h"
#include "graph/known_inputs.h"
#include "ops/infer.h"

namespace onemodel {
namespace {

// The declared type sharpened by the inferred one; sizes known on one side only are taken from there.
TensorType merge(const Value& value, const TensorType& inferred) {
  const TensorType& declared = value.type;
  if (declared.dtype == DType::undefined) return inferred;
  if (inferred.dtype == DType::undefined) return declared;
  const auto contradiction = [&] {
    throw ModelError("Malformed",
                     concat("output '", value.name, "' is declared ", declared, " but computes ", inferred));
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

namespace {

class Inference {
 public:
  explicit Inference(Graph& graph) : graph_(graph), data_(graph.values.size()) {}

  void infer(const Node& node) {
    try {
      if (!node.bodies.empty())
        infer_control_flow(node);
      else if (handles_containers(graph_, node))
        infer_containers(graph_, node);
      else if (std::ranges::none_of(node.inputs, [&](ValueId id) { return is_unknown(id); }))
        infer_operator(node);
    } catch (Error& error) {
      error.add_context(concat("node '", node.name, "' (", node.op.name(), ")"));
      throw;
    }
  }

 private:
  bool is_unknown(ValueId id) const { return id != kNone && graph_.value(id).type.dtype == DType::undefined; }

  void infer_control_flow(const Node& node) {
    const std::vector<TensorType> types = control_flow_types(node);
    const std::vector<Holds> holds = control_flow_holds(node);
    for (size_t i = 0; i < node.outputs.size(); ++i) {
      if (node.outputs[i] == kNone) continue;
      Value& value = graph_.value(node.outputs[i]);
      value.type = merge(value, types[i]);
      value.holds = holds[i];
    }
  }

  void infer_operator(const Node& node) {
    const KnownInputs known = known_inputs(graph_, node.inputs);
    InferContext context(node.op.traits(), known.types, known.constants, node.outputs.size());
    context.set_label(node.name);
    for (size_t i = 0; i < node.inputs.size(); ++i)
      if (node.inputs[i] != kNone && data_[static_cast<size_t>(node.inputs[i])])
        context.set_shape_data(i, *data_[static_cast<size_t>(node.inputs[i])]);
    onemodel::infer(node.op, context);
    for (size_t i = 0; i < node.outputs.size(); ++i) {
      if (node.outputs[i] == kNone) continue;
      Value& value = graph_.value(node.outputs[i]);
      value.type = merge(value, context.outputs()[i]);
      data_[static_cast<size_t>(node.outputs[i])] = context.output_shape_data(i);
    }
  }

  Graph& graph_;
  std::vector<std::optional<ShapeData>> data_;  // by ValueId
};

}  // namespace

void infer_types(Graph& graph) {
  Inference inference(graph);
  for (const Node& node : graph.nodes) inference.infer(node);
}

void infer_types(Graph& graph, const std::function<void(const Error&)>& on_error) {
  Inference inference(graph);
  for (const Node& node : graph.nodes) {
    try {
      inference.infer(node);
    } catch (const Error& error) {
      on_error(error);
    }
  }
}

}  // namespace onemodel

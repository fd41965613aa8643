#include "onnx/lowered_graph.h"

#include <algorithm>

#include "ops/infer.h"

namespace onemodel {

LoweredGraph::LoweredGraph(const Graph& from) : graph_(from) {
  graph_.nodes.clear();
  for (const Value& value : graph_.values) value_names_.take(value.name);
  for (const Node& node : from.nodes) node_names_.take(node.name);
}

const TensorType* LoweredGraph::type(const Node& node, size_t input) const {
  const bool has = input < node.inputs.size() && node.inputs[input] != kNone;
  return has ? &graph_.value(node.inputs[input]).type : nullptr;
}

void LoweredGraph::append(Node node) {
  for (const ValueId id : node.outputs)
    if (id != kNone) graph_.value(id).producer = static_cast<NodeId>(graph_.nodes.size());
  graph_.nodes.push_back(std::move(node));
}

void LoweredGraph::make_constant(ValueId id, Tensor tensor) {
  graph_.value(id).constant = std::move(tensor);
  graph_.value(id).producer = kNone;
}

ValueId LoweredGraph::add(Value value) {
  graph_.values.push_back(std::move(value));
  return static_cast<ValueId>(graph_.values.size()) - 1;
}

ValueId LoweredGraph::new_value(ValueId id, std::string_view suffix) {
  return add({.name = value_names_.unique(concat(value(id).name, "_", suffix)), .type = value(id).type});
}

ValueId LoweredGraph::add_constant(const Node& like, std::string_view suffix, Tensor tensor) {
  return add({.name = value_names_.unique(concat(like.name, "_", suffix)),
              .type = {tensor.dtype(), tensor.dims()},
              .constant = tensor});
}

ValueId LoweredGraph::make(const Node& like, std::string_view suffix, Op op, std::vector<ValueId> inputs) {
  const std::string name = concat(like.name, "_", suffix);
  std::vector<TensorType> types;
  std::vector<Tensor> constants;
  for (const ValueId id : inputs) {
    types.push_back(value(id).type);
    constants.push_back(value(id).constant);
  }
  const bool is_open = std::ranges::any_of(types, [](const TensorType& t) { return t.dtype == DType::undefined; });
  InferContext context(op.traits(), types, constants, 1);
  const ValueId out = add({.name = value_names_.unique(name), .type = is_open ? TensorType{} : infer(op, context)[0]});
  append({std::move(op), std::move(inputs), {out}, node_names_.unique(name), like.module_path});
  return out;
}

void LoweredGraph::give(const Node& like, Op op, std::vector<ValueId> inputs) {
  append({std::move(op), std::move(inputs), like.outputs, like.name, like.module_path});
}

}  // namespace onemodel

#include "graph/optional_inputs.h"

#include <algorithm>

namespace onemodel {
namespace {

bool is_copy(const Tensor& a, const Tensor& b) {
  return a.defined() && a.raw() == b.raw() && a.dtype() == b.dtype() && a.dims() == b.dims() &&
         a.strides() == b.strides();
}

bool holds_copy(const Graph& body, const Tensor& constant) {
  const auto in_node = [&](const Node& node) {
    return std::any_of(node.bodies.begin(), node.bodies.end(),
                       [&](const auto& inner) { return holds_copy(*inner, constant); });
  };
  return std::any_of(body.values.begin(), body.values.end(),
                     [&](const Value& value) { return is_copy(value.constant, constant); }) ||
         std::any_of(body.nodes.begin(), body.nodes.end(), in_node);
}

void forget_types(Graph& graph) {
  for (Value& value : graph.values)
    if (value.producer != kNone) value.type = {};
}

void become_input(Graph& graph, ValueId id, const Shape& shape) {
  Value& value = graph.value(id);
  value.type = {value.constant.dtype(), shape};
  value.constant = {};
  value.kind = ConstantKind::plain;
  graph.inputs.push_back(id);
}

/// Makes what `constant` was an input of the bodies of every node, where one of them has a copy.
class Threading {
 public:
  Threading(const Tensor& constant, const Shape& shape) : constant_(constant), shape_(shape) {}

  void through(Graph& graph, ValueId source) const {
    for (Node& node : graph.nodes) {
      const auto has_copy = [&](const auto& body) { return holds_copy(*body, constant_); };
      if (std::none_of(node.bodies.begin(), node.bodies.end(), has_copy)) continue;
      for (auto& body : node.bodies) body = opened(*body);
      node.inputs.push_back(source);
    }
  }

 private:
  std::shared_ptr<const Graph> opened(const Graph& body) const {
    const auto out = std::make_shared<Graph>(body);
    const ValueId input = input_of(*out);
    through(*out, input);
    forget_types(*out);
    infer_types(*out);
    return out;
  }

  ValueId input_of(Graph& body) const {
    std::vector<ValueId> copies;
    for (size_t v = 0; v < body.values.size(); ++v)
      if (is_copy(body.values[v].constant, constant_)) copies.push_back(static_cast<ValueId>(v));
    if (copies.empty()) return body.add_input(body.unique_name("replaced"), {constant_.dtype(), shape_});
    become_input(body, copies[0], shape_);
    const auto replace = [&](std::vector<ValueId>& ids) {
      for (ValueId& id : ids)
        if (std::find(copies.begin(), copies.end(), id) != copies.end()) id = copies[0];
    };
    for (Node& node : body.nodes) replace(node.inputs);
    replace(body.outputs);
    return copies[0];
  }

  const Tensor& constant_;
  const Shape& shape_;
};

}  // namespace

Graph with_optional_inputs(Graph graph, std::span<const size_t> chosen) {
  const std::vector<OptionalInput> optional = std::move(graph.optional_inputs);
  graph.optional_inputs.clear();
  for (const size_t i : chosen) {
    const auto& [id, shape] = optional[i];
    const Tensor constant = graph.value(id).constant;
    become_input(graph, id, shape);
    Threading(constant, shape).through(graph, id);
  }
  if (chosen.empty()) return graph;
  forget_types(graph);
  infer_types(graph);
  return graph;
}

}  // namespace onemodel

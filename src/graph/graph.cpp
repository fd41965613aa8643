#include "graph/graph.h"

#include <algorithm>
#include <unordered_set>

#include "graph/known_inputs.h"
#include "ops/infer.h"

namespace onemodel {
ValueId Graph::add_input(std::string value_name, TensorType type) {
  check(!value_name.empty() && find_value(value_name) == kNone, "graph input name '", value_name,
        "' is empty or used twice");
  values.push_back({.name = std::move(value_name), .type = std::move(type)});
  inputs.push_back(static_cast<ValueId>(values.size()) - 1);
  return inputs.back();
}

ValueId Graph::add_constant(std::string value_name, Tensor constant, ConstantKind kind) {
  const TensorType type{constant.dtype(), Shape(constant.dims())};
  values.push_back({.name = unique_name(value_name.empty() ? "constant" : value_name),
                    .type = type,
                    .constant = std::move(constant),
                    .kind = kind});
  return static_cast<ValueId>(values.size()) - 1;
}

std::vector<ValueId> Graph::add_node(Op op, std::vector<ValueId> node_inputs, std::string node_name, size_t count,
                                     std::string module_path) {
  node_name = unique_name(node_name.empty() ? op.name() : std::string_view(node_name));
  const KnownInputs known = known_inputs(*this, node_inputs);
  InferContext context(op.traits(), known.types, known.constants, count);
  context.set_label(node_name);
  std::vector<TensorType> out_types(count);
  const auto is_open = [&](ValueId id) { return id != kNone && value(id).type.dtype == DType::undefined; };
  try {
    if (std::ranges::none_of(node_inputs, is_open)) out_types = infer(op, context);
  } catch (Error& error) {
    error.add_context(concat("node '", node_name, "'"));
    throw;
  }
  std::vector<ValueId> out;
  const auto id = static_cast<NodeId>(nodes.size());
  for (size_t i = 0; i < count; ++i) {
    const std::string stem = count == 1 ? node_name + "_out" : concat(node_name, "_", op.traits().outputs[i]);
    values.push_back({.name = unique_name(stem), .type = out_types[i], .producer = id});
    out.push_back(static_cast<ValueId>(values.size()) - 1);
  }
  nodes.push_back({std::move(op), std::move(node_inputs), out, std::move(node_name), std::move(module_path)});
  return out;
}

const Node* Graph::producer(ValueId id) const {
  return id == kNone || value(id).producer == kNone ? nullptr : &node(value(id).producer);
}

ValueId Graph::find_value(std::string_view wanted) const {
  for (size_t i = 0; i < values.size(); ++i)
    if (values[i].name == wanted) return static_cast<ValueId>(i);
  return kNone;
}

bool Graph::is_output(ValueId id) const { return std::find(outputs.begin(), outputs.end(), id) != outputs.end(); }

std::string Graph::unique_name(std::string_view stem) const {
  const auto taken = [this](std::string_view candidate) {
    return find_value(candidate) != kNone ||
           std::any_of(nodes.begin(), nodes.end(), [&](const Node& node) { return node.name == candidate; });
  };
  std::string candidate(stem);
  for (int suffix = 1; taken(candidate); ++suffix) candidate = concat(stem, "_", suffix);
  return candidate;
}

void Graph::compact() {
  std::vector<bool> used(values.size());
  const auto mark = [&](const std::vector<ValueId>& ids) {
    for (ValueId id : ids)
      if (id != kNone) used[static_cast<size_t>(id)] = true;
  };
  mark(inputs);
  mark(outputs);
  for (const OptionalInput& input : optional_inputs) used[static_cast<size_t>(input.value)] = true;
  for (const Node& node : nodes) {
    mark(node.inputs);
    mark(node.outputs);
  }
  std::vector<ValueId> renumbered(values.size(), kNone);
  std::vector<Value> kept;
  for (size_t i = 0; i < values.size(); ++i) {
    if (!used[i]) continue;
    renumbered[i] = static_cast<ValueId>(kept.size());
    kept.push_back(std::move(values[i]));
    kept.back().producer = kNone;
  }
  values = std::move(kept);
  const auto renumber = [&](std::vector<ValueId>& ids) {
    for (ValueId& id : ids)
      if (id != kNone) id = renumbered[static_cast<size_t>(id)];
  };
  renumber(inputs);
  renumber(outputs);
  for (OptionalInput& input : optional_inputs) input.value = renumbered[static_cast<size_t>(input.value)];
  for (size_t n = 0; n < nodes.size(); ++n) {
    renumber(nodes[n].inputs);
    renumber(nodes[n].outputs);
    for (ValueId id : nodes[n].outputs)
      if (id != kNone) value(id).producer = static_cast<NodeId>(n);
  }
}

std::vector<std::vector<NodeId>> users_of(const Graph& graph) {
  std::vector<std::vector<NodeId>> users(graph.values.size());
  for (size_t n = 0; n < graph.nodes.size(); ++n)
    for (ValueId id : graph.nodes[n].inputs)
      if (id != kNone) users[static_cast<size_t>(id)].push_back(static_cast<NodeId>(n));
  return users;
}

}  // namespace onemodel

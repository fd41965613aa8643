#include "passes/rewriter.h"

#include <algorithm>
#include <stdexcept>

#include "graph/known_inputs.h"
#include "ops/infer.h"

namespace onemodel {
namespace {

template <class... Parts>
void expect(bool ok, const Parts&... parts) {
  if (!ok) [[unlikely]]
    throw std::logic_error(concat("patch: ", parts...));
}

void drop_removed(Graph& graph) {
  std::erase_if(graph.nodes, [](const Node& node) { return node.outputs.empty(); });
  graph.compact();
  verify(graph);
}

TensorType inferred_type(const Graph& graph, const Node& node) {
  const KnownInputs known = known_inputs(graph, node.inputs);
  InferContext context(node.op.traits(), known.types, known.constants, 1);
  context.set_label(node.name);
  return infer(node.op, context)[0];
}

void expect_compatible(const Node& node, const TensorType& made, const TensorType& wanted) {
  bool same = made.dtype == wanted.dtype && made.shape.rank() == wanted.shape.rank();
  for (size_t i = 0; same && i < made.shape.rank(); ++i)
    same = !made.shape[i].is_number() || !wanted.shape[i].is_number() || made.shape[i] == wanted.shape[i];
  expect(same, "node '", node.name, "' makes ", made, " in place of ", wanted);
}

}  // namespace

Rewriter::Rewriter(Graph graph) : graph_(std::move(graph)) {
  is_output_.resize(graph_.values.size());
  for (ValueId id : graph_.outputs) is_output_[static_cast<size_t>(id)] = true;
  for (const Value& value : graph_.values) names_.insert(value.name);
  for (const Node& node : graph_.nodes) names_.insert(node.name);
  index();
}

void Rewriter::index() {
  users_ = users_of(graph_);
  for (size_t n = 0; n < graph_.nodes.size(); ++n)
    for (ValueId id : graph_.nodes[n].outputs)
      if (id != kNone) graph_.value(id).producer = static_cast<NodeId>(n);
}

void Rewriter::apply(NodeId at, const Patch& patch) {
  const auto first_new = static_cast<ValueId>(graph_.values.size());
  for (NodeId id : patch.removed()) remove(id);
  for (const auto& [id, constant] : patch.constants()) {
    Value& value = new_value(id);
    value.name = unique(constant.name);
    value.type = {constant.tensor.dtype(), Shape(constant.tensor.dims())};
    value.constant = constant.tensor;
    value.kind = constant.kind;
  }
  for (const Node& node : patch.nodes()) insert(at++, patch, node);
  for (const auto& [old, replacement] : patch.replaced()) replace(old, replacement, replacement >= first_new);
}

std::string Rewriter::unique(const std::string& stem) {
  std::string candidate = stem;
  for (int suffix = 1; !names_.insert(candidate).second; ++suffix) candidate = concat(stem, "_", suffix);
  return candidate;
}

Value& Rewriter::new_value(ValueId id) {
  const size_t count = std::max(graph_.values.size(), static_cast<size_t>(id) + 1);
  graph_.values.resize(count);
  users_.resize(count);
  is_output_.resize(count);
  return graph_.value(id);
}

void Rewriter::remove(NodeId id) {
  Node& node = graph_.node(id);
  expect(!node.outputs.empty(), "a node is removed twice");
  for (ValueId input : node.inputs)
    if (input != kNone) std::erase(users_[static_cast<size_t>(input)], id);
  for (ValueId output : node.outputs)
    if (output != kNone) graph_.value(output).producer = kNone;
  names_.erase(node.name);
  node.inputs.clear();
  node.outputs.clear();
}

void Rewriter::insert(NodeId at, const Patch& patch, const Node& added) {
  Node node = added;
  node.name = unique(node.name);
  const ValueId output = node.outputs[0];
  new_value(output);
  TensorType type = inferred_type(graph_, node);
  for (const auto& [old, replacement] : patch.replaced()) {
    if (replacement != output) continue;
    expect_compatible(node, type, graph_.value(old).type);
    type = graph_.value(old).type;
  }
  Value& value = graph_.value(output);
  value.name = unique(node.name + "_out");
  value.type = std::move(type);
  value.producer = at;
  if (at < static_cast<NodeId>(graph_.nodes.size()) && is_removed(at)) {
    for (ValueId input : node.inputs)
      if (input != kNone) users_[static_cast<size_t>(input)].push_back(at);
    graph_.node(at) = std::move(node);
  } else {
    graph_.nodes.insert(graph_.nodes.begin() + at, std::move(node));
    index();
  }
}

void Rewriter::replace(ValueId old, ValueId replacement, bool is_new) {
  auto& readers = users_[static_cast<size_t>(old)];
  auto& users = users_[static_cast<size_t>(replacement)];
  for (NodeId reader : readers) {
    auto& inputs = graph_.node(reader).inputs;
    std::replace(inputs.begin(), inputs.end(), old, replacement);
  }
  users.insert(users.end(), readers.begin(), readers.end());
  readers.clear();
  const bool output = is_output_[static_cast<size_t>(old)];
  if (output) {
    std::replace(graph_.outputs.begin(), graph_.outputs.end(), old, replacement);
    is_output_[static_cast<size_t>(old)] = false;
    is_output_[static_cast<size_t>(replacement)] = true;
  }
  if (output || is_new) std::swap(graph_.value(replacement).name, graph_.value(old).name);
}

Graph Rewriter::snapshot() const {
  Graph copy = graph_;
  drop_removed(copy);
  return copy;
}

Graph Rewriter::finish() && {
  drop_removed(graph_);
  return std::move(graph_);
}

}  // namespace onemodel

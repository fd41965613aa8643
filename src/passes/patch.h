#pragma once
// What a pass sees of a graph, and the change it asks for.

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "graph/graph.h"

namespace onemodel {

/// A graph with the look-ups that guards need. Only valid until the next patch is applied.
class PassContext {
 public:
  PassContext(const Graph& graph, const std::vector<std::vector<NodeId>>& users, const std::vector<bool>& outputs)
      : graph_(graph), users_(users), outputs_(outputs) {}

  const Graph& graph() const { return graph_; }
  const Node& node(NodeId id) const { return graph_.node(id); }
  const Value& value(ValueId id) const { return graph_.value(id); }
  /// The nodes that read `id`, once per use.
  std::span<const NodeId> users(ValueId id) const { return users_[static_cast<size_t>(id)]; }
  bool is_output(ValueId id) const { return outputs_[static_cast<size_t>(id)]; }
  /// Read by exactly one operand and no graph output: its producer can be absorbed by the reader.
  bool used_once(ValueId id) const { return users(id).size() == 1 && !is_output(id); }
  bool is_constant(ValueId id) const { return id != kNone && value(id).is_constant(); }
  /// Operand `i` of `node`, or kNone when it is absent.
  static ValueId operand(const Node& node, size_t i) { return i < node.inputs.size() ? node.inputs[i] : kNone; }
  /// The node that makes `id` when it applies a T, else null.
  template <class T>
  const Node* produced_by(ValueId id) const {
    const Node* node = graph_.producer(id);
    return node && node->op.is<T>() ? node : nullptr;
  }
  /// Whether all reads of `old` may read `replacement` instead: graph outputs keep their names, so an output is not
  /// replaced by an input, a constant or another output.
  bool can_replace(ValueId old, ValueId replacement) const;

 private:
  const Graph& graph_;
  const std::vector<std::vector<NodeId>>& users_;
  const std::vector<bool>& outputs_;
};

/// A change of a graph: nodes to remove, constants and nodes to add, values to read from elsewhere. Ids of what it adds
/// continue the graph's value ids, so that later parts of the patch can use them. New nodes take the place of the node
/// that the pass was asked about; what they read must be defined before it.
class Patch {
 public:
  struct Constant {
    std::string name;
    Tensor tensor;
    ConstantKind kind;
  };

  explicit Patch(const Graph& graph) : next_(static_cast<ValueId>(graph.values.size())) {}

  void remove(NodeId node) { removed_.push_back(node); }
  /// `name` is made unique when the patch is applied.
  ValueId add_constant(std::string name, Tensor tensor, ConstantKind kind = ConstantKind::plain);
  /// A node with one output. Name and module path are those of `like`, a node that the patch removes.
  ValueId add_node(const Node& like, Op op, std::vector<ValueId> inputs, std::optional<Clamp> clamp = {});
  /// Every read of `old`, graph outputs included, becomes one of `replacement`. A value that the patch adds takes the
  /// name and type of what it replaces.
  void replace(ValueId old, ValueId replacement) { replaced_.emplace_back(old, replacement); }

  std::span<const NodeId> removed() const { return removed_; }
  std::span<const std::pair<ValueId, Constant>> constants() const { return constants_; }
  std::span<const Node> nodes() const { return nodes_; }
  std::span<const std::pair<ValueId, ValueId>> replaced() const { return replaced_; }

 private:
  ValueId next_;
  std::vector<NodeId> removed_;
  std::vector<std::pair<ValueId, Constant>> constants_;
  std::vector<Node> nodes_;
  std::vector<std::pair<ValueId, ValueId>> replaced_;
};

/// A rewrite: guards first, then the patch. It is asked about every node.
using Rewrite = std::optional<Patch> (*)(const PassContext&, NodeId);

}  // namespace onemodel

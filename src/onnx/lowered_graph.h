#pragma once
// A graph while its nodes are rewritten one by one.

#include <string_view>
#include <vector>

#include "graph/graph.h"
#include "onnx/name_pool.h"

namespace onemodel {

class LoweredGraph {
 public:
  /// The inputs, outputs and values of `from`, without its nodes.
  explicit LoweredGraph(const Graph& from);

  const Value& value(ValueId id) const { return graph_.value(id); }
  /// Nothing for an absent operand.
  const TensorType* type(const Node& node, size_t input) const;
  void append(Node node);
  void make_constant(ValueId id, Tensor tensor);

  /// A value like `id`, to stand between the nodes that replace one.
  ValueId new_value(ValueId id, std::string_view suffix);
  ValueId add_constant(const Node& like, std::string_view suffix, Tensor tensor);
  /// The result of a new node, all of whose operands are there, that is part of what `like` stands for.
  ValueId make(const Node& like, std::string_view suffix, Op op, std::vector<ValueId> inputs);
  /// Appends the last part, which gives the outputs of `like` and has its name.
  void give(const Node& like, Op op, std::vector<ValueId> inputs);
  std::string unique_node_name(const std::string& stem) { return node_names_.unique(stem); }

  Graph finish() && { return std::move(graph_); }

 private:
  ValueId add(Value value);

  Graph graph_;
  NamePool value_names_, node_names_;
};

}  // namespace onemodel

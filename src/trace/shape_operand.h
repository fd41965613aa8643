#pragma once
// The shape operand of Reshape and Expand in a traced graph.

#include <map>
#include <string>

#include "graph/graph.h"
#include "trace/graph_constants.h"

namespace onemodel {

/// Makes shape operands: constants where nothing is symbolic, a constant with one -1 where one extent is, and otherwise
/// Shape nodes of values that have the symbolic extents, multiplied and concatenated with the numbers.
class ShapeOperands {
 public:
  ShapeOperands(Graph& graph, TraceConstants& constants) : graph_(graph), constants_(constants) {}

  /// `may_infer`: the operator takes -1 for the extent that follows from the others (Reshape).
  ValueId operand(const Shape& shape, bool may_infer, const std::string& module_path);
  /// Whether every symbolic extent of `shape`, or each of its factors, is that of a value offered before.
  bool can_make(const Shape& shape) const;
  /// Tells that `id` has `shape`: its extents can be read from it.
  void offer(ValueId id, const Shape& shape);

 private:
  struct Source {
    ValueId value;
    size_t axis;
  };
  ValueId computed(const Shape& shape, const std::string& module_path);
  ValueId extent(const Extent& extent, const std::string& module_path);
  ValueId node(Op op, std::vector<ValueId> inputs, int64_t length, const std::string& module_path);

  Graph& graph_;
  TraceConstants& constants_;
  std::map<std::string, Source> sources_;           // by the extent's text
  std::map<std::string, ValueId> made_, operands_;  // sizes and whole operands that were computed
};

}  // namespace onemodel

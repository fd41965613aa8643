#pragma once
// Applies patches to a graph and keeps the look-ups of PassContext up to date.

#include <string>
#include <unordered_set>
#include <vector>

#include "passes/patch.h"

namespace onemodel {

/// Removed nodes stay as empty entries until `finish`, so that ids hold while a pass walks over the
/// graph.
class Rewriter {
 public:
  explicit Rewriter(Graph graph);
  PassContext context() const { return {graph_, users_, is_output_}; }
  size_t node_count() const { return graph_.nodes.size(); }
  bool is_removed(NodeId id) const { return graph_.node(id).outputs.empty(); }
  const std::string& node_name(NodeId id) const { return graph_.node(id).name; }

  /// Applies `patch`, which a pass made for node `at`. Throws std::logic_error for a patch that does
  /// not fit the graph: that is a mistake of the pass.
  void apply(NodeId at, const Patch& patch);
  /// A verified copy without removed nodes and unused values.
  Graph snapshot() const;
  /// The same without copying.
  Graph finish() &&;

 private:
  std::string unique(const std::string& stem);
  Value& new_value(ValueId id);
  void remove(NodeId id);
  void insert(NodeId at, const Patch& patch, const Node& node);
  void replace(ValueId old, ValueId replacement, bool is_new);
  void index();

  Graph graph_;
  std::vector<std::vector<NodeId>> users_;
  std::vector<bool> is_output_;
  std::unordered_set<std::string> names_;  // of values and nodes
};

}  // namespace onemodel

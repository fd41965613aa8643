#pragma once
// Names for what a trace appends to its graph.

#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

#include "graph/graph.h"

namespace onemodel {

/// The names that `Graph::unique_name` gives, without looking through the whole graph for each. It sees what others append, but not
/// what they rename: that is told by `take`.
class GraphNames {
 public:
  explicit GraphNames(const Graph& graph) : graph_(graph) {}

  std::string unique(std::string_view stem);
  void take(std::string name) { taken_.insert(std::move(name)); }

 private:
  const Graph& graph_;
  size_t values_ = 0, nodes_ = 0;  // how many of the graph's are known
  std::unordered_set<std::string> taken_;
  std::unordered_map<std::string, int> suffixes_;  // by stem, the next to try
};

}  // namespace onemodel

#include "trace/graph_names.h"

namespace onemodel {

std::string GraphNames::unique(std::string_view stem) {
  for (; values_ < graph_.values.size(); ++values_) taken_.insert(graph_.values[values_].name);
  for (; nodes_ < graph_.nodes.size(); ++nodes_) taken_.insert(graph_.nodes[nodes_].name);
  std::string name(stem);
  if (!taken_.contains(name)) return name;
  for (int& suffix = suffixes_.try_emplace(name, 1).first->second;; ++suffix)
    if (name = concat(stem, "_", suffix); !taken_.contains(name)) return name;
}

}  // namespace onemodel

#pragma once
// Several graphs in one file, each with what a layer above keeps of it.

#include <cstddef>
#include <string>
#include <vector>

#include "graph/graph.h"

namespace onemodel {

/// `record` is that layer's own, opaque here; a file without records has one graph without name and record.
struct StoredGraph {
  std::string name;
  Graph graph;
  std::vector<std::byte> record;
};

}  // namespace onemodel

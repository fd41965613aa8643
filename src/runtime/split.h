#pragma once
// Cuts a graph where sizes become known only while it runs.

#include <vector>

#include "graph/graph.h"

namespace onemodel {

/// A part of a graph whose sizes follow from those, and from small contents, of what it reads.
struct Piece {
  Graph graph;
  std::vector<ValueId> inputs, outputs;  // of the whole graph, in the order of those of `graph`
};

/// First the piece (when it has nodes), then the nodes that stand alone: control flow, and operators whose results' sizes
/// depend on values. A value that decides sizes without following from sizes comes from an earlier stage, so that the plan
/// of a piece knows its contents.
struct Stage {
  Piece piece;
  std::vector<NodeId> alone;
};

/// One stage without lone nodes when everything follows from the inputs. Nodes that no output needs are left out.
std::vector<Stage> split(const Graph& graph);

}  // namespace onemodel

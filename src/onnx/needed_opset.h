#pragma once
// Which opset a graph is to be written in.

#include <cstdint>

#include "graph/graph.h"

namespace onemodel {

inline constexpr int64_t kLowestWrittenOpset = 20;

/// The lowest opset from 20 up whose operators take the attributes and element types that the nodes have, those of graphs
/// inside them included.
int64_t needed_opset(const Graph& graph);

/// The IR version that came with an opset (20 to 25).
int64_t ir_version_of(int64_t opset);

}  // namespace onemodel

#pragma once
// Graphs in ONNX operators only.

#include "graph/graph.h"

namespace onemodel {

/// The same graph without what ONNX does not have: a fused clamp becomes a Relu or Clip node after
/// its node, an operator that passes make those that it stands for (lower_fused.h), and a Constant
/// node a constant. The last of the nodes that replace one keeps its outputs. Throws ModelError(Unsupported) naming every node whose
/// operator has no ONNX form.
Graph lower_to_onnx(const Graph& graph);

}  // namespace onemodel

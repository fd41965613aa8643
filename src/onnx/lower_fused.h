#pragma once
// What the operators that passes make stand for.

#include "onnx/lowered_graph.h"

namespace onemodel {

/// Appends the ONNX operators that a node of a fused operator stands for: FusedMatMul, FusedAttention, and
/// FusedQLinearMatMul, as the quantised model that it was made of. False, and nothing is appended, for other operators,
/// and where the form would depend on what is not known: the number of heads that share keys and values, or scales.
bool lower_fused(LoweredGraph& graph, const Node& node);

}  // namespace onemodel

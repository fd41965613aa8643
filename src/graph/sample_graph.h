#pragma once
// The sample calls of operators as graphs.

#include "graph/graph.h"
#include "ops/sample.h"

namespace onemodel {

/// One node. Its first operand that carries values is the input "x" of the graph; the others are constants.
Graph graph_of(const Sample& sample);

}  // namespace onemodel

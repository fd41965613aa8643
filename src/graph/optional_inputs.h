#pragma once
// Constants that callers may replace.

#include <span>

#include "graph/graph.h"

namespace onemodel {

/// `graph` with those of its optional inputs, by their place in `optional_inputs`, as inputs after its own; the others
/// are constants for good. Graphs inside nodes, which have copies of constants, take those from around them. All types
/// are inferred anew, since what followed from a default need not follow from what replaces it.
Graph with_optional_inputs(Graph graph, std::span<const size_t> chosen);

}  // namespace onemodel

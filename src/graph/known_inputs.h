#pragma once
// What inference sees of a node's inputs.

#include <span>
#include <vector>

#include "graph/graph.h"

namespace onemodel {

/// Types, and values where they are constant. An absent input has neither.
struct KnownInputs {
  std::vector<TensorType> types;
  std::vector<Tensor> constants;
};
KnownInputs known_inputs(const Graph& graph, std::span<const ValueId> inputs);

}  // namespace onemodel

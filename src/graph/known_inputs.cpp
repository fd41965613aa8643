#include "graph/known_inputs.h"

namespace onemodel {

KnownInputs known_inputs(const Graph& graph, std::span<const ValueId> inputs) {
  KnownInputs out;
  for (const ValueId id : inputs) {
    out.types.push_back(id == kNone ? TensorType{} : graph.value(id).type);
    out.constants.push_back(id == kNone ? Tensor() : graph.value(id).constant);
  }
  return out;
}

}  // namespace onemodel

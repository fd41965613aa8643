#pragma once
// Type inference that goes on after an error.

#include <functional>

#include "graph/graph.h"

namespace onemodel {

/// As infer_types of one argument, but `on_error` gets each error, and what does not depend on the node is inferred all the
/// same.
void infer_types(Graph& graph, const std::function<void(const Error&)>& on_error);

}  // namespace onemodel

#pragma once
// Graphs that JavaScript holds.

#include <memory>

#include "bindings/handles.h"
#include "graph/graph.h"

namespace onemodel::bindings {

Handles<std::shared_ptr<const Graph>>& graphs();

}  // namespace onemodel::bindings

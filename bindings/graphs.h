#pragma once
// Graphs that JavaScript holds.

#include <emscripten/val.h>

#include <memory>

#include "bindings/handles.h"
#include "graph/graph.h"

namespace onemodel::bindings {

Handles<std::shared_ptr<const Graph>>& graphs();

/// Numbers, and the names and formulas of symbolic sizes.
emscripten::val shape_of(const Shape& shape);

}  // namespace onemodel::bindings

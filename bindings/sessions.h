#pragma once
// What sessions of graphs and of programs share.

#include <emscripten/val.h>

#include <vector>

#include "runtime/session.h"

namespace onemodel::bindings {

/// [{name, dtype, shape}]
emscripten::val infos(const std::vector<ValueInfo>& list);
SessionOptions session_options(bool exact, bool optimize, const emscripten::val& intermediates);

}  // namespace onemodel::bindings

#pragma once
// State dicts between script and C++.

#include <emscripten/val.h>

#include <map>
#include <string>

#include "core/tensor.h"

namespace onemodel::bindings {

/// An object for entries by name. It has no prototype, so that any name is an entry's.
emscripten::val record();
/// {name: handle}, with a new handle for each tensor.
emscripten::val state_to_script(const std::map<std::string, Tensor>& state);
/// {name: handle} as a map.
std::map<std::string, Tensor> state_from_script(const emscripten::val& state);

}  // namespace onemodel::bindings

#pragma once
// Calls from C++ to script.

#include <emscripten/val.h>

#include <span>

#include "export/structure.h"

namespace onemodel::bindings {

/// Calls a function that takes a list of encoded arguments. It gives its result to `callbackResult`, encoded, and returns null;
/// or what was thrown as {name, kind, message}, which is thrown here as the error that it was.
Argument call_script(const emscripten::val& function, std::span<const Argument> arguments);

}  // namespace onemodel::bindings

#pragma once
// What script is generated from, as one number.

#include <cstdint>

namespace onemodel::nn {

/// A hash of the names and arguments of all operators, modules, optimizers, schedules and losses, in order: a WebAssembly
/// module and the generated script must agree on it.
uint32_t declarations_hash();

}  // namespace onemodel::nn

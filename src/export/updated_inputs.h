#pragma once
// What a program may do to the tensors that a caller gives it.

#include <span>
#include <string_view>
#include <vector>

#include "core/tensor.h"
#include "export/signature.h"

namespace onemodel {

/// The flat input that each update of a valid program is about, in the order of the outputs.
std::vector<size_t> targets_of_updates(const ProgramSignature& signature);
/// Of a call, before anything runs: throws ArgumentError for an element that is updated and shares memory with another input, and
/// GradientError, unless no-grad mode is on, for one that requires a gradient or has a history. `targets` as above.
void check_updated_inputs(std::string_view program, const ProgramSignature& signature, std::span<const size_t> targets,
                          std::span<const Tensor> user_inputs);

}  // namespace onemodel

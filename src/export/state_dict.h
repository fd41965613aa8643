#pragma once
// State by path, as checkpoints have it.

#include <map>
#include <string>
#include <string_view>

#include "export/program_state.h"

namespace onemodel {

/// Copies of parameters and persistent buffers by path, as they are now. Tied ones are there under each of their paths.
std::map<std::string, Tensor> state_dict(const ProgramSignature& signature, const ProgramState& state);
/// Replaces them, all at once: no run sees a part. Of tied ones a path is enough. Throws ModelError listing paths that are missing or
/// unknown, shapes and types that differ, and paths of one tensor with different values, before anything is changed.
void load_state_dict(std::string_view program, const ProgramSignature& signature, ProgramState& state,
                     const std::map<std::string, Tensor>& values);

}  // namespace onemodel

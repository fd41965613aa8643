#pragma once
// Holds a program against the model it was captured from.

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "export/export_program.h"

namespace onemodel {

/// What differs between what two programs, or a program and its model, gave: element type, sizes, or a value by more than
/// `tolerance` of the largest one (at least 1); empty when nothing does. `of_other` says what `other` is in: "the model".
std::string tensor_difference(const Tensor& program, const Tensor& other, std::string_view of_other, double tolerance);

/// Where both part: the output or state, what differs, and the module path of the node that makes it.
struct ProgramDifference {
  std::string what;
  std::string module_path;
};

/// Runs the model and the program twice on the examples, and compares results, updated state and updated elements of inputs: another
/// form, count or shape, another constant, or values that differ by more than `tolerance` of the largest one (at least 1). The model's state and generators, the examples and
/// the program's state are as they were afterwards. Throws what the model throws.
std::vector<ProgramDifference> compare_with_model(const ExportedProgram& program, const Exportable& model,
                                                  std::span<const NamedArgument> arguments, double tolerance = 1e-4);

}  // namespace onemodel

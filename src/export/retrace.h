#pragma once
// Captures a program anew while it is run with other operators.

#include <functional>
#include <span>
#include <vector>

#include "export/exported_program.h"
#include "export/interpret.h"

namespace onemodel {

/// An output that a retrace adds behind the program's.
struct AddedOutput {
  OutputSpec spec;
  Tensor value;
};
/// What is added after the run, of the flat inputs and outputs.
using AddOutputs =
    std::function<std::vector<AddedOutput>(std::span<const Tensor> inputs, std::span<const Tensor> outputs)>;

/// The program with every node run by `runner`; names of inputs and outputs, constraints, calls and structures are
/// kept, nodes stay in their calls. Throws TraceError as a capture does, and ArgumentError for a program
/// without example inputs whose values would take more than 1 GiB.
ExportedProgram retrace(const ExportedProgram& program, const NodeRunner& runner, const AddOutputs& add = {});

}  // namespace onemodel

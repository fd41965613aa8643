#pragma once
// Captures a program anew while it is run with other operators.

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "export/capture.h"
#include "export/exported_program.h"
#include "export/interpret.h"

namespace onemodel {

/// What a program is captured with besides: outputs beyond its own, each with what it is. `outputs` are those of the graph;
/// `inputs` all of its inputs, state first, all traced.
struct ExtraOutput {
  OutputSpec spec;
  Tensor tensor;
};
using ExtraOutputs =
    std::function<std::vector<ExtraOutput>(std::span<const Tensor> inputs, std::span<const Tensor> outputs)>;

/// The program with every node run by `runner`; names of inputs and outputs, constraints, calls and structures are kept, nodes
/// stay in their calls. `extra` adds outputs after the user's; none by default. Throws TraceError as a capture does.
ExportedProgram retrace(const ExportedProgram& program, const NodeRunner& runner, const ExtraOutputs& extra = {});

}  // namespace onemodel

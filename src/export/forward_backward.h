#pragma once
// Programs that compute gradients: a loss and the way back as one graph.

#include <string>
#include <vector>

#include "export/exported_program.h"

namespace onemodel {

struct ForwardBackwardOptions {
  /// The user output that is the loss; empty: the only one.
  std::string loss = {};
  /// User inputs whose gradients are wanted beside those of the parameters.
  std::vector<std::string> user_inputs = {};
};

/// The program with the gradients of its loss as further outputs: the loss is a LossOutput, and a GradientToParameter follows for each
/// parameter that it depends on, then a GradientToUserInput for each of those asked for. A call gives {output, gradients}, of which
/// the first is the program's result and the second has a gradient by path or name.
///
/// Throws ArgumentError for a program whose sizes may vary, for an output or input that there is not, and for a loss that is not one floating-point element; GradientError
/// for a loss that depends on nothing of these, and for an operator without a gradient; TraceError as `retrace` does.
ExportedProgram export_forward_backward(const ExportedProgram& program, const ForwardBackwardOptions& options = {});

}  // namespace onemodel

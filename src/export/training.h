#pragma once
// Programs that give gradients.

#include <string>

#include "export/exported_program.h"

namespace onemodel {

struct GradientOptions {
  std::string loss = {};     // the user output that is the loss; empty: the only one
  bool user_inputs = false;  // gradients by floating user inputs, too
};

/// The program with the gradient of its loss by every parameter as further outputs ("grad_" and the input's name): the loss
/// becomes a LossOutput, and a call gives a list of the result and the gradients. Throws ArgumentError for a loss that is
/// no user output, GradientError for an operator without gradient, TraceError for one whose gradient is no graph
/// (UnsupportedOperation) or needs a number for a size that varies (SymbolicShape).
ExportedProgram with_gradients(const ExportedProgram& program, const GradientOptions& options = {});

}  // namespace onemodel

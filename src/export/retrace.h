#pragma once
// Captures a program anew while it is run with other operators.

#include "export/exported_program.h"
#include "export/interpret.h"

namespace onemodel {

/// The program with every node run by `runner`; names of inputs and outputs, constraints, calls and structures are
/// kept, nodes stay in their calls. Throws TraceError as a capture does.
ExportedProgram retrace(const ExportedProgram& program, const NodeRunner& runner);

}  // namespace onemodel

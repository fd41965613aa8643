#pragma once
// What a program is run on when it is captured anew: its examples, and the same at other sizes.

#include <vector>

#include "export/exported_program.h"
#include "trace/second_run.h"

namespace onemodel {

/// A tensor per user input at the sizes of the recording: what the program was exported with, repeated or cut to these; without
/// that one number as often as needed, which takes no memory. Throws ArgumentError for a program without examples of these sizes
/// whose values would take more than 1 GiB.
std::vector<Tensor> examples_of(const ExportedProgram& program);

struct SizedInputs {
  SymbolSizes sizes;
  std::vector<Tensor> inputs;
};
/// The examples, repeated or cut to other sizes that the program takes: all sizes a little larger, and all as small as they may
/// be. Fewer where there are no others; none for a large program without its examples. Throws as examples_of.
std::vector<SizedInputs> examples_of_other_sizes(const ExportedProgram& program);

}  // namespace onemodel

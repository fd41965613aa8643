#pragma once
// A program's graph cut along its module calls.

#include <memory>
#include <string>
#include <vector>

#include "export/exported_program.h"

namespace onemodel {

/// How one call is computed: nodes of its own and calls inside it, in an order in which every value is there before its use.
struct CallBody {
  struct Step {
    bool is_call = false;
    size_t index = 0;  // of the node, or of the call
  };
  std::vector<Step> steps;
  /// The recorded ones first (kNone for what is no value; inputs may be constants), then those that only cross the boundary.
  std::vector<ValueId> inputs, outputs;
  size_t recorded_inputs = 0, recorded_outputs = 0;
  std::vector<size_t> state;  // state inputs that the call reads from its own module, or the root from anywhere
};

/// Immutable, shared by the modules of one tree.
struct CallPlan {
  Graph graph;
  ProgramSignature signature;
  InputContract contract;           // of the user inputs
  std::vector<ModuleCall> calls;    // at least the root
  std::vector<CallBody> bodies;     // one per call
  std::vector<std::string> owners;  // per state input, the path of the module that has it: "fc" for "fc.weight"
  std::vector<bool> updated;        // per state input, whether an output updates it
};

/// `with_calls` off: everything is the root's. Throws ModelError(Malformed) for calls that need each other's results.
std::shared_ptr<const CallPlan> plan_calls(const ExportedProgram& program, bool with_calls = true);

}  // namespace onemodel

#pragma once
// A captured model with its contract: what is state, what is the caller's, what it updates, which sizes it takes.

#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "export/module_calls.h"
#include "export/program_state.h"
#include "export/signature.h"
#include "export/structure.h"
#include "graph/graph.h"
#include "runtime/feeds.h"

namespace onemodel {

/// One argument of the exported model: its name and its form; leaves that are no tensors are constant in the program.
struct ProgramArgument : ArgumentForm {
  std::string name;
};

/// The graph is functional: its inputs are state and the user's tensors, its outputs the updates and the user's results, as
/// `signature` says. Copies share the state. What can be broken by hand, `validate` finds.
struct ExportedProgram {
  Graph graph;
  ProgramSignature signature;
  std::shared_ptr<ProgramState> state;  // one tensor per state input
  std::vector<ProgramArgument> arguments;
  Structure result;
  std::vector<std::optional<ArgumentLeaf>> result_constants;  // as in ArgumentForm
  std::vector<ModuleCall> calls;                              // the root first; empty: unknown
  std::vector<Tensor> example_inputs;                         // one per user input, or empty
  std::vector<std::string> warnings;
  bool trainable = false;  // export_for_training

  /// Runs the program eagerly on its state. Arguments by position, then by name. Updates of state and of the caller's container
  /// elements happen when everything has succeeded. Throws ArgumentError for a missing, repeated or unknown argument and
  /// for another structure than the exported one, ConstraintsError for tensors that the program does not take; these before anything
  /// runs.
  Argument call(std::span<const Argument> positional, std::span<const NamedArgument> named = {});
  /// The same for user inputs and outputs in their flat order.
  std::vector<Tensor> call_flat(std::span<const Tensor> user_inputs);

  /// Copies of parameters and persistent buffers by path, as they are now.
  std::map<std::string, Tensor> state_dict() const;
  /// Copies of lifted constants and buffers that are not persistent, by path, and the graph's own constants by name.
  std::map<std::string, Tensor> constants() const;
  /// Replaces parameters and buffers. Throws ModelError listing paths that are missing or unknown and shapes that differ, before
  /// anything is changed.
  void load_state_dict(const std::map<std::string, Tensor>& values);
  /// Empty when every size is fixed.
  std::vector<SizeRange> range_constraints() const;

  /// Throws ModelError(Malformed) with a line per problem, which says what is wrong where.
  void validate() const;
};

/// Equalities of two axes that the program demands, and what derived sizes are: "axis 1 of 'y' == axis 0 of 'x' (batch)", "axis 0
/// of 'z' == 2*n + 1", and "m == 2*n + 1" for a size with a name of its own.
std::vector<std::string> equality_constraints(const ExportedProgram& program);
/// What `validate` complains of.
std::vector<std::string> problems_of(const ExportedProgram& program);
/// Signature, constraints, graph and calls.
std::string to_string(const ExportedProgram& program);

/// The tensors of a call in the flat order, once its arguments are found to fit. Throws as `call` does.
std::vector<Tensor> flat_arguments(const ExportedProgram& program, std::span<const Argument> positional,
                                   std::span<const NamedArgument> named);
/// Throws TraceError(InPlaceMutation) when a capture runs, which would not see the updates that a program with this signature makes.
void refuse_in_capture(std::string_view name, const ProgramSignature& signature);
/// What a program demands of its user inputs.
InputContract user_contract(const Graph& graph, const ProgramSignature& signature);
/// The result that user outputs stand for.
Argument result_of(const ExportedProgram& program, std::span<const Tensor> user_outputs);

}  // namespace onemodel

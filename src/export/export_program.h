#pragma once
// Exports a module or a function.

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "export/capture.h"
#include "export/exported_program.h"
#include "export/find_constraints.h"

namespace onemodel {

/// What can be exported: state in the order of flat inputs, the modules that a call record may name, and a call on arguments
/// like the examples. `run` throws what the model throws.
struct Exportable {
  std::string name = "program";
  std::vector<nn::NamedTensor> state = {};
  std::map<const void*, std::string> module_paths = {};  // of modules that call by their address
  std::vector<std::string> known_paths = {};             // of all modules
  std::function<Argument(std::span<const Argument>)> run;
  /// While what it gives lives, runs find what earlier ones left outside of `state`, which is put back afterwards. Without it they
  /// always do.
  std::function<std::shared_ptr<void>()> keep_between_runs = {};
};
/// A module takes and gives tensors. Its modes are those it has.
Exportable exportable(nn::Module& module);
Exportable exportable(std::function<Argument(std::span<const Argument>)> function);

struct ExportOptions {
  ShapeSpec dynamic_shapes = {};
  /// Paths of modules whose calls keep the structure of their arguments and results.
  std::vector<std::string> preserve_module_calls = {};
  FindOptions find = {};
  /// Warnings (sizes of the example that may have been taken for one that varies) are a TraceError(SymbolicShape).
  bool strict = false;
};

/// Captures `model` on example arguments. The model is left as it was: parameters, buffers, modes, inputs and generators, also
/// when this throws. The program owns copies of the state.
///
/// Throws TraceError as a trace does (docs/tracing.md) and for updates of constants and whole inputs; ArgumentError for a
/// specification that does not fit the arguments and for an unknown path in preserve_module_calls, listing those there are;
/// ConstraintsError for declared sizes that the model cannot keep, all of them with the fixes.
ExportedProgram export_program(const Exportable& model, std::span<const NamedArgument> arguments,
                               const ExportOptions& options = {});
/// The same for a module of tensors, named "input", or "input_0", "input_1", ….
ExportedProgram export_program(nn::Module& module, std::span<const Tensor> inputs, const ExportOptions& options = {});

/// The same capture for training: sessions keep the parameters as inputs, so that they can be replaced, and `module` gives
/// parameters that require gradients, unless they were frozen.
ExportedProgram export_for_training(const Exportable& model, std::span<const NamedArgument> arguments,
                                    const ExportOptions& options = {});

/// Throws the ArgumentErrors of export_program without running the model.
void check_export(const Exportable& model, std::span<const NamedArgument> arguments, const ExportOptions& options);

/// One captured run: the program, without a contract of sizes, and what the run gave.
struct CapturedRun {
  Captured captured;
  std::vector<Tensor> state;    // one per state input, the model's own
  std::vector<Tensor> outputs;  // one per output of the graph
  ArgumentForm result;
};
/// `inputs` and `shapes` take the place of the tensors among `arguments`, depth first.
CapturedRun capture_run(const Exportable& model, std::span<const NamedArgument> arguments,
                        std::span<const Tensor> inputs, std::span<const Shape> shapes);
/// `inputs` as the arguments of a module: "input", or "input_0", ….
std::vector<NamedArgument> tensor_arguments(std::span<const Tensor> inputs);

}  // namespace onemodel

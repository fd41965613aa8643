#pragma once
// An export that reports instead of throwing.

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "export/export_program.h"

namespace onemodel {

/// What is wrong with a model or its specification. Kinds: MissingKernel (an operator without a graph form or a kernel),
/// DataDependent, GuardAdded (a size declared dynamic is fixed, narrowed or related), Mismatched (program and model give
/// different results), UnsupportedMutation, UnsupportedShape, UnsupportedUsage, UnsupportedOperation for the other refusals of a
/// trace, ModelError for what the model itself throws.
struct DraftFailure {
  std::string kind;
  std::string message;
  std::string module_path;     // "" outside of modules
  std::string call_site = {};  // the line of the model's code, where whoever calls the engine knows it
  friend bool operator==(const DraftFailure&, const DraftFailure&) = default;
};

struct DraftReport {
  std::vector<DraftFailure> failures;
  /// Of the last attempt that could be captured: with the suggested sizes, where those that were declared failed.
  std::optional<ExportedProgram> program;
  /// The specification with the fixes, where there were some.
  std::optional<ShapeSpec> suggested_dynamic_shapes;

  bool success() const { return failures.empty(); }
  /// Throws the first failure as a TraceError of its kind, with the whole report as its message, unless there is none.
  void raise_on_failure() const;
};
/// Several lines for a person: each failure with its place, and what to do.
std::string to_string(const DraftReport& report);

/// As export_program, but what is the model's fault is in the report. The program is compared with the model on the examples: a
/// difference of more than 1e-4 of the largest value, or another number or shape of results, is a failure. The model's state is
/// as before. Throws ArgumentError for a specification that does not fit the arguments.
DraftReport draft_export(const Exportable& model, std::span<const NamedArgument> arguments,
                         const ExportOptions& options = {});
/// Exports again, with the suggested sizes. Throws ArgumentError when the report suggests none, and what export_program throws.
ExportedProgram apply_suggested_fixes(const DraftReport& report, const Exportable& model,
                                      std::span<const NamedArgument> arguments, const ExportOptions& options = {});

}  // namespace onemodel

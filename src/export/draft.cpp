#include "export/draft.h"

#include <algorithm>

#include "export/compare_outputs.h"
#include "export/suggest.h"

namespace onemodel {
namespace {

constexpr int kMostRounds = 8;

// The innermost module that a message names: "module 'encoder.fc'".
std::string path_in(std::string_view message) {
  constexpr std::string_view kHead = "module '";
  const size_t at = message.rfind(kHead);
  if (at == message.npos) return {};
  const size_t begin = at + kHead.size();
  return std::string(message.substr(begin, message.find('\'', begin) - begin));
}

std::string kind_of(const std::string& trace_kind) {
  if (trace_kind == "DataDependent") return trace_kind;
  if (trace_kind == "UnsupportedOperation") return "MissingKernel";
  if (trace_kind == "InPlaceMutation") return "UnsupportedMutation";
  return trace_kind == "SymbolicShape" ? "UnsupportedShape" : "UnsupportedUsage";
}

std::vector<std::string> lines_of(std::string_view text) {
  std::vector<std::string> out;
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    while (line.starts_with(' ')) line.remove_prefix(1);
    if (!line.empty()) out.emplace_back(line);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return out;
}

// One for each problem that the error lists.
void add_guards(DraftReport& report, const ConstraintsError& error) {
  const std::string_view message = error.what();
  const std::vector<std::string> lines = lines_of(message.substr(0, message.find("Suggested fixes:")));
  for (size_t i = lines.size() > 1 ? 1 : 0; i < lines.size(); ++i) {
    DraftFailure failure{"GuardAdded", lines[i], path_in(lines[i])};
    if (std::ranges::find(report.failures, failure) == report.failures.end())
      report.failures.push_back(std::move(failure));
  }
}

std::optional<ShapeSpec> refined(const ConstraintsError& error, const ShapeSpec& spec,
                                 std::span<const NamedArgument> arguments) {
  std::vector<std::string> names;
  for (const NamedArgument& argument : arguments) names.push_back(argument.name);
  try {
    ShapeSpec out = refine_dynamic_shapes(error.what(), spec, names);
    return out == spec ? std::nullopt : std::optional(std::move(out));
  } catch (const ArgumentError&) {
    return {};  // nothing is suggested
  }
}

void add_failure(DraftReport& report, std::string kind, std::string message) {
  std::string path = path_in(message);
  report.failures.push_back({std::move(kind), std::move(message), std::move(path)});
}

void compare(DraftReport& report, const Exportable& model, std::span<const NamedArgument> arguments) {
  for (ProgramDifference& difference : compare_with_model(*report.program, model, arguments))
    report.failures.push_back({"Mismatched", std::move(difference.what), std::move(difference.module_path)});
}

}  // namespace

DraftReport draft_export(const Exportable& model, std::span<const NamedArgument> arguments,
                         const ExportOptions& options) {
  check_export(model, arguments, options);
  DraftReport report;
  ExportOptions attempt = options;
  try {
    for (int round = 0; round < kMostRounds && !report.program; ++round) {
      try {
        report.program = export_program(model, arguments, attempt);
      } catch (const ConstraintsError& error) {
        add_guards(report, error);
        auto next = refined(error, attempt.dynamic_shapes, arguments);
        if (!next) break;
        attempt.dynamic_shapes = std::move(*next);
        report.suggested_dynamic_shapes = attempt.dynamic_shapes;
      }
    }
    if (report.program) compare(report, model, arguments);
  } catch (const TraceError& error) {
    add_failure(report, kind_of(error.kind()), error.what());
  } catch (const std::exception& error) {
    add_failure(report, "ModelError", error.what());
  }
  return report;
}

std::string to_string(const DraftReport& report) {
  if (report.success()) return "the model can be exported as it is\n";
  std::string out =
      concat(report.failures.size(), report.failures.size() == 1 ? " problem" : " problems",
             report.program ? "; a program could be made all the same\n" : "; no program could be made\n");
  for (size_t i = 0; i < report.failures.size(); ++i) {
    const DraftFailure& failure = report.failures[i];
    out += concat("\n", i + 1, ". ", failure.kind,
                  failure.module_path.empty() ? "" : concat(" in module '", failure.module_path, "'"),
                  failure.call_site.empty() ? "" : concat(" at ", failure.call_site), "\n");
    for (const std::string& line : lines_of(failure.message)) out += concat("     ", line, "\n");
  }
  if (report.suggested_dynamic_shapes)
    out += "\nThe report has a specification of sizes that the model can keep: apply the suggested fixes.\n";
  return out;
}

void DraftReport::raise_on_failure() const {
  if (!success()) throw TraceError(failures.front().kind, to_string(*this));
}

ExportedProgram apply_suggested_fixes(const DraftReport& report, const Exportable& model,
                                      std::span<const NamedArgument> arguments, const ExportOptions& options) {
  check(report.suggested_dynamic_shapes.has_value(), "apply_suggested_fixes: the report suggests no other sizes");
  ExportOptions fixed = options;
  fixed.dynamic_shapes = *report.suggested_dynamic_shapes;
  return export_program(model, arguments, fixed);
}

}  // namespace onemodel

#include "export/draft.h"

#include <algorithm>

#include "eager/call_log.h"
#include "export/compare_outputs.h"
#include "export/message_parts.h"
#include "export/suggest.h"

namespace onemodel {
namespace {

constexpr int kMostRounds = 8;

// The innermost module that a message names: "module 'encoder.fc'", "node 'Add_1' (Add) in encoder.fc: ".
std::string path_in(std::string_view message) {
  const std::string path = last_between(message, "module '", '\'');
  return path.empty() && message.find("node '") != message.npos ? last_between(message, ") in ", ':') : path;
}

/// What the model threw, and in which modules.
class Thrown {
 public:
  /// The model, which also tells that.
  Exportable watched(const Exportable& model) {
    Exportable out = model;
    out.run = [this, &model](std::span<const Argument> arguments) {
      try {
        return model.run(arguments);
      } catch (const std::exception& error) {
        if (const CallLog* log = call_log()) thrown_.emplace_back(error.what(), log->failed_path());
        throw;
      }
    };
    return out;
  }
  /// The module that a failure happened in; "" when it is the root, or not known.
  std::string path_of(std::string_view message) const {
    if (std::string path = path_in(message); !path.empty()) return path;
    for (const auto& [text, path] : thrown_)
      if (!text.empty() && message.find(text) != message.npos) return path;
    return {};
  }

 private:
  std::vector<std::pair<std::string, std::string>> thrown_;
};

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
void add_guards(DraftReport& report, const Thrown& thrown, const ConstraintsError& error) {
  const std::string_view message = error.what();
  const std::vector<std::string> lines = lines_of(message.substr(0, message.find("Suggested fixes:")));
  for (size_t i = lines.size() > 1 ? 1 : 0; i < lines.size(); ++i) {
    DraftFailure failure{"GuardAdded", lines[i], thrown.path_of(lines[i])};
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

void add_failure(DraftReport& report, const Thrown& thrown, std::string kind, std::string message) {
  std::string path = thrown.path_of(message);
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
  Thrown thrown;
  const Exportable watched = thrown.watched(model);
  try {
    for (int round = 0; round < kMostRounds && !report.program; ++round) {
      try {
        report.program = export_program(watched, arguments, attempt);
      } catch (const ConstraintsError& error) {
        add_guards(report, thrown, error);
        auto next = refined(error, attempt.dynamic_shapes, arguments);
        if (!next) break;
        attempt.dynamic_shapes = std::move(*next);
        report.suggested_dynamic_shapes = attempt.dynamic_shapes;
      }
    }
    if (report.program) compare(report, model, arguments);
  } catch (const Error& error) {  // by its name: one that a model in script threw has it, too
    const bool is_refusal = error.name() == "TraceError";
    add_failure(report, thrown, is_refusal ? kind_of(error.kind()) : "ModelError", error.what());
  } catch (const std::exception& error) {
    add_failure(report, thrown, "ModelError", error.what());
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

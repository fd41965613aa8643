// Exports: a model in script, called back, becomes a program.

#include "export/export_program.h"

#include <emscripten/bind.h>

#include <functional>

#include "bindings/argument.h"
#include "bindings/callback.h"
#include "bindings/guard.h"
#include "bindings/modules.h"
#include "bindings/programs.h"
#include "eager/call_log.h"
#include "export/draft.h"
#include "export/shapes_collection.h"
#include "export/suggest.h"

namespace onemodel::bindings {
namespace {

using emscripten::val;

/// The forms of arguments and results of modules' calls, by their names, in the last run of the model.
using CallForms = std::map<std::string, std::pair<ArgumentForm, ArgumentForm>>;
CallForms& call_forms() {
  static CallForms calls;
  return calls;
}

/// {name, state: [{path, kind, handle}], modules: [{path, handle}], run, hold}. What `hold` is told true, runs keep the fields of modules
/// until it is told false. A module of the engine is in the tree with all that
/// it holds.
Exportable exportable_from(const val& model) {
  Exportable out;
  out.name = model["name"].as<std::string>();
  out.state = from_list(model["state"], [](const val& named) {
    return nn::NamedTensor{named["path"].as<std::string>(), tensors().get(named["handle"].as<uint32_t>()),
                           constant_kind_from_name(named["kind"].as<std::string>()).value()};
  });
  for (const auto& [path, handle] : from_list(model["modules"], [](const val& named) {
         return std::pair(named["path"].as<std::string>(), named["handle"].as<uint32_t>());
       })) {
    if (!path.empty()) out.known_paths.push_back(path);
    if (handle == 0) continue;
    for (const auto& [below, module] : modules().get(handle)->named_modules()) {
      const std::string full = path.empty() || below.empty() ? path + below : concat(path, '.', below);
      out.module_paths.emplace(module, full);
      if (!below.empty()) out.known_paths.push_back(full);
    }
  }
  out.run = [run = model["run"]](std::span<const Argument> arguments) {
    if (call_log()) call_forms().clear();  // a draft runs the model once more, unrecorded
    return call_script(run, arguments);
  };
  out.keep_between_runs = [hold = model["hold"]] {
    hold(true);
    return std::shared_ptr<void>(nullptr, [hold](void*) { hold(false); });
  };
  return out;
}

ExportOptions options_from(const val& shapes, const val& preserved, bool strict) {
  ExportOptions options;
  options.dynamic_shapes = shapes_from(shapes);
  options.preserve_module_calls = emscripten::vecFromJSArray<std::string>(preserved);
  options.strict = strict;
  return options;
}

/// The program, with the forms that its preserved calls had in script.
uint32_t keep_with_forms(ExportedProgram program) {
  for (ModuleCall& call : program.calls) {
    const auto known = call_forms().find(call.name());
    if (!call.input_form || known == call_forms().end()) continue;
    std::tie(call.input_form, call.output_form) = known->second;
  }
  call_forms().clear();
  return keep(std::move(program));
}

uint32_t export_program_of(val model, val examples, val shapes, val preserved, bool strict, bool trains) {
  return guarded([&] {
    const std::vector<NamedArgument> arguments = named_arguments_from(examples);
    const ExportOptions options = options_from(shapes, preserved, strict);
    const Exportable exportable = exportable_from(model);
    return keep_with_forms(trains ? export_for_training(exportable, arguments, options)
                                  : export_program(exportable, arguments, options));
  });
}

/// {failures: [{kind, message, modulePath, callSite}], program, shapes, text}; `site_of` is asked with message and path.
val export_draft(val model, val examples, val shapes, val preserved, bool strict, val site_of) {
  return guarded([&] {
    DraftReport report =
        draft_export(exportable_from(model), named_arguments_from(examples), options_from(shapes, preserved, strict));
    val out = val::object();
    val failures = val::array();
    for (DraftFailure& failure : report.failures) {
      const val site = site_of(failure.message, failure.module_path);
      if (!site.isNull()) failure.call_site = site.as<std::string>();
      val entry = val::object();
      entry.set("kind", failure.kind);
      entry.set("message", failure.message);
      entry.set("modulePath", failure.module_path);
      entry.set("callSite", site);
      failures.call<void>("push", entry);
    }
    out.set("failures", failures);
    out.set("text", to_string(report));
    out.set("shapes", report.suggested_dynamic_shapes ? to_script(*report.suggested_dynamic_shapes) : val::null());
    out.set("program", report.program ? keep_with_forms(std::move(*report.program)) : 0);
    return out;
  });
}

/// A module in script is called; nothing when no program is captured.
void call_begin(const std::string& path, val inputs) {
  guarded([&] {
    CallLog* log = call_log();
    if (!log) return;
    const Argument arguments = argument_from(inputs);
    log->begin(path, tensors_in(arguments));
    call_forms()[log->innermost()].first = form_of(arguments);
  });
}

void call_finish(val result) {
  guarded([&] {
    CallLog* log = call_log();
    if (!log) return;
    const Argument value = argument_from(result);
    call_forms()[log->innermost()].second = form_of(value);
    log->finish(tensors_in(value));
  });
}

void call_end() {
  if (CallLog* log = call_log()) log->end();
}

/// `parts`: [[handle, shapes], …].
val shapes_of_tensors(val parts, val examples) {
  return guarded([&] {
    ShapesCollection collection;
    for (const val& each : from_list(parts, std::identity()))
      collection.set(tensors().get(each[0].as<uint32_t>()), shapes_from(each[1]));
    return to_script(collection.dynamic_shapes(named_arguments_from(examples)));
  });
}

AdditionalInputs additional_inputs(const val& others) {
  AdditionalInputs out;
  for (std::vector<NamedArgument>& each : from_list(others, named_arguments_from)) out.add(std::move(each));
  return out;
}

val shapes_of_examples(val others, val examples) {
  return guarded([&] { return to_script(additional_inputs(others).dynamic_shapes(named_arguments_from(examples))); });
}

/// Runs all examples on a copy of the program's state.
void program_verify(uint32_t handle, val others) {
  guarded([&] {
    ExportedProgram copy = *programs().get(handle);
    copy.state = copy.state->copy();
    additional_inputs(others).verify([&](std::span<const NamedArgument> arguments) {
      std::vector<NamedArgument> own;  // a run may update elements of containers
      for (const NamedArgument& each : arguments) own.push_back({each.name, copy_of(each.value)});
      copy.call({}, own);
    });
  });
}

val refine_shapes(const std::string& message, val shapes, val argument_names) {
  return guarded([&] {
    return to_script(
        refine_dynamic_shapes(message, shapes_from(shapes), emscripten::vecFromJSArray<std::string>(argument_names)));
  });
}

}  // namespace

EMSCRIPTEN_BINDINGS(export) {
  using emscripten::function;
  function("exportProgram", &export_program_of);
  function("exportDraft", &export_draft);
  function("callBegin", &call_begin);
  function("callFinish", &call_finish);
  function("callEnd", &call_end);
  function("shapesOfTensors", &shapes_of_tensors);
  function("shapesOfExamples", &shapes_of_examples);
  function("programVerify", &program_verify);
  function("refineShapes", &refine_shapes);
}

}  // namespace onemodel::bindings

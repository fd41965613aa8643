// Modules that run exported programs.

#include <emscripten/bind.h>

#include <functional>

#include "bindings/argument.h"
#include "bindings/callback.h"
#include "bindings/guard.h"
#include "bindings/modules.h"
#include "bindings/programs.h"
#include "export/unflatten.h"

namespace onemodel::bindings {
namespace {

using emscripten::val;

/// A module written in script, in the place of one of the program's.
class ScriptModule final : public StructuredModule {
 public:
  ScriptModule(val run, std::string name) : run_(std::move(run)), name_(std::move(name)) {}
  Argument call(std::span<const Argument> arguments) override { return call_script(run_, arguments); }
  std::string describe() const override { return name_; }
  bool tells_calls() const override { return true; }  // script does

 private:
  val run_;
  std::string name_;
};

/// The module, and a program that only knows its arguments and results: {module, form}.
val module_with_form(const ExportedProgram& program, std::shared_ptr<nn::Module> module) {
  ExportedProgram form;
  form.graph.name = program.graph.name;
  form.arguments = program.arguments;
  form.result = program.result;
  form.result_constants = program.result_constants;
  val out = val::object();
  out.set("module", modules().add(std::move(module)));
  out.set("form", keep(std::move(form)));
  return out;
}

/// `replacements`: [[path, handle, run, name], …], where a module of the engine has a handle and one in script a function.
val program_unflatten(uint32_t handle, val replacements) {
  return guarded([&] {
    std::map<std::string, std::shared_ptr<nn::Module>> others;
    for (const val& each : from_list(replacements, std::identity())) {
      const auto module = each[1].as<uint32_t>();
      others.emplace(
          each[0].as<std::string>(),
          module ? modules().get(module) : std::make_shared<ScriptModule>(each[2], each[3].as<std::string>()));
    }
    const ExportedProgram& program = *programs().get(handle);
    return module_with_form(program, unflatten(program, others));
  });
}

val program_module_forward(uint32_t form, uint32_t module, val positional) {
  return guarded([&] {
    const std::shared_ptr<ExportedProgram> program = programs().get(form);
    const std::shared_ptr<nn::Module> called = modules().get(module);
    const std::vector<Tensor> inputs = flat_arguments(*program, from_list(positional, argument_from), {});
    return to_script(result_of(*program, (*called)(inputs)));
  });
}

/// A module inside of a program's, called in the form of its first call.
val program_part_call(uint32_t handle, val positional) {
  return guarded([&] {
    const auto part = std::dynamic_pointer_cast<StructuredModule>(modules().get(handle));
    check(part != nullptr, modules().get(handle)->describe(), " takes tensors only");
    const std::vector<Argument> arguments = from_list(positional, argument_from);
    Argument result;
    part->called(tensors_in(Argument::list(arguments)), [&] {
      result = part->call(arguments);
      return tensors_in(result);
    });
    return to_script(result);
  });
}

/// [[name, handle], …] of the modules directly below.
val module_children(uint32_t handle) {
  return guarded([&] {
    const std::shared_ptr<nn::Module> root = modules().get(handle);
    val out = val::array();
    for (const auto& [path, module] : root->named_modules()) {
      if (path.empty() || path.find('.') != std::string::npos) continue;
      val entry = val::array();
      entry.call<void>("push", path);
      entry.call<void>("push", modules().add(std::shared_ptr<nn::Module>(root, module)));
      out.call<void>("push", entry);
    }
    return out;
  });
}

}  // namespace

EMSCRIPTEN_BINDINGS(program_module) {
  using emscripten::function;
  function(
      "programModule", +[](uint32_t handle) {
        return guarded([&] {
          const ExportedProgram& program = *programs().get(handle);
          return module_with_form(program, program_module(program));
        });
      });
  function("programUnflatten", &program_unflatten);
  function("programModuleForward", &program_module_forward);
  function("programPartCall", &program_part_call);
  function("moduleChildren", &module_children);
}

}  // namespace onemodel::bindings

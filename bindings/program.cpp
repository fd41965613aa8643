// Exported programs.

#include <emscripten/bind.h>

#include <functional>

#include "bindings/argument.h"
#include "bindings/bytes.h"
#include "bindings/callback.h"
#include "bindings/graphs.h"
#include "bindings/guard.h"
#include "bindings/programs.h"
#include "bindings/state.h"
#include "export/decompositions.h"
#include "export/forward_backward.h"
#include "export/program_file.h"
#include "export/program_session.h"

namespace onemodel::bindings {

Handles<std::shared_ptr<ExportedProgram>>& programs() {
  static Handles<std::shared_ptr<ExportedProgram>> table("program");
  return table;
}

uint32_t keep(ExportedProgram program) { return programs().add(std::make_shared<ExportedProgram>(std::move(program))); }

namespace {

using emscripten::val;

template <class Spec>
val spec_to_script(const Spec& spec) {
  val out = val::object();
  out.set("kind", std::string(kind_name(spec.kind)));
  out.set("name", spec.name);
  out.set("target", spec.target);
  return out;
}

val input_to_script(const InputSpec& spec) {
  val out = spec_to_script(spec);
  out.set("persistent", spec.persistent);
  out.set("frozen", spec.frozen);
  out.set("aliases", val::array(spec.aliases));
  return out;
}

val structure_to_script(const std::optional<ArgumentForm>& form) {
  return form ? to_script(form->structure) : val::null();
}

val call_to_script(const ModuleCall& call) {
  val out = val::object();
  out.set("path", call.path);
  out.set("index", call.index);
  out.set("parent", call.parent);
  out.set("inputs", val::array(call.inputs));
  out.set("outputs", val::array(call.outputs));
  out.set("inputStructure", structure_to_script(call.input_form));
  out.set("outputStructure", structure_to_script(call.output_form));
  return out;
}

val range_to_script(const SizeRange& range) {
  val out = val::object();
  out.set("label", range.label);
  out.set("min", static_cast<double>(range.min));
  out.set("max", range.max ? val(static_cast<double>(*range.max)) : val::null());
  return out;
}

/// {inputs, outputs, arguments, warnings, calls, ranges, equalities}
val program_parts(uint32_t handle) {
  return guarded([&] {
    const ExportedProgram& program = *programs().get(handle);
    val out = val::object();
    out.set("inputs", list_of(program.signature.inputs, input_to_script));
    out.set("outputs", list_of(program.signature.outputs, spec_to_script<OutputSpec>));
    out.set("arguments", list_of(program.arguments, [](const ProgramArgument& argument) {
              val entry = val::object();
              entry.set("name", argument.name);
              entry.set("structure", to_script(argument.structure));
              return entry;
            }));
    out.set("warnings", val::array(program.warnings));
    out.set("calls", list_of(program.calls, call_to_script));
    out.set("ranges", list_of(program.range_constraints(), range_to_script));
    out.set("equalities", val::array(equality_constraints(program)));
    return out;
  });
}

/// `names`: operators that `run`, called with name, text and inputs, decomposes; null: those of the default table.
uint32_t program_decompose(uint32_t handle, val names, val run) {
  return guarded([&] {
    const std::shared_ptr<ExportedProgram> held = programs().get(handle);  // script may dispose of it meanwhile
    const ExportedProgram& program = *held;
    if (names.isNull()) return keep(run_decompositions(program));
    DecompositionTable table;
    for (const auto& name : emscripten::vecFromJSArray<std::string>(names))
      table[name] = [name, run](const Op& op, std::span<const Tensor> inputs) {
        const Argument arguments[] = {ArgumentLeaf(name), ArgumentLeaf(concat(op)),
                                      Argument::list({inputs.begin(), inputs.end()})};
        return tensors_in(call_script(run, arguments));
      };
    return keep(run_decompositions(program, table));
  });
}

uint32_t program_forward_backward(uint32_t handle, const std::string& loss, val user_inputs) {
  return guarded([&] {
    return keep(export_forward_backward(
        *programs().get(handle), {.loss = loss, .user_inputs = emscripten::vecFromJSArray<std::string>(user_inputs)}));
  });
}

/// The graph lives as long as either handle.
uint32_t program_graph(uint32_t handle) {
  return guarded([&] {
    const std::shared_ptr<ExportedProgram>& program = programs().get(handle);
    return graphs().add(std::shared_ptr<const Graph>(program, &program->graph));
  });
}

val program_call(uint32_t handle, val positional, val named) {
  return guarded([&] {
    const std::shared_ptr<ExportedProgram> program = programs().get(handle);
    return to_script(program->call(from_list(positional, argument_from), named_arguments_from(named)));
  });
}

val program_examples(uint32_t handle) {
  return guarded([&] {
    const ExportedProgram& program = *programs().get(handle);
    const std::vector<std::string> names = program.signature.names_of(InputKind::user_input);
    val out = record();
    for (size_t i = 0; i < program.example_inputs.size(); ++i)
      out.set(names[i], tensors().add(program.example_inputs[i].clone()));
    return out;
  });
}

/// A .onemodel file. `named`: [[name, handle], …].
val programs_write(val named, bool examples) {
  return guarded([&] {
    std::map<std::string, ExportedProgram> all;
    for (const val& each : from_list(named, std::identity()))
      all.emplace(each[0].as<std::string>(), *programs().get(each[1].as<uint32_t>()));
    return to_script(write_programs(all, {.examples = examples}));
  });
}

/// {name: handle}
val programs_read(uintptr_t data, size_t bytes) {
  return guarded([&] {
    val out = record();
    for (auto& [name, program] : read_programs(heap_bytes(data, bytes))) out.set(name, keep(std::move(program)));
    return out;
  });
}

val program_module_stacks(uint32_t handle) {
  return guarded([&] {
    const ExportedProgram& program = *programs().get(handle);
    return list_of(module_stacks(program.graph, program.calls),
                   [](const std::vector<std::string>& stack) { return val::array(stack); });
  });
}

}  // namespace

EMSCRIPTEN_BINDINGS(program) {
  using emscripten::function;
  function("programParts", &program_parts);
  function("programGraph", &program_graph);
  function("programCall", &program_call);
  function(
      "programState",
      +[](uint32_t handle) { return guarded([&] { return state_to_script(programs().get(handle)->state_dict()); }); });
  function(
      "programLoadState", +[](uint32_t handle, val state) {
        guarded([&] { programs().get(handle)->load_state_dict(state_from_script(state)); });
      });
  function(
      "programConstants",
      +[](uint32_t handle) { return guarded([&] { return state_to_script(programs().get(handle)->constants()); }); });
  function("programDecompose", &program_decompose);
  function("programForwardBackward", &program_forward_backward);
  function("programExamples", &program_examples);
  function("programModuleStacks", &program_module_stacks);
  function(
      "programValidate", +[](uint32_t handle) { guarded([&] { programs().get(handle)->validate(); }); });
  function(
      "programText", +[](uint32_t handle) { return guarded([&] { return to_string(*programs().get(handle)); }); });
  function(
      "programOnnxGraph", +[](uint32_t handle, bool state_inputs) {
        return guarded([&] {
          return graphs().add(
              std::make_shared<const Graph>(onnx_graph(*programs().get(handle), {.state_inputs = state_inputs})));
        });
      });
  function("programsWrite", &programs_write);
  function("programsRead", &programs_read);
  function(
      "programRelease", +[](uint32_t handle) { programs().release(handle); });
  function(
      "programCount", +[] { return programs().live(); });
}

}  // namespace onemodel::bindings

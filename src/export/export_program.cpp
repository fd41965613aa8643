#include "export/export_program.h"

#include <algorithm>

#include "export/message_parts.h"
#include "nn/kept_modes.h"

namespace onemodel {
namespace {

bool is_dynamic(const InputSizes& input) {
  return std::ranges::any_of(input.entries, [](const SizeEntry& entry) {
    const auto* hint = std::get_if<SizeHint>(&entry);
    return std::holds_alternative<Dim>(entry) || (hint && hint->kind != SizeHint::fixed);
  });
}

void check_paths(const Exportable& model, std::span<const std::string> paths) {
  for (const std::string& path : paths) {
    if (std::ranges::find(model.known_paths, path) != model.known_paths.end()) continue;
    throw ArgumentError(concat("export_program: preserve_module_calls has '", path,
                               "', which is no module (known: ", quoted_list(model.known_paths), ")"));
  }
}

// Laid on the arguments, once the options are found to fit.
std::vector<InputSizes> declared_sizes(const Exportable& model, std::span<const NamedArgument> arguments,
                                       const ExportOptions& options) {
  check_paths(model, options.preserve_module_calls);
  return lay_out(options.dynamic_shapes, arguments);
}

ExportSizes sizes_of(const Exportable& model, std::span<const NamedArgument> arguments, const ExportOptions& options) {
  const std::vector<InputSizes> declared = declared_sizes(model, arguments, options);
  if (std::ranges::any_of(declared, is_dynamic)) {
    const auto record = [&](std::span<const Tensor> inputs, std::span<const Shape> shapes) {
      CapturedRun run = capture_run(model, arguments, inputs, shapes);
      return Recording{std::move(run.captured.graph), std::move(run.state), std::move(run.outputs)};
    };
    return find_constraints(declared, record, options.find);
  }
  ExportSizes fixed;
  for (const InputSizes& input : declared) {
    fixed.names.push_back(input.name);
    fixed.examples.push_back(input.example);
    fixed.shapes.emplace_back(input.example.dims());
  }
  return fixed;
}

ArgumentForm list_of(size_t count) {
  return {{.kind = ArgumentKind::list, .keys = {}, .children = std::vector<Structure>(count)},
          std::vector<std::optional<ArgumentLeaf>>(count)};
}

// Modules that call in C++ take and give lists of tensors; what was recorded with a structure keeps it.
void keep_structures(std::vector<ModuleCall>& calls, std::span<const std::string> paths) {
  for (ModuleCall& call : calls) {
    if (std::ranges::find(paths, call.path) == paths.end()) {
      call.input_form.reset();
      call.output_form.reset();
      continue;
    }
    if (!call.input_form) call.input_form = list_of(call.inputs.size());
    if (!call.output_form)
      call.output_form = call.outputs.size() == 1 ? form_of(Argument(Tensor())) : list_of(call.outputs.size());
  }
}

void refuse_warnings(std::span<const std::string> warnings) {
  if (warnings.empty()) return;
  std::string message = "strict: sizes of the example may have been mistaken:";
  for (const std::string& warning : warnings) message += "\n  " + warning;
  throw TraceError("SymbolicShape", std::move(message));
}

// The root's call has the forms of the program.
void root_forms(ExportedProgram& program) {
  ModuleCall& root = program.calls.front();
  ArgumentForm& all = root.input_form.emplace();
  all.structure.kind = ArgumentKind::list;
  for (const ProgramArgument& argument : program.arguments) {
    all.structure.children.push_back(argument.structure);
    all.constants.insert(all.constants.end(), argument.constants.begin(), argument.constants.end());
  }
  root.output_form = {program.result, program.result_constants};
}

// The argument with a traced input for each tensor; `names` are those of the inputs from here on.
Argument traced_argument(const Argument& argument, Capture& capture, std::span<const TensorLeaf>& names,
                         std::span<const Tensor>& inputs, std::span<const Shape>& shapes) {
  std::vector<ArgumentLeaf> leaves = flatten(argument);
  for (ArgumentLeaf& leaf : leaves) {
    if (!std::holds_alternative<Tensor>(leaf)) continue;
    leaf = capture.input(names.front().name, inputs.front(), shapes.front(), argument.kind != ArgumentKind::leaf);
    names = names.subspan(1);
    inputs = inputs.subspan(1);
    shapes = shapes.subspan(1);
  }
  return unflatten(structure_of(argument), leaves);
}

}  // namespace

Exportable exportable(nn::Module& module) {
  Exportable out;
  out.state = state_of_module(module);
  out.module_paths = module_paths(module);
  for (const auto& [path, each] : module.named_modules())
    if (!path.empty()) out.known_paths.push_back(path);
  out.run = [&module](std::span<const Argument> arguments) {
    const nn::KeptModes modes(module);
    std::vector<Tensor> inputs;
    for (const Argument& argument : arguments) {
      const Tensor* tensor = std::get_if<Tensor>(&argument.value);
      check(tensor != nullptr, "export_program: a module takes tensors only; export a function for other arguments");
      inputs.push_back(*tensor);
    }
    std::vector<Tensor> outputs = module.forward(inputs);
    if (outputs.size() == 1) return Argument(std::move(outputs.front()));
    return Argument::list({outputs.begin(), outputs.end()});
  };
  return out;
}

Exportable exportable(std::function<Argument(std::span<const Argument>)> function) {
  Exportable out;
  out.run = std::move(function);
  return out;
}

CapturedRun capture_run(const Exportable& model, std::span<const NamedArgument> arguments,
                        std::span<const Tensor> inputs, std::span<const Shape> shapes) {
  std::vector<Tensor> examples;  // of their own: the model's tensors are traced meanwhile
  for (const Tensor& input : inputs) {
    const auto is_shared = [&](const nn::NamedTensor& named) { return named.tensor.memory() == input.memory(); };
    examples.push_back(std::ranges::any_of(model.state, is_shared) ? input.detach().clone() : input);
  }
  inputs = examples;
  Capture capture(model.state, model.module_paths);
  const std::vector<TensorLeaf> all = tensor_leaves(arguments);
  std::span<const TensorLeaf> leaves_left = all;
  std::vector<Argument> traced;
  for (const NamedArgument& argument : arguments)
    traced.push_back(traced_argument(argument.value, capture, leaves_left, inputs, shapes));
  const Argument result = model.run(traced);

  CapturedRun out{.captured = {}, .state = {}, .outputs = {}, .result = form_of(result)};
  std::vector<Tensor> outputs;
  std::vector<std::string> names;
  const std::vector<std::string> all_names = leaf_names("output", out.result.structure);
  const std::vector<ArgumentLeaf> leaves = flatten(result);
  for (size_t i = 0; i < leaves.size(); ++i) {
    if (const Tensor* tensor = std::get_if<Tensor>(&leaves[i])) {
      outputs.push_back(*tensor);
      names.push_back(all_names[i]);
    }
  }
  out.captured = capture.finish(outputs, names);
  out.outputs = capture.plain_outputs();
  out.state = capture.plain_state();
  return out;
}

void check_export(const Exportable& model, std::span<const NamedArgument> arguments, const ExportOptions& options) {
  declared_sizes(model, arguments, options);
}

ExportedProgram export_program(const Exportable& model, std::span<const NamedArgument> arguments,
                               const ExportOptions& options) {
  const ExportSizes sizes = sizes_of(model, arguments, options);
  CapturedRun run = capture_run(model, arguments, sizes.examples, sizes.shapes);
  ExportedProgram out;
  out.graph = std::move(run.captured.graph);
  out.graph.name = model.name;
  attach_contract(out.graph, sizes);
  out.signature = std::move(run.captured.signature);
  out.calls = std::move(run.captured.calls);
  out.warnings = std::move(run.captured.warnings);
  if (options.strict) refuse_warnings(out.warnings);
  keep_structures(out.calls, options.preserve_module_calls);
  std::vector<Tensor> state;
  for (const Tensor& tensor : run.state) state.push_back(tensor.clone());
  out.state = std::make_shared<ProgramState>(std::move(state));
  for (const NamedArgument& argument : arguments) out.arguments.push_back({form_of(argument.value), argument.name});
  out.result = std::move(run.result.structure);
  out.result_constants = std::move(run.result.constants);
  root_forms(out);
  for (const TensorLeaf& leaf : tensor_leaves(arguments)) out.example_inputs.push_back(leaf.tensor.detach().clone());
  out.validate();
  return out;
}

std::vector<NamedArgument> tensor_arguments(std::span<const Tensor> inputs) {
  if (inputs.size() == 1) return {{"input", inputs.front()}};
  std::vector<NamedArgument> out;
  for (size_t i = 0; i < inputs.size(); ++i) out.push_back({concat("input_", i), inputs[i]});
  return out;
}

ExportedProgram export_program(nn::Module& module, std::span<const Tensor> inputs, const ExportOptions& options) {
  return export_program(exportable(module), tensor_arguments(inputs), options);
}

ExportedProgram export_for_training(const Exportable& model, std::span<const NamedArgument> arguments,
                                    const ExportOptions& options) {
  ExportedProgram out = export_program(model, arguments, options);
  out.trainable = true;
  return out;
}

}  // namespace onemodel

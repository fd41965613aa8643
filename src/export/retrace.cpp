#include "export/retrace.h"

#include <algorithm>
#include <map>

#include "eager/in_place.h"
#include "export/capture.h"
#include "export/example_sizes.h"
#include "export/program_session.h"
#include "export/same_view.h"
#include "export/updated_inputs.h"

namespace onemodel {
namespace {

// State tensors of their own, so that tracing them is nobody else's concern.
std::vector<nn::NamedTensor> named_state(const ExportedProgram& program) {
  std::vector<nn::NamedTensor> out;
  for (size_t i = 0; i < program.signature.state_count(); ++i) {
    const InputSpec& input = program.signature.inputs[i];
    out.push_back({input.target, program.state->tensor(i).clone(), constant_kind(input)});
  }
  return out;
}

// The calls of the program, with the tensors of this run.
std::vector<CallLog::Call> replayed_calls(const ExportedProgram& program, std::span<const Tensor> values) {
  std::map<std::string_view, const Tensor*> by_name;
  for (size_t i = 0; i < values.size(); ++i) by_name.emplace(program.graph.values[i].name, &values[i]);
  const auto tensors = [&](const std::vector<std::string>& names) {
    std::vector<Tensor> out;
    out.reserve(names.size());
    for (const std::string& name : names) out.push_back(name.empty() ? Tensor() : *by_name.at(name));
    return out;
  };
  std::vector<CallLog::Call> out;
  for (size_t i = 1; i < program.calls.size(); ++i) {
    const ModuleCall& call = program.calls[i];
    out.push_back({call.path, call.index, call.parent - 1, i, tensors(call.inputs), tensors(call.outputs)});
  }
  return out;
}

// The inputs of the new graph: the state, and what callers give.
std::vector<Tensor> captured_inputs(Capture& capture, const Graph& graph, std::span<const nn::NamedTensor> state,
                                    std::span<const Tensor> examples) {
  std::vector<Tensor> inputs;
  inputs.reserve(graph.inputs.size());
  for (const nn::NamedTensor& named : state) inputs.push_back(named.tensor);
  for (size_t i = 0; i < examples.size(); ++i) {
    const Value& value = graph.value(graph.inputs[state.size() + i]);
    inputs.push_back(capture.input(value.name, examples[i], value.type.shape, true));
  }
  return inputs;
}

// `program` with the captured graph, whose results are those of `specs`.
ExportedProgram with_graph(const ExportedProgram& program, Captured captured, std::span<const OutputSpec> specs) {
  ExportedProgram out = program;
  out.state = program.state->copy();
  out.graph = std::move(captured.graph);
  out.graph.name = program.graph.name;
  out.graph.metadata = program.graph.metadata;
  out.graph.contract = program.graph.contract;
  out.signature = std::move(captured.signature);
  for (size_t i = 0; i < program.signature.inputs.size(); ++i) {
    InputSpec spec = program.signature.inputs[i];
    spec.name = std::move(out.signature.inputs[i].name);
    out.signature.inputs[i] = std::move(spec);
  }
  for (size_t i = 0; i < specs.size(); ++i) {
    OutputSpec& spec = out.signature.outputs[program.signature.mutation_count() + i];
    spec.kind = specs[i].kind;
    spec.target = specs[i].target;
  }
  for (size_t i = 1; i < out.calls.size(); ++i) {
    out.calls[i].inputs = std::move(captured.calls[i].inputs);
    out.calls[i].outputs = std::move(captured.calls[i].outputs);
  }
  return out;
}

}  // namespace

ExportedProgram retrace(const ExportedProgram& program, const NodeRunner& runner, const AddOutputs& add) {
  program.validate();
  const ProgramSignature& signature = program.signature;
  const std::vector<Tensor> examples = examples_of(program);
  const std::vector<nn::NamedTensor> state = named_state(program);
  Capture capture(state);
  const std::vector<Tensor> inputs = captured_inputs(capture, program.graph, state, examples);

  std::vector<Tensor> values;
  const NodeRunner in_place = [&](const Node& node, std::span<const Tensor> operands) {
    capture.log().set_place(node.module_path);
    return runner(node, operands);
  };
  std::vector<Tensor> outputs = interpret(program.graph, inputs, in_place, &values);
  for (size_t i = 0; i < outputs.size(); ++i)
    if (signature.outputs[i].is_gradient())  // that of a sum is constant
      outputs[i] = traced_like(outputs[i], inputs[signature.input_of(signature.outputs[i]).value()]);
  capture.log().set_place({});
  std::vector<AddedOutput> added;
  if (add) added = add(inputs, outputs);
  capture.log().replay(replayed_calls(program, values));
  std::vector<Tensor> targets;
  for (const size_t target : targets_of_updates(signature)) targets.push_back(inputs[target]);
  set_apart(outputs, targets);
  const size_t mutations = signature.mutation_count();
  for (size_t i = 0; i < mutations; ++i) copy_(targets[i], outputs[i]);

  const auto first = static_cast<std::ptrdiff_t>(mutations);
  std::vector<Tensor> results(outputs.begin() + first, outputs.end());
  std::vector<OutputSpec> specs(signature.outputs.begin() + first, signature.outputs.end());
  for (const AddedOutput& each : added) {
    results.push_back(each.value);
    specs.push_back(each.spec);
  }
  std::vector<std::string> names;
  for (const OutputSpec& spec : specs) names.push_back(spec.name);
  Captured captured = capture.finish(results, names);
  check(captured.signature.mutation_count() == mutations, "program '", program.graph.name,
        "': a decomposition updates a tensor in place; it must give a new one");
  return with_graph(program, std::move(captured), specs);
}

}  // namespace onemodel

#include "export/exported_program.h"

#include "eager/in_place.h"
#include "eager/record.h"
#include "export/interpret.h"
#include "runtime/feeds.h"
#include "runtime/segment.h"

namespace onemodel {
namespace {

void check_user_inputs(const ExportedProgram& program, std::span<const Tensor> inputs) {
  const Graph& graph = program.graph;
  const size_t states = program.signature.state_count();
  const std::span<const ValueId> ids = std::span(graph.inputs).subspan(states);
  InputContract(graph.name, infos(graph, ids), std::vector<bool>(ids.size()), graph.contract).check(inputs);
}

}  // namespace

std::vector<Tensor> ExportedProgram::call_flat(std::span<const Tensor> user_inputs) {
  check_user_inputs(*this, user_inputs);
  const NoGrad none;
  ProgramState::Run run(*state);
  const size_t states = signature.state_count();
  std::vector<Tensor> inputs;
  for (size_t i = 0; i < states; ++i) inputs.push_back(run.tensor(i));
  for (const Tensor& input : user_inputs) inputs.push_back(input.detach());
  const std::vector<Tensor> values = interpret(graph, inputs);
  std::vector<Tensor> outputs;
  for (size_t i = 0; i < values.size(); ++i) {
    const OutputSpec& output = signature.outputs[i];
    if (!output.is_mutation()) {
      outputs.push_back(values[i]);
      continue;
    }
    const size_t target = signature.input_of(output).value();
    if (target < states)
      run.replace(target, values[i].clone());  // an operator may have given a view of an input
    else
      copy_(user_inputs[target - states], values[i]);
  }
  return outputs;
}

Argument ExportedProgram::call(std::span<const Argument> positional, std::span<const NamedArgument> named) {
  return result_of(*this, call_flat(flat_arguments(*this, positional, named)));
}

std::map<std::string, Tensor> ExportedProgram::state_dict() const {
  std::map<std::string, Tensor> out;
  for (size_t i = 0; i < signature.state_count(); ++i) {
    const InputSpec& input = signature.inputs[i];
    if (input.kind != InputKind::constant && input.persistent) out.emplace(input.target, state->tensor(i));
  }
  return out;
}

std::map<std::string, Tensor> ExportedProgram::constants() const {
  std::map<std::string, Tensor> out;
  for (size_t i = 0; i < signature.state_count(); ++i) {
    const InputSpec& input = signature.inputs[i];
    if (input.kind == InputKind::constant || !input.persistent) out.emplace(input.target, state->tensor(i));
  }
  for (const Value& value : graph.values)
    if (value.is_constant()) out.emplace(value.name, value.constant);
  return out;
}

void ExportedProgram::load_state_dict(const std::map<std::string, Tensor>& values) {
  std::string problems;
  const std::map<std::string, Tensor> own = state_dict();
  for (const auto& [path, tensor] : own) {
    const auto found = values.find(path);
    if (found == values.end())
      problems += concat("\n  missing: ", path, ", ", tensor);
    else if (found->second.dims() != tensor.dims() || found->second.dtype() != tensor.dtype())
      problems += concat("\n  ", path, ": expected ", tensor, ", got ", found->second);
  }
  for (const auto& [path, tensor] : values)
    if (!own.contains(path)) problems += concat("\n  unexpected: ", path, ", ", tensor);
  if (!problems.empty())
    throw ModelError("Malformed",
                     concat("load_state_dict: the state does not fit program '", graph.name, "':", problems));
  for (size_t i = 0; i < signature.state_count(); ++i)
    if (const auto found = values.find(signature.inputs[i].target); found != values.end() && own.contains(found->first))
      state->set(i, found->second);
}

}  // namespace onemodel

#include "export/exported_program.h"

#include "eager/functional_trace.h"
#include "eager/in_place.h"
#include "eager/record.h"
#include "export/interpret.h"
#include "export/same_view.h"
#include "export/state_dict.h"
#include "export/updated_inputs.h"
#include "runtime/segment.h"

namespace onemodel {

void refuse_in_capture(std::string_view name, const ProgramSignature& signature) {
  if ((functional_trace() || active_trace() != 0) && signature.mutation_count() > 0)
    throw TraceError("InPlaceMutation",
                     concat("program '", name, "' would update its state while a model is captured that ",
                            "calls it; give the model the program's module"));
}

InputContract user_contract(const Graph& graph, const ProgramSignature& signature) {
  const std::span<const ValueId> ids = std::span(graph.inputs).subspan(signature.state_count());
  return InputContract(graph.name, infos(graph, ids), std::vector<bool>(ids.size()), graph.contract);
}

std::vector<Tensor> ExportedProgram::call_flat(std::span<const Tensor> user_inputs) {
  refuse_in_capture(graph.name, signature);
  user_contract(graph, signature).check(user_inputs);
  const std::vector<size_t> targets = targets_of_updates(signature);
  check_updated_inputs(graph.name, signature, targets, user_inputs);
  std::optional<NoGrad> none;
  if (active_trace() == 0)
    none.emplace();  // a trace records the operators, and a program that updates nothing may be in one
  ProgramState::Run run(*state);
  const size_t states = signature.state_count(), mutations = targets.size();
  std::vector<Tensor> inputs;
  for (size_t i = 0; i < states; ++i) inputs.push_back(run.tensor(i));
  for (const Tensor& input : user_inputs) inputs.push_back(input.detach());
  std::vector<Tensor> values = interpret(graph, inputs);
  std::vector<Tensor> written(inputs.begin(), inputs.begin() + static_cast<std::ptrdiff_t>(states));
  for (const size_t target : targets)
    if (target >= states) written.push_back(user_inputs[target - states]);
  set_apart(values, written);
  for (size_t i = 0; i < mutations; ++i) {
    if (targets[i] < states)
      run.replace(targets[i], values[i].clone());  // an operator may have given a view of an input
    else
      copy_(user_inputs[targets[i] - states], values[i]);
  }
  values.erase(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(mutations));
  return values;
}

Argument ExportedProgram::call(std::span<const Argument> positional, std::span<const NamedArgument> named) {
  return result_of(*this, call_flat(flat_arguments(*this, positional, named)));
}

std::map<std::string, Tensor> ExportedProgram::state_dict() const { return onemodel::state_dict(signature, *state); }

std::map<std::string, Tensor> ExportedProgram::constants() const {
  std::map<std::string, Tensor> out;
  for (size_t i = 0; i < signature.state_count(); ++i) {
    const InputSpec& input = signature.inputs[i];
    if (input.kind == InputKind::constant || !input.persistent) out.emplace(input.target, state->tensor(i).clone());
  }
  for (const Value& value : graph.values)
    if (value.is_constant()) out.emplace(value.name, value.constant.clone());
  return out;
}

void ExportedProgram::load_state_dict(const std::map<std::string, Tensor>& values) {
  onemodel::load_state_dict(graph.name, signature, *state, values);
}

}  // namespace onemodel

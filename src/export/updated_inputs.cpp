#include "export/updated_inputs.h"

#include "eager/record.h"
#include "export/same_view.h"

namespace onemodel {
namespace {

void check_history(std::string_view program, std::string_view name, const Tensor& tensor) {
  const TensorState* state = state_of(tensor);
  check<GradientError>(!state || !(state->requires_grad || state->record), "program '", program,
                       "' updates its input '", name, "', and ", tensor,
                       " requires a gradient; give it a detached one, or run in no-grad mode");
}

}  // namespace

std::vector<size_t> targets_of_updates(const ProgramSignature& signature) {
  std::vector<size_t> out;
  for (const OutputSpec& output : signature.outputs)
    if (output.is_mutation()) out.push_back(signature.input_of(output).value());
  return out;
}

void check_updated_inputs(std::string_view program, const ProgramSignature& signature, std::span<const size_t> targets,
                          std::span<const Tensor> user_inputs) {
  const size_t states = signature.inputs.size() - user_inputs.size();
  for (const size_t target : targets) {
    if (target < states) continue;
    const size_t at = target - states;
    const std::string& name = signature.inputs[target].name;
    if (!user_inputs[at].defined()) continue;  // whoever takes the inputs says so
    if (grad_enabled() && !is_traced(user_inputs[at])) check_history(program, name, user_inputs[at]);
    for (size_t i = 0; i < user_inputs.size(); ++i)
      check(i == at || !user_inputs[i].defined() || !may_overlap(user_inputs[i], user_inputs[at]), "program '", program,
            "' updates its input '", name, "', which shares memory with the input '", signature.inputs[states + i].name,
            "'; give it a copy");
  }
}

}  // namespace onemodel

#include "export/training.h"

#include <algorithm>

#include "eager/autograd.h"
#include "eager/functions.h"
#include "eager/traced_gradients.h"
#include "export/retrace.h"

namespace onemodel {
namespace {

size_t loss_output(const ExportedProgram& program, const std::string& name) {
  const auto& outputs = program.signature.outputs;
  const std::vector<std::string> users = program.signature.names_of(OutputKind::user_output);
  check(!name.empty() || users.size() == 1, "with_gradients: the program has ", users.size(),
        " user outputs; say which is the loss");
  const std::string& wanted = name.empty() ? users.front() : name;
  const auto found = std::ranges::find_if(outputs, [&](const OutputSpec& output) {
    return output.kind == OutputKind::user_output && output.name == wanted;
  });
  check(found != outputs.end(), "with_gradients: '", wanted, "' is no user output of program '", program.graph.name,
        "'");
  return static_cast<size_t>(found - outputs.begin());
}

}  // namespace

ExportedProgram with_gradients(const ExportedProgram& program, const GradientOptions& options) {
  const size_t loss = loss_output(program, options.loss);
  const auto& specs = program.signature.inputs;
  const auto is_wanted = [&](size_t i, const Tensor& tensor) {
    return specs[i].kind == InputKind::parameter ||
           (specs[i].kind == InputKind::user_input && options.user_inputs && is_floating(tensor.dtype()));
  };
  const auto gradients = [&](std::span<const Tensor> inputs, std::span<const Tensor> outputs) {
    for (size_t i = 0; i < inputs.size(); ++i)
      if (is_wanted(i, inputs[i])) state_of(inputs[i])->requires_grad = true;
    const TracedGradients allowed;
    backward(outputs[loss]);
    std::vector<ExtraOutput> out;
    for (size_t i = 0; i < inputs.size(); ++i) {
      if (!is_wanted(i, inputs[i])) continue;
      const Tensor found = grad(inputs[i]);
      const bool is_state = specs[i].is_state();
      out.push_back({{.kind = is_state ? OutputKind::gradient_to_parameter : OutputKind::gradient_to_user_input,
                      .name = "grad_" + specs[i].name,
                      .target = is_state ? specs[i].target : specs[i].name},
                     found.defined() ? found : inputs[i] * 0});
      zero_grad(inputs[i]);  // it holds records that hold this tensor
    }
    return out;
  };
  ExportedProgram out = retrace(program, run_node, gradients);
  out.signature.outputs[loss].kind = OutputKind::loss_output;
  for (const OutputSpec& output : out.signature.outputs) {
    if (output.kind != OutputKind::gradient_to_parameter && output.kind != OutputKind::gradient_to_user_input) continue;
    out.result_constants.emplace_back();
    if (!out.calls.empty()) out.calls.front().outputs.push_back(output.name);
  }
  const size_t added = out.result_constants.size() - out.result.leaf_count();
  std::vector<Structure> parts(added + 1);
  parts.front() = std::move(out.result);
  out.result = {.kind = ArgumentKind::list, .keys = {}, .children = std::move(parts)};
  out.validate();
  return out;
}

}  // namespace onemodel

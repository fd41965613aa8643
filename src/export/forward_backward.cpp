#include "export/forward_backward.h"

#include <algorithm>
#include <set>

#include "eager/autograd.h"
#include "eager/in_place.h"
#include "eager/traceable_gradients.h"
#include "export/message_parts.h"
#include "export/retrace.h"

namespace onemodel {
namespace {

// The output that is the loss.
size_t loss_of(const ExportedProgram& program, const std::string& name) {
  const std::vector<std::string> known = program.signature.names_of(OutputKind::user_output);
  check(!name.empty() || known.size() == 1, "forward_backward: the name of the loss is wanted, one of ",
        quoted_list(known));
  const std::string& wanted = name.empty() ? known.front() : name;
  check(std::ranges::find(known, wanted) != known.end(), "forward_backward: there is no output '", wanted,
        "' (known: ", quoted_list(known), ")");
  const size_t at = static_cast<size_t>(std::ranges::find(program.signature.outputs, wanted, &OutputSpec::name) -
                                        program.signature.outputs.begin());
  const TensorType& type = program.graph.value(program.graph.outputs[at]).type;
  check(is_floating(type.dtype) && type.shape.numel() == 1, "forward_backward: the loss '", wanted,
        "' must be one floating-point element, got ", type);
  return at;
}

// Gradients have factors that follow from sizes, which would be frozen.
void check_sizes(const ExportedProgram& program) {
  for (const ValueId id : program.graph.inputs) {
    const Value& value = program.graph.value(id);
    check(value.type.shape.is_concrete(), "forward_backward: every size must be fixed, but the input '", value.name,
          "' is ", value.type);
  }
}

// The inputs whose gradients are wanted: parameters that are not frozen, then those of the user.
std::vector<size_t> sources_of(const ExportedProgram& program, const std::vector<std::string>& user_inputs) {
  const auto is_float = [&](size_t i) { return is_floating(program.graph.value(program.graph.inputs[i]).type.dtype); };
  const std::vector<InputSpec>& inputs = program.signature.inputs;
  std::vector<size_t> out;
  for (size_t i = 0; i < inputs.size(); ++i)
    if (inputs[i].kind == InputKind::parameter && !inputs[i].frozen && is_float(i)) out.push_back(i);
  const std::vector<std::string> known = program.signature.names_of(InputKind::user_input);
  for (const std::string& name : user_inputs) {
    const auto i = static_cast<size_t>(std::ranges::find(inputs, name, &InputSpec::name) - inputs.begin());
    check(i < inputs.size() && !inputs[i].is_state(), "forward_backward: there is no user input '", name,
          "' (known: ", quoted_list(known), ")");
    check(is_float(i), "forward_backward: the input '", name, "' has no gradient: it is ",
          program.graph.value(program.graph.inputs[i]).type);
    out.push_back(i);
  }
  return out;
}

AddedOutput gradient_output(const InputSpec& input, const Tensor& tensor, const Tensor& gradient) {
  const bool is_parameter = input.kind == InputKind::parameter;
  return {{.kind = is_parameter ? OutputKind::gradient_to_parameter : OutputKind::gradient_to_user_input,
           .name = input.name + "_grad",
           .target = is_parameter ? input.target : input.name},
          traced_like(gradient, tensor)};
}

// {output, gradients: {path: *, …}}
ArgumentForm form_with(const ExportedProgram& program, const std::vector<OutputSpec>& added) {
  ArgumentForm out{.structure = {.kind = ArgumentKind::dict, .keys = {"output", "gradients"}, .children = {}},
                   .constants = program.result_constants};
  Structure gradients{.kind = ArgumentKind::dict, .keys = {}, .children = std::vector<Structure>(added.size())};
  std::set<std::string> taken;  // a path and an input may have one name
  for (const OutputSpec& each : added) gradients.keys.push_back(take_name(taken, each.target));
  out.structure.children = {program.result, std::move(gradients)};
  out.constants.resize(out.constants.size() + added.size());
  return out;
}

}  // namespace

ExportedProgram export_forward_backward(const ExportedProgram& program, const ForwardBackwardOptions& options) {
  program.validate();
  check_sizes(program);
  const size_t loss = loss_of(program, options.loss);
  const std::vector<size_t> sources = sources_of(program, options.user_inputs);
  std::vector<OutputSpec> specs;
  const auto differentiate = [&](std::span<const Tensor> inputs, std::span<const Tensor> outputs) {
    std::vector<Tensor> tensors;
    tensors.reserve(sources.size());
    for (const size_t i : sources) tensors.push_back(inputs[i]);
    const TraceableGradients traceable;
    const std::vector<Tensor> found = gradients(outputs[loss], tensors);
    std::vector<AddedOutput> added;
    for (size_t i = 0; i < sources.size(); ++i)
      if (found[i].defined())
        added.push_back(gradient_output(program.signature.inputs[sources[i]], tensors[i], found[i]));
    for (const AddedOutput& each : added) specs.push_back(each.spec);
    check<GradientError>(!added.empty(), "forward_backward: the loss depends on nothing that has a gradient");
    return added;
  };
  ExportedProgram out = retrace(program, run_node, differentiate);
  out.signature.outputs[loss].kind = OutputKind::loss_output;
  ArgumentForm form = form_with(program, specs);
  out.result = form.structure;
  out.result_constants = form.constants;
  if (!out.calls.empty()) {
    out.calls.front().output_form = std::move(form);
    for (size_t i = out.signature.outputs.size() - specs.size(); i < out.signature.outputs.size(); ++i)
      out.calls.front().outputs.push_back(out.signature.outputs[i].name);
  }
  out.validate();
  return out;
}

}  // namespace onemodel

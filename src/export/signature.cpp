#include "export/signature.h"

#include <algorithm>

#include "core/error.h"

namespace onemodel {
namespace {

constexpr std::string_view kInputKinds[] = {"UserInput", "Parameter", "Buffer", "Constant"};
constexpr std::string_view kOutputKinds[] = {"UserOutput",         "ParameterMutation", "BufferMutation",
                                             "UserInputMutation",  "LossOutput",        "GradientToParameter",
                                             "GradientToUserInput"};

template <class Specs, class Kind>
ProgramSignature::Names targets(const Specs& specs, Kind kind) {
  ProgramSignature::Names out;
  for (const auto& spec : specs)
    if (spec.kind == kind) out.emplace(spec.name, spec.target);
  return out;
}

template <class Specs, class Kind>
std::vector<std::string> names(const Specs& specs, Kind kind) {
  std::vector<std::string> out;
  for (const auto& spec : specs)
    if (spec.kind == kind) out.push_back(spec.name);
  return out;
}

bool is_about_user_input(OutputKind kind) {
  return kind == OutputKind::user_input_mutation || kind == OutputKind::gradient_to_user_input;
}

InputKind kind_of_target(OutputKind kind) {
  if (is_about_user_input(kind)) return InputKind::user_input;
  return kind == OutputKind::buffer_mutation ? InputKind::buffer : InputKind::parameter;
}

}  // namespace

std::string_view kind_name(InputKind kind) { return kInputKinds[static_cast<size_t>(kind)]; }
std::string_view kind_name(OutputKind kind) { return kOutputKinds[static_cast<size_t>(kind)]; }

std::vector<std::string> InputSpec::paths() const {
  std::vector<std::string> out = aliases;
  if (is_state()) out.insert(out.begin(), target);
  return out;
}

std::vector<std::string> ProgramSignature::names_of(InputKind kind) const { return names(inputs, kind); }
std::vector<std::string> ProgramSignature::names_of(OutputKind kind) const { return names(outputs, kind); }
ProgramSignature::Names ProgramSignature::targets_of(InputKind kind) const { return targets(inputs, kind); }
ProgramSignature::Names ProgramSignature::targets_of(OutputKind kind) const { return targets(outputs, kind); }

std::vector<std::string> ProgramSignature::non_persistent_buffers() const {
  std::vector<std::string> out;
  for (const InputSpec& input : inputs)
    if (input.kind == InputKind::buffer && !input.persistent) out.push_back(input.target);
  return out;
}

size_t ProgramSignature::state_count() const {
  return static_cast<size_t>(std::ranges::count_if(inputs, &InputSpec::is_state));
}

size_t ProgramSignature::mutation_count() const {
  return static_cast<size_t>(std::ranges::count_if(outputs, &OutputSpec::is_mutation));
}

std::optional<size_t> ProgramSignature::input_of(const OutputSpec& output) const {
  if (output.target.empty()) return {};
  const InputKind kind = kind_of_target(output.kind);
  for (size_t i = 0; i < inputs.size(); ++i) {
    const InputSpec& input = inputs[i];
    if (input.kind == kind && (kind == InputKind::user_input ? input.name : input.target) == output.target) return i;
  }
  return {};
}

std::string to_string(const ProgramSignature& signature) {
  std::string out = "inputs:\n";
  const auto target = [](const std::string& name) { return name.empty() ? name : concat(" '", name, "'"); };
  const auto aliases = [](const InputSpec& input) {
    std::string out;
    for (const std::string& path : input.aliases) out += concat(", also '", path, "'");
    return out;
  };
  for (const InputSpec& input : signature.inputs)
    out += concat("  ", input.name, ": ", kind_name(input.kind), target(input.target),
                  input.persistent ? "" : ", not persistent", input.frozen ? ", frozen" : "", aliases(input), "\n");
  out += "outputs:\n";
  for (const OutputSpec& output : signature.outputs)
    out += concat("  ", output.name, ": ", kind_name(output.kind), target(output.target), "\n");
  return out;
}

}  // namespace onemodel

#pragma once
// What the inputs and outputs of an exported program are.

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace onemodel {

enum class InputKind : uint8_t { user_input, parameter, buffer, constant };
enum class OutputKind : uint8_t {
  user_output,
  parameter_mutation,
  buffer_mutation,
  user_input_mutation,
  loss_output,
  gradient_to_parameter,
  gradient_to_user_input
};

/// "UserInput", "Parameter", …
std::string_view kind_name(InputKind kind);
std::string_view kind_name(OutputKind kind);

/// One flat input. State comes first: per module, root first, parameters, buffers, constants; then the user's inputs.
struct InputSpec {
  InputKind kind = InputKind::user_input;
  std::string name;         // of the graph's input: "p_fc_weight", or the argument's name
  std::string target = {};  // the path of state: "fc.weight"
  bool persistent = true;   // of a buffer: it is in the state dict
  bool frozen = false;      // a parameter that required no gradient when it was exported
  /// Other paths of the same tensor (tied weights), which the state dict has, too.
  std::vector<std::string> aliases = {};

  bool is_state() const { return kind != InputKind::user_input; }
  /// All paths of state.
  std::vector<std::string> paths() const;
  friend bool operator==(const InputSpec&, const InputSpec&) = default;
};

/// One flat output. Updates come first, one for each updated object, in the order of their last updates.
struct OutputSpec {
  OutputKind kind = OutputKind::user_output;
  std::string name;         // of the graph's output
  std::string target = {};  // the path of state, or the user input's name; empty for user outputs and losses

  bool is_mutation() const {
    return kind == OutputKind::parameter_mutation || kind == OutputKind::buffer_mutation ||
           kind == OutputKind::user_input_mutation;
  }
  bool is_gradient() const {
    return kind == OutputKind::gradient_to_parameter || kind == OutputKind::gradient_to_user_input;
  }
  friend bool operator==(const OutputSpec&, const OutputSpec&) = default;
};

struct ProgramSignature {
  using Names = std::map<std::string, std::string>;
  std::vector<InputSpec> inputs;
  std::vector<OutputSpec> outputs;

  /// Names of flat inputs or outputs of one kind, in order.
  std::vector<std::string> names_of(InputKind kind) const;
  std::vector<std::string> names_of(OutputKind kind) const;
  /// Flat names and what they stand for: paths of parameters, buffers and constants.
  Names inputs_to_parameters() const { return targets_of(InputKind::parameter); }
  Names inputs_to_buffers() const { return targets_of(InputKind::buffer); }
  Names inputs_to_constants() const { return targets_of(InputKind::constant); }
  /// Flat names of outputs, and the path or the user input that each updates or is a gradient of.
  Names parameters_to_mutate() const { return targets_of(OutputKind::parameter_mutation); }
  Names buffers_to_mutate() const { return targets_of(OutputKind::buffer_mutation); }
  Names user_inputs_to_mutate() const { return targets_of(OutputKind::user_input_mutation); }
  Names gradients_to_parameters() const { return targets_of(OutputKind::gradient_to_parameter); }
  Names gradients_to_user_inputs() const { return targets_of(OutputKind::gradient_to_user_input); }
  /// Paths of buffers that are not in the state dict.
  std::vector<std::string> non_persistent_buffers() const;

  /// How many inputs are state, and how many outputs are updates: both come first.
  size_t state_count() const;
  size_t mutation_count() const;
  /// The flat input that a mutation or gradient is about; nothing when there is none.
  std::optional<size_t> input_of(const OutputSpec& output) const;

  friend bool operator==(const ProgramSignature&, const ProgramSignature&) = default;

 private:
  Names targets_of(InputKind kind) const;
  Names targets_of(OutputKind kind) const;
};

/// "inputs:" and "outputs:", a line each: "  p_fc_weight: Parameter 'fc.weight'".
std::string to_string(const ProgramSignature& signature);

}  // namespace onemodel

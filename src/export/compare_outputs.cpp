#include "export/compare_outputs.h"

#include <cmath>

#include "eager/record.h"
#include "nn/random.h"
#include "ops/seeds.h"

namespace onemodel {
namespace {

/// Puts values and generators back at its end.
class KeptState {
 public:
  explicit KeptState(std::span<const nn::NamedTensor> state)
      : state_(state), generator_(nn::default_generator().state()), seeds_(seeds_state()) {
    const InternalAccess internal;
    for (const nn::NamedTensor& named : state) values_.push_back(named.tensor.clone());
  }
  ~KeptState() {
    const InternalAccess internal;
    for (size_t i = 0; i < state_.size(); ++i) Tensor(state_[i].tensor).copy_from(values_[i]);
    nn::default_generator().set_state(generator_);
    restore_seeds(seeds_);
  }
  KeptState(const KeptState&) = delete;
  KeptState& operator=(const KeptState&) = delete;

 private:
  std::span<const nn::NamedTensor> state_;
  std::vector<Tensor> values_;
  Generator::State generator_, seeds_;
};

Argument copy_of(const Argument& argument) {
  std::vector<ArgumentLeaf> leaves = flatten(argument);
  for (ArgumentLeaf& leaf : leaves)
    if (const Tensor* tensor = std::get_if<Tensor>(&leaf)) leaf = tensor->detach().clone();
  return unflatten(structure_of(argument), leaves);
}

std::vector<Argument> copies_of(std::span<const NamedArgument> arguments) {
  std::vector<Argument> out;
  for (const NamedArgument& argument : arguments) out.push_back(copy_of(argument.value));
  return out;
}

// What differs, or nothing.
std::string difference(const Tensor& program, const Tensor& model, double tolerance) {
  if (program.dtype() != model.dtype() || program.dims() != model.dims())
    return concat("is ", program, " in the program, ", model, " in the model");
  const std::vector<double> got = program.to_vector<double>(), expected = model.to_vector<double>();
  double largest = 1;
  for (const double value : expected)
    if (std::isfinite(value)) largest = std::max(largest, std::fabs(value));
  for (size_t i = 0; i < got.size(); ++i) {
    const bool is_equal = got[i] == expected[i] || (std::isnan(got[i]) && std::isnan(expected[i])) ||
                          std::fabs(got[i] - expected[i]) <= tolerance * largest;
    if (!is_equal)
      return concat("differs: element ", i, " is ", got[i], " in the program, ", expected[i], " in the model");
  }
  return {};
}

std::string maker_of(const ExportedProgram& program, const std::string& output) {
  const Node* node = program.graph.producer(program.graph.find_value(output));
  return node ? node->module_path : std::string();
}

}  // namespace

std::vector<ProgramDifference> compare_with_model(const ExportedProgram& program, const Exportable& model,
                                                  std::span<const NamedArgument> arguments, double tolerance) {
  std::vector<Argument> of_program = copies_of(arguments), of_model = copies_of(arguments);
  ExportedProgram copy = program;
  copy.state = program.state->copy();
  const NoGrad none;
  const std::vector<Tensor> got = tensors_in(copy.call(of_program));
  const KeptState kept(model.state);
  const std::vector<Tensor> expected = tensors_in(model.run(of_model));

  std::vector<ProgramDifference> out;
  const auto compare = [&](const std::string& subject, const std::string& output, const Tensor& a, const Tensor& b) {
    if (const std::string what = difference(a, b, tolerance); !what.empty())
      out.push_back({concat(subject, " ", what), maker_of(program, output)});
  };
  if (got.size() != expected.size()) {
    out.push_back({concat("the program gives ", got.size(), " tensors, the model ", expected.size()), {}});
    return out;
  }
  const std::vector<std::string> names = program.signature.names_of(OutputKind::user_output);
  for (size_t i = 0; i < got.size(); ++i) compare(concat("output '", names[i], "'"), names[i], got[i], expected[i]);
  for (const OutputSpec& output : program.signature.outputs) {
    const auto target = program.signature.input_of(output);
    if (!output.is_mutation() || !target || *target >= program.signature.state_count()) continue;
    for (const nn::NamedTensor& named : model.state)
      if (named.path == output.target)
        compare(concat("state '", output.target, "'"), output.name, copy.state->tensor(*target), named.tensor.detach());
  }
  return out;
}

}  // namespace onemodel

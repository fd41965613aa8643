#include "export/compare_outputs.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <type_traits>

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

std::vector<Argument> copies_of(std::span<const NamedArgument> arguments) {
  std::vector<Argument> out;
  for (const NamedArgument& argument : arguments) out.push_back(copy_of(argument.value));
  return out;
}

bool is_same_constant(const ArgumentLeaf& a, const ArgumentLeaf& b) {
  const auto is_same = [&]<class T>(const T& value) {
    if constexpr (std::is_same_v<T, Tensor>)
      return true;
    else
      return value == std::get<T>(b) || (value != value && std::get<T>(b) != std::get<T>(b));  // NaN
  };
  return a.index() == b.index() && std::visit(is_same, a);
}

// How the results differ but for the values of tensors, or nothing.
std::string form_difference(const Argument& program, const Argument& model) {
  const size_t count = tensors_in(program).size(), expected = tensors_in(model).size();
  if (count != expected) return concat("the program gives ", count, " tensors, the model ", expected);
  const Structure structure = structure_of(program);
  if (structure != structure_of(model))
    return concat("the result is ", to_string(structure), " in the program, ", to_string(structure_of(model)),
                  " in the model");
  const std::vector<ArgumentLeaf> a = flatten(program), b = flatten(model);
  for (size_t i = 0; i < a.size(); ++i)
    if (!is_same_constant(a[i], b[i]))
      return concat("output '", leaf_names("output", structure)[i], "', which is constant in the program, changes");
  return {};
}

std::string maker_of(const ExportedProgram& program, const std::string& output) {
  const Node* node = program.graph.producer(program.graph.find_value(output));
  return node ? node->module_path : std::string();
}

// The first element in which both differ, as text.
template <class T, class Same>
std::string element_difference(const Tensor& program, const Tensor& other, std::string_view of_other,
                               std::string_view quote, const Same& same) {
  const std::vector<T> got = program.to_vector<T>(), expected = other.to_vector<T>();
  for (size_t i = 0; i < got.size(); ++i)
    if (!same(got[i], expected[i]))
      return concat("differs: element ", i, " is ", quote, got[i], quote, " in the program, ", quote, expected[i],
                    quote, " in ", of_other);
  return {};
}

/// What was given to a run, with its updates, and its result.
struct Run {
  std::vector<Argument> given;
  Argument result = {};
};

// What differs after one run of both: results, state, elements of inputs.
std::vector<ProgramDifference> differences_of_run(const ExportedProgram& program, const Run& run,
                                                  const Exportable& model, const Run& of_model, double tolerance) {
  std::vector<ProgramDifference> out;
  const auto compare = [&](const std::string& subject, const std::string& output, const Tensor& a, const Tensor& b) {
    if (const std::string what = tensor_difference(a, b, "the model", tolerance); !what.empty())
      out.push_back({concat(subject, " ", what), maker_of(program, output)});
  };
  const std::vector<Tensor> tensors = tensors_in(run.result), others = tensors_in(of_model.result);
  if (const std::string what = form_difference(run.result, of_model.result); !what.empty()) {
    out.push_back({what, {}});
    return out;
  }
  const std::vector<std::string> names = program.signature.names_of(OutputKind::user_output);
  for (size_t i = 0; i < tensors.size(); ++i)
    compare(concat("output '", names[i], "'"), names[i], tensors[i], others[i]);
  const size_t states = program.signature.state_count();
  const std::vector<Tensor> inputs = tensors_in(Argument::list(run.given)),
                            model_inputs = tensors_in(Argument::list(of_model.given));
  for (const OutputSpec& output : program.signature.outputs) {
    const auto target = program.signature.input_of(output);
    if (!output.is_mutation() || !target) continue;
    if (*target >= states)
      compare(concat("input '", output.target, "'"), output.name, inputs[*target - states],
              model_inputs[*target - states]);
    for (const nn::NamedTensor& named : model.state)
      if (*target < states && named.path == output.target)
        compare(concat("state '", output.target, "'"), output.name, program.state->tensor(*target),
                named.tensor.detach());
  }
  return out;
}

}  // namespace

std::string tensor_difference(const Tensor& program, const Tensor& other, std::string_view of_other, double tolerance) {
  if (program.dtype() != other.dtype() || program.dims() != other.dims())
    return concat("is ", program, " in the program, ", other, " in ", of_other);
  if (program.dtype() == DType::string)
    return element_difference<std::string>(program, other, of_other, "'", std::equal_to<>());
  double largest = 1;
  for (const double value : other.to_vector<double>())
    if (std::isfinite(value)) largest = std::max(largest, std::fabs(value));
  return element_difference<double>(program, other, of_other, "", [&](double a, double b) {
    return a == b || (std::isnan(a) && std::isnan(b)) || std::fabs(a - b) <= tolerance * largest;
  });
}

std::vector<ProgramDifference> compare_with_model(const ExportedProgram& program, const Exportable& model,
                                                  std::span<const NamedArgument> arguments, double tolerance) {
  Run of_program{copies_of(arguments)}, of_model{copies_of(arguments)};
  ExportedProgram copy = program;
  copy.state = program.state->copy();
  const NoGrad none;
  const KeptState kept(model.state);
  const std::shared_ptr<void> lasting = model.keep_between_runs ? model.keep_between_runs() : nullptr;
  std::vector<ProgramDifference> out;
  for (int round = 0; round < 2 && out.empty(); ++round) {
    of_program.result = copy.call(of_program.given);
    of_model.result = model.run(of_model.given);
    out = differences_of_run(copy, of_program, model, of_model, tolerance);
    if (round == 0) continue;
    for (ProgramDifference& each : out)
      each.what += "; in a first run both were the same: what the model keeps from run to run has to be in a buffer";
  }
  return out;
}

}  // namespace onemodel

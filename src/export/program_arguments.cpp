// Arguments and results of a program's calls: nested outside, flat inside.

#include <algorithm>

#include "export/exported_program.h"

namespace onemodel {
namespace {

std::string expected_arguments(const ExportedProgram& program) {
  std::string out;
  for (const ProgramArgument& argument : program.arguments) out += concat(out.empty() ? "" : ", ", argument.name);
  return out.empty() ? "none" : out;
}

bool has_default(const ProgramArgument& argument) {
  return std::ranges::all_of(argument.constants, [](const auto& leaf) { return leaf.has_value(); });
}

std::string leaf_text(const ArgumentLeaf& leaf) {
  if (std::holds_alternative<std::monostate>(leaf)) return "null";
  if (const auto* tensor = std::get_if<Tensor>(&leaf)) return concat(*tensor);
  if (const auto* flag = std::get_if<bool>(&leaf)) return concat(*flag);
  if (const auto* integer = std::get_if<int64_t>(&leaf)) return concat(*integer);
  if (const auto* real = std::get_if<double>(&leaf)) return concat(*real);
  return concat("'", std::get<std::string>(leaf), "'");
}

bool is_equal(const ArgumentLeaf& a, const ArgumentLeaf& b) {
  return a.index() == b.index() && !std::holds_alternative<Tensor>(a) && leaf_text(a) == leaf_text(b);
}

class Binder {
 public:
  explicit Binder(const ExportedProgram& program)
      : program_(program), given_(program.arguments.size()), who_(concat("program '", program.graph.name, "': ")) {}

  void take(std::span<const Argument> positional, std::span<const NamedArgument> named) {
    check(positional.size() <= given_.size(), who_, positional.size(), " arguments were given; it takes ",
          given_.size(), " (", expected_arguments(program_), ")");
    for (size_t i = 0; i < positional.size(); ++i) given_[i] = &positional[i];
    for (const NamedArgument& argument : named) {
      const auto known = std::ranges::find(program_.arguments, argument.name, &ProgramArgument::name);
      check(known != program_.arguments.end(), who_, "it has no argument '", argument.name, "' (it takes ",
            expected_arguments(program_), ")");
      const Argument*& place = given_[static_cast<size_t>(known - program_.arguments.begin())];
      check(place == nullptr, who_, "the argument '", argument.name, "' is given twice");
      place = &argument.value;
    }
  }

  std::vector<Tensor> tensors() const {
    std::vector<Tensor> out;
    for (size_t i = 0; i < given_.size(); ++i) {
      const ProgramArgument& argument = program_.arguments[i];
      check(given_[i] || has_default(argument), who_, "the argument '", argument.name, "' is missing");
      if (given_[i]) add(argument, *given_[i], out);
    }
    return out;
  }

 private:
  void add(const ProgramArgument& argument, const Argument& value, std::vector<Tensor>& out) const {
    const Structure structure = structure_of(value);
    check(structure == argument.structure, who_, "the argument '", argument.name, "' was exported as ",
          to_string(argument.structure), ", got ", to_string(structure));
    const std::vector<ArgumentLeaf> leaves = flatten(value);
    const std::vector<std::string> names = leaf_names(argument.name, structure);
    for (size_t i = 0; i < leaves.size(); ++i) {
      const Tensor* tensor = std::get_if<Tensor>(&leaves[i]);
      if (const auto& constant = argument.constants[i]) {
        check(is_equal(leaves[i], *constant), who_, "the argument '", names[i], "' is ", leaf_text(*constant),
              " in the program, got ", leaf_text(leaves[i]));
        continue;
      }
      check(tensor && tensor->defined(), who_, "the argument '", names[i], "' must be a tensor, got ",
            leaf_text(leaves[i]));
      out.push_back(*tensor);
    }
  }

  const ExportedProgram& program_;
  std::vector<const Argument*> given_;
  std::string who_;
};

}  // namespace

std::vector<Tensor> flat_arguments(const ExportedProgram& program, std::span<const Argument> positional,
                                   std::span<const NamedArgument> named) {
  Binder binder(program);
  binder.take(positional, named);
  return binder.tensors();
}

Argument result_of(const ExportedProgram& program, std::span<const Tensor> user_outputs) {
  std::vector<ArgumentLeaf> leaves;
  size_t next = 0;
  for (const auto& constant : program.result_constants)
    leaves.push_back(constant ? *constant : ArgumentLeaf(user_outputs[next++]));
  return unflatten(program.result, leaves);
}

}  // namespace onemodel

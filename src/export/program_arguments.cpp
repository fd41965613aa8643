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

bool has_default(const ProgramArgument& argument) { return argument.tensor_count() == 0; }

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
      if (!given_[i]) continue;
      const std::vector<Tensor> tensors = tensors_that_fit(who_, argument.name, argument, *given_[i]);
      out.insert(out.end(), tensors.begin(), tensors.end());
    }
    return out;
  }

 private:
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
  return filled({program.result, program.result_constants}, user_outputs);
}

}  // namespace onemodel

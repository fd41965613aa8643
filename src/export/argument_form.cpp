#include <algorithm>
#include <cmath>

#include "export/structure.h"

namespace onemodel {
namespace {

std::string leaf_text(const ArgumentLeaf& leaf) {
  if (std::holds_alternative<std::monostate>(leaf)) return "null";
  if (const auto* tensor = std::get_if<Tensor>(&leaf)) return concat(*tensor);
  if (const auto* flag = std::get_if<bool>(&leaf)) return concat(*flag);
  if (const auto* integer = std::get_if<int64_t>(&leaf)) return concat(*integer);
  if (const auto* real = std::get_if<double>(&leaf)) return concat(*real);
  return concat("'", std::get<std::string>(leaf), "'");
}

// A whole number is equal to the real one: script knows one kind of number only.
bool is_equal(const ArgumentLeaf& a, const ArgumentLeaf& b) {
  const auto *integer = std::get_if<int64_t>(&a), *other_integer = std::get_if<int64_t>(&b);
  const auto *real = std::get_if<double>(&a), *other_real = std::get_if<double>(&b);
  if (integer && other_real) return is_equal(b, a);
  if (real && other_integer)
    return std::abs(*real) < 0x1p63 && static_cast<int64_t>(*real) == *other_integer &&
           static_cast<double>(*other_integer) == *real && !(*real == 0 && std::signbit(*real));
  if (real && other_real)
    return std::isnan(*real) ? std::isnan(*other_real)
                             : *real == *other_real && std::signbit(*real) == std::signbit(*other_real);
  return a.index() == b.index() && !std::holds_alternative<Tensor>(a) && leaf_text(a) == leaf_text(b);
}

}  // namespace

size_t ArgumentForm::tensor_count() const {
  return static_cast<size_t>(std::ranges::count_if(constants, [](const auto& leaf) { return !leaf; }));
}

bool operator==(const ArgumentForm& a, const ArgumentForm& b) {
  const auto same = [](const auto& x, const auto& y) { return x && y ? is_equal(*x, *y) : !x && !y; };
  return a.structure == b.structure && std::ranges::equal(a.constants, b.constants, same);
}

ArgumentForm form_of(const Argument& argument) {
  ArgumentForm out{.structure = structure_of(argument), .constants = {}};
  for (ArgumentLeaf& leaf : flatten(argument)) {
    const bool is_tensor = std::holds_alternative<Tensor>(leaf);
    out.constants.push_back(is_tensor ? std::nullopt : std::optional(std::move(leaf)));
  }
  return out;
}

Argument filled(const ArgumentForm& form, std::span<const Tensor> tensors) {
  const size_t expected = form.tensor_count();
  check(tensors.size() == expected, "the structure ", to_string(form.structure), " has ", expected, " tensors, got ",
        tensors.size());
  std::vector<ArgumentLeaf> leaves;
  for (const auto& constant : form.constants) {
    leaves.push_back(constant.value_or(ArgumentLeaf()));
    if (constant) continue;
    if (tensors.front().defined()) leaves.back() = tensors.front();
    tensors = tensors.subspan(1);
  }
  return unflatten(form.structure, leaves);
}

std::vector<Tensor> tensors_that_fit(std::string_view who, std::string_view name, const ArgumentForm& form,
                                     const Argument& value) {
  const Structure structure = structure_of(value);
  check(structure == form.structure, who, "the argument '", name, "' was exported as ", to_string(form.structure),
        ", got ", to_string(structure));
  const std::vector<ArgumentLeaf> leaves = flatten(value);
  const std::vector<std::string> names = leaf_names(name, structure);
  std::vector<Tensor> out;
  for (size_t i = 0; i < leaves.size(); ++i) {
    if (const auto& constant = form.constants[i]) {
      check(is_equal(leaves[i], *constant), who, "the argument '", names[i], "' is ", leaf_text(*constant),
            " in the program, got ", leaf_text(leaves[i]));
      continue;
    }
    const Tensor* tensor = std::get_if<Tensor>(&leaves[i]);
    check(tensor && tensor->defined(), who, "the argument '", names[i], "' must be a tensor, got ",
          leaf_text(leaves[i]));
    out.push_back(*tensor);
  }
  return out;
}

}  // namespace onemodel

#pragma once
// Nested arguments of an exported program, and their structure without the values.

#include <cstdint>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/tensor.h"

namespace onemodel {

enum class ArgumentKind : uint8_t { leaf, list, dict };

/// What stands at the end of a path: a tensor, nothing, or a value that is constant in the program.
using ArgumentLeaf = std::variant<std::monostate, Tensor, bool, int64_t, double, std::string>;

/// A leaf, a list, or entries by key in their order.
struct Argument {
  ArgumentKind kind = ArgumentKind::leaf;
  ArgumentLeaf value;
  std::vector<std::string> keys;  // of a dict, one per child
  std::vector<Argument> children;

  Argument() = default;
  Argument(Tensor tensor) : value(std::move(tensor)) {}
  Argument(ArgumentLeaf leaf) : value(std::move(leaf)) {}
  static Argument list(std::vector<Argument> children);
  static Argument dict(std::vector<std::pair<std::string, Argument>> entries);
};

/// An argument of the model under its parameter's name.
struct NamedArgument {
  std::string name;
  Argument value;
};

/// How many levels a saved structure may have.
inline constexpr size_t kMostStructureDepth = 64;

/// The structure of an argument: what `flatten` loses.
struct Structure {
  ArgumentKind kind = ArgumentKind::leaf;
  std::vector<std::string> keys;
  std::vector<Structure> children;

  size_t leaf_count() const;
  /// 0 for a leaf.
  size_t depth() const;
  friend bool operator==(const Structure&, const Structure&) = default;
};

/// An argument without its tensors: its structure and the leaves that are constant, nothing where a tensor stands.
struct ArgumentForm {
  Structure structure;
  std::vector<std::optional<ArgumentLeaf>> constants;  // one per leaf

  size_t tensor_count() const;
  friend bool operator==(const ArgumentForm& a, const ArgumentForm& b);
};
ArgumentForm form_of(const Argument& argument);
/// The argument of that form with these tensors, where one that is undefined is nothing. Throws ArgumentError for another number.
Argument filled(const ArgumentForm& form, std::span<const Tensor> tensors);
/// The tensors of `value`, which stands for `name`, once it is found to have that form. Throws ArgumentError, beginning with `who`,
/// for another structure, another constant, and what is no tensor.
std::vector<Tensor> tensors_that_fit(std::string_view who, std::string_view name, const ArgumentForm& form,
                                     const Argument& value);

Structure structure_of(const Argument& argument);
/// The leaves, depth first.
std::vector<ArgumentLeaf> flatten(const Argument& argument);
/// The tensors among the leaves.
std::vector<Tensor> tensors_in(const Argument& argument);
/// The argument with copies of its tensors, which have no history.
Argument copy_of(const Argument& argument);
/// The argument with that structure and those leaves. Throws ArgumentError for another number of leaves.
Argument unflatten(const Structure& structure, std::span<const ArgumentLeaf> leaves);
/// A name per leaf: `name` itself, or with "_" and the position or key for each level: "x", "cache_0", "batch_ids".
std::vector<std::string> leaf_names(std::string_view name, const Structure& structure);
/// `stem`, or with the first numeric suffix that is free: a name that is in `taken` from now on.
std::string take_name(std::set<std::string>& taken, const std::string& stem);
/// "*", "[*, *]", "{ids: *, mask: [*]}".
std::string to_string(const Structure& structure);

/// A tensor among the arguments, with the name of its leaf.
struct TensorLeaf {
  std::string name;
  Tensor tensor;
};
/// All tensors of a call, depth first: the user inputs of a program. An argument that is a tensor keeps its name; a leaf of another
/// whose name is taken gets a numeric suffix. Throws ArgumentError for two arguments of one name.
std::vector<TensorLeaf> tensor_leaves(std::span<const NamedArgument> arguments);

}  // namespace onemodel

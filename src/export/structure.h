#pragma once
// Nested arguments of an exported program, and their structure without the values.

#include <cstdint>
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
/// "*", "[*, *]", "{ids: *, mask: [*]}".
std::string to_string(const Structure& structure);

/// A tensor among the arguments, with the name of its leaf.
struct TensorLeaf {
  std::string name;
  Tensor tensor;
};
/// All tensors of a call, depth first: the user inputs of a program. Throws ArgumentError when two leaves get one name.
std::vector<TensorLeaf> tensor_leaves(std::span<const NamedArgument> arguments);

}  // namespace onemodel

#include "export/structure.h"

#include <algorithm>

namespace onemodel {
namespace {

void collect(const Argument& argument, std::vector<ArgumentLeaf>& out) {
  if (argument.kind == ArgumentKind::leaf) out.push_back(argument.value);
  for (const Argument& child : argument.children) collect(child, out);
}

Argument rebuild(const Structure& structure, std::span<const ArgumentLeaf>& leaves) {
  Argument out;
  out.kind = structure.kind;
  out.keys = structure.keys;
  if (structure.kind == ArgumentKind::leaf) {
    out.value = leaves.front();
    leaves = leaves.subspan(1);
  }
  for (const Structure& child : structure.children) out.children.push_back(rebuild(child, leaves));
  return out;
}

void name_leaves(const std::string& name, const Structure& structure, std::vector<std::string>& out) {
  if (structure.kind == ArgumentKind::leaf) out.push_back(name);
  for (size_t i = 0; i < structure.children.size(); ++i) {
    const std::string part = structure.kind == ArgumentKind::dict ? structure.keys[i] : std::to_string(i);
    name_leaves(concat(name, '_', part), structure.children[i], out);
  }
}

}  // namespace

Argument Argument::list(std::vector<Argument> children) {
  Argument out;
  out.kind = ArgumentKind::list;
  out.children = std::move(children);
  return out;
}

Argument Argument::dict(std::vector<std::pair<std::string, Argument>> entries) {
  Argument out;
  out.kind = ArgumentKind::dict;
  for (auto& [key, value] : entries) {
    check(std::ranges::find(out.keys, key) == out.keys.end(), "an argument has the key '", key, "' twice");
    out.keys.push_back(std::move(key));
    out.children.push_back(std::move(value));
  }
  return out;
}

size_t Structure::leaf_count() const {
  size_t count = kind == ArgumentKind::leaf;
  for (const Structure& child : children) count += child.leaf_count();
  return count;
}

size_t Structure::depth() const {
  size_t deepest = 0;
  for (const Structure& child : children) deepest = std::max(deepest, child.depth() + 1);
  return deepest;
}

Structure structure_of(const Argument& argument) {
  Structure out{.kind = argument.kind, .keys = argument.keys, .children = {}};
  for (const Argument& child : argument.children) out.children.push_back(structure_of(child));
  return out;
}

std::vector<ArgumentLeaf> flatten(const Argument& argument) {
  std::vector<ArgumentLeaf> out;
  collect(argument, out);
  return out;
}

Argument copy_of(const Argument& argument) {
  std::vector<ArgumentLeaf> leaves = flatten(argument);
  for (ArgumentLeaf& leaf : leaves)
    if (const Tensor* tensor = std::get_if<Tensor>(&leaf)) leaf = tensor->detach().clone();
  return unflatten(structure_of(argument), leaves);
}

std::vector<Tensor> tensors_in(const Argument& argument) {
  std::vector<Tensor> out;
  for (const ArgumentLeaf& leaf : flatten(argument))
    if (const auto* tensor = std::get_if<Tensor>(&leaf)) out.push_back(*tensor);
  return out;
}

Argument unflatten(const Structure& structure, std::span<const ArgumentLeaf> leaves) {
  const size_t expected = structure.leaf_count();
  check(leaves.size() == expected, "the structure ", to_string(structure), " has ", expected, " leaves, got ",
        leaves.size());
  return rebuild(structure, leaves);
}

std::vector<std::string> leaf_names(std::string_view name, const Structure& structure) {
  std::vector<std::string> out;
  name_leaves(std::string(name), structure, out);
  return out;
}

std::string to_string(const Structure& structure) {
  if (structure.kind == ArgumentKind::leaf) return "*";
  const bool is_dict = structure.kind == ArgumentKind::dict;
  std::string out = is_dict ? "{" : "[";
  for (size_t i = 0; i < structure.children.size(); ++i) {
    if (i > 0) out += ", ";
    if (is_dict) out += structure.keys[i] + ": ";
    out += to_string(structure.children[i]);
  }
  return out + (is_dict ? '}' : ']');
}

std::string take_name(std::set<std::string>& taken, const std::string& stem) {
  std::string name = stem;
  for (int suffix = 1; !taken.insert(name).second; ++suffix) name = concat(stem, "_", suffix);
  return name;
}

std::vector<TensorLeaf> tensor_leaves(std::span<const NamedArgument> arguments) {
  std::vector<TensorLeaf> out;
  std::set<std::string> all, taken;
  for (const NamedArgument& argument : arguments) {
    check(all.insert(argument.name).second, "two arguments have the name '", argument.name, "'");
    if (std::holds_alternative<Tensor>(argument.value.value)) taken.insert(argument.name);
  }
  for (const NamedArgument& argument : arguments) {
    const std::vector<ArgumentLeaf> leaves = flatten(argument.value);
    const std::vector<std::string> names = leaf_names(argument.name, structure_of(argument.value));
    for (size_t i = 0; i < leaves.size(); ++i) {
      const auto* tensor = std::get_if<Tensor>(&leaves[i]);
      if (!tensor) continue;
      check(tensor->defined(), "the argument '", names[i], "' is an undefined tensor");
      const bool is_nested = argument.value.kind != ArgumentKind::leaf;
      out.push_back({is_nested ? take_name(taken, names[i]) : names[i], *tensor});
    }
  }
  return out;
}

}  // namespace onemodel

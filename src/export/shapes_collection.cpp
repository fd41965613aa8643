#include "export/shapes_collection.h"

#include <algorithm>

#include "export/same_view.h"

namespace onemodel {
namespace {

/// A part per argument, made by `part` of its value and name.
ShapeSpec by_argument(std::span<const NamedArgument> arguments,
                      const std::function<ShapeSpec(const NamedArgument&)>& part) {
  std::vector<std::pair<std::string, ShapeSpec>> parts;
  for (const NamedArgument& argument : arguments) parts.emplace_back(argument.name, part(argument));
  return ShapeSpec::by_name(std::move(parts));
}

ShapeSpec container(const Argument& like, std::vector<ShapeSpec> children) {
  ShapeSpec out = ShapeSpec::of(std::move(children));
  if (like.kind == ArgumentKind::dict) {
    out.kind = ShapeSpec::dict;
    out.keys = like.keys;
  }
  return out;
}

/// What differs between `example` and `other` in a way that no size explains.
[[noreturn]] void refuse(size_t number, const std::string& name, const std::string& what) {
  throw ArgumentError(concat("additional inputs ", number, ": input '", name, "' ", what));
}

ShapeSpec differences(const Argument& example, const Argument& other, const std::string& name, size_t number) {
  if (!(example.kind == other.kind && example.keys == other.keys && example.children.size() == other.children.size()))
    refuse(
        number, name,
        concat("has the structure ", to_string(structure_of(other)), ", expected ", to_string(structure_of(example))));
  if (example.kind != ArgumentKind::leaf) {
    std::vector<ShapeSpec> children;
    for (size_t i = 0; i < example.children.size(); ++i) {
      const std::string part = example.kind == ArgumentKind::dict ? example.keys[i] : std::to_string(i);
      children.push_back(differences(example.children[i], other.children[i], concat(name, '_', part), number));
    }
    return container(example, std::move(children));
  }
  const auto* tensor = std::get_if<Tensor>(&example.value);
  const auto* second = std::get_if<Tensor>(&other.value);
  if (!tensor || !second) {
    const bool is_same = !tensor && !second && example.value.index() == other.value.index() &&
                         std::visit(
                             [&](const auto& value) {
                               using T = std::decay_t<decltype(value)>;
                               if constexpr (std::is_same_v<T, Tensor>)
                                 return false;
                               else
                                 return value == std::get<T>(other.value);
                             },
                             example.value);
    if (!is_same) refuse(number, name, "is another value, which a program holds as a constant; only sizes may differ");
    return {};
  }
  if (tensor->rank() != second->rank() || tensor->dtype() != second->dtype())
    refuse(number, name,
           concat("is ", *second, ", expected ", tensor->dtype(), " of rank ", tensor->rank(), " as ", *tensor));
  std::vector<ShapeSpec> entries(tensor->rank());
  for (size_t axis = 0; axis < entries.size(); ++axis)
    if (tensor->dims()[axis] != second->dims()[axis]) entries[axis] = Dim::DYNAMIC;
  return ShapeSpec::of(std::move(entries));
}

// `into` and where either is dynamic.
void merge(ShapeSpec& into, const ShapeSpec& other) {
  if (into.is_nothing()) into = other;
  for (size_t i = 0; i < other.children.size(); ++i) merge(into.children[i], other.children[i]);
}

}  // namespace

void ShapesCollection::set(const Tensor& tensor, ShapeSpec spec) {
  check(tensor.defined(), "ShapesCollection: the tensor is undefined");
  for (auto& [known, part] : parts_)
    if (is_same_view(known, tensor)) return void(part = std::move(spec));
  parts_.emplace_back(tensor, std::move(spec));
}

ShapeSpec ShapesCollection::dynamic_shapes(std::span<const NamedArgument> arguments) const {
  std::vector<bool> used(parts_.size());
  const std::function<ShapeSpec(const Argument&)> part_of = [&](const Argument& argument) {
    if (argument.kind != ArgumentKind::leaf) {
      std::vector<ShapeSpec> children;
      for (const Argument& child : argument.children) children.push_back(part_of(child));
      return container(argument, std::move(children));
    }
    const auto* tensor = std::get_if<Tensor>(&argument.value);
    for (size_t i = 0; tensor && i < parts_.size(); ++i) {
      if (!is_same_view(parts_[i].first, *tensor)) continue;
      used[i] = true;
      return parts_[i].second;
    }
    return ShapeSpec();
  };
  ShapeSpec out = by_argument(arguments, [&](const NamedArgument& each) { return part_of(each.value); });
  for (size_t i = 0; i < parts_.size(); ++i)
    check(used[i], "ShapesCollection: the tensor ", parts_[i].first, " is none of the arguments");
  return out;
}

ShapeSpec AdditionalInputs::dynamic_shapes(std::span<const NamedArgument> arguments) const {
  ShapeSpec out = by_argument(
      arguments, [](const NamedArgument& each) { return differences(each.value, each.value, each.name, 0); });
  for (size_t n = 0; n < examples_.size(); ++n) {
    const auto& example = examples_[n];
    check(example.size() == arguments.size(), "additional inputs ", n, ": got ", example.size(),
          " arguments, expected ", arguments.size());
    ShapeSpec found = by_argument(arguments, [&](const NamedArgument& each) {
      const auto at = std::ranges::find(example, each.name, &NamedArgument::name);
      check(at != example.end(), "additional inputs ", n, ": the argument '", each.name, "' is missing");
      return differences(each.value, at->value, each.name, n);
    });
    merge(out, found);
  }
  return out;
}

void AdditionalInputs::verify(const ProgramCall& program) const {
  for (size_t n = 0; n < examples_.size(); ++n) {
    try {
      program(examples_[n]);
    } catch (Error& error) {
      error.add_context(concat("additional inputs ", n));
      throw;
    }
  }
}

}  // namespace onemodel

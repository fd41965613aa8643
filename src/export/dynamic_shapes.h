#pragma once
// Which sizes of a program's inputs may vary, as the caller says it.

#include <span>
#include <string>
#include <utility>
#include <vector>

#include "export/dim.h"
#include "export/structure.h"

namespace onemodel {

class DimSolver;

/// A part of a specification: an entry for one axis (nothing: static), a list, or values by key. What a list or keys mean
/// follows from where they stand: of a tensor's axes, of a container's elements, or of the arguments.
struct ShapeSpec {
  enum Kind : uint8_t { entry, list, dict };
  Kind kind = entry;
  SizeEntry value;
  std::vector<std::string> keys;
  std::vector<ShapeSpec> children;

  ShapeSpec() = default;  // static
  ShapeSpec(int64_t size) : value(size) {}
  ShapeSpec(Dim dim) : value(std::move(dim)) {}
  ShapeSpec(SizeHint hint) : value(hint) {}
  /// An entry per axis, a part per element, or a part per argument.
  static ShapeSpec of(std::vector<ShapeSpec> children);
  /// Parts by name: of a dict's keys, or of the arguments.
  static ShapeSpec by_name(std::vector<std::pair<std::string, ShapeSpec>> parts);
  /// Entries for some axes of a tensor.
  static ShapeSpec axes(std::vector<std::pair<int64_t, ShapeSpec>> entries);

  bool is_nothing() const { return kind == entry && std::holds_alternative<std::monostate>(value); }
  friend bool operator==(const ShapeSpec&, const ShapeSpec&) = default;
};

/// What was declared for one input tensor.
struct InputSizes {
  std::string name;  // of the leaf
  Tensor example;
  std::vector<SizeEntry> entries;  // one per axis
};

/// The specification, laid on the arguments: one element per tensor leaf, in the order of `tensor_leaves`. `spec` has a part
/// per argument, by name or by position.
///
/// Throws ArgumentError with a line per problem, each naming input, axis, what was given and what is allowed: an unknown input,
/// an axis out of range, what is no tensor, a list that has not an entry per axis, a static size that is not the example's,
/// one name with two ranges. When there is none of these, ConstraintsError with a line for each example that its range or
/// relation does not have, and for each name that stands at two sizes.
std::vector<InputSizes> lay_out(const ShapeSpec& spec, std::span<const NamedArgument> arguments);

/// Tells `solver` the ranges, relations and sites of the Dims.
void declare(std::span<const InputSizes> inputs, DimSolver& solver);

}  // namespace onemodel

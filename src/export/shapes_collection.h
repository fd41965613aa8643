#pragma once
// Two ways to say which sizes vary without writing a specification by hand.

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "export/dynamic_shapes.h"

namespace onemodel {

/// Parts of a specification by the tensors they are for. A tensor is known by the memory, sizes and type it views.
class ShapesCollection {
 public:
  /// Throws ArgumentError for an undefined tensor. A later part takes the place of an earlier one.
  void set(const Tensor& tensor, ShapeSpec spec);
  /// The specification for `arguments`. Throws ArgumentError when a tensor of the collection is none of them.
  ShapeSpec dynamic_shapes(std::span<const NamedArgument> arguments) const;

 private:
  std::vector<std::pair<Tensor, ShapeSpec>> parts_;
};

/// What runs a program on arguments; throws what the program throws.
using ProgramCall = std::function<void(std::span<const NamedArgument>)>;

/// More examples: sizes in which they differ are dynamic.
class AdditionalInputs {
 public:
  void add(std::vector<NamedArgument> arguments) { examples_.push_back(std::move(arguments)); }
  size_t size() const { return examples_.size(); }
  /// Dim.DYNAMIC where an example differs from `arguments`, else static. Throws ArgumentError naming the example and the
  /// input where structure, rank, element type or a value that is no tensor differ.
  ShapeSpec dynamic_shapes(std::span<const NamedArgument> arguments) const;
  /// Runs all examples. Errors are those of `program`, with the example's number put before them.
  void verify(const ProgramCall& program) const;

 private:
  std::vector<std::vector<NamedArgument>> examples_;
};

}  // namespace onemodel

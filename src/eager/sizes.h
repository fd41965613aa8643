#pragma once
// Shapes that callers give: numbers, and sizes read from tensors, which a trace keeps symbolic.

#include <concepts>
#include <initializer_list>
#include <vector>

#include "core/tensor.h"

namespace onemodel {

/// The extent of x along `axis` as an int64 scalar. Of a traced tensor's symbolic axis it is a handle: the operators
/// take it as a size, arithmetic on it gives sizes, and nothing needs to be matched by example sizes. Otherwise it is
/// a plain constant. Throws ShapeError for an axis out of range.
Tensor dim(const Tensor& x, int64_t axis);

/// One extent of a shape: a number, or a tensor of one int64 element made from `dim`.
class ShapeEntry {
 public:
  ShapeEntry(std::integral auto number) : number_(static_cast<int64_t>(number)) {}
  ShapeEntry(Tensor handle) : handle_(std::move(handle)) {}

  int64_t number() const { return number_; }
  /// Undefined for a number.
  const Tensor& handle() const { return handle_; }

 private:
  int64_t number_ = 0;
  Tensor handle_;
};

/// A shape argument: `{dim(x, 0), 4, -1}`, or plain `Dims`.
class Sizes {
 public:
  Sizes() = default;
  Sizes(std::initializer_list<ShapeEntry> sizes) : sizes_(sizes) {}
  Sizes(const Dims& dims) : sizes_(dims.begin(), dims.end()) {}
  explicit Sizes(std::vector<ShapeEntry> sizes) : sizes_(std::move(sizes)) {}

  /// The int64 list that operators take as a shape; traced when one of the sizes is. Throws ArgumentError naming `who`
  /// for a handle that is not one int64.
  Tensor operand(std::string_view who) const;

 private:
  std::vector<ShapeEntry> sizes_;
};

}  // namespace onemodel

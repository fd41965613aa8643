#pragma once
// What passes ask of constants.

#include <optional>
#include <span>

#include "core/tensor.h"

namespace onemodel {

/// The value that every element has, as double; nothing for bool, an empty tensor, one whose elements
/// differ, and one of more than 4096 elements, which would take long to look at.
std::optional<double> uniform_value(const Tensor& tensor);

/// Same dtype, shape and bytes. Tensors of more than 4096 elements are the same only when they view the
/// same memory.
bool same_constant(const Tensor& a, const Tensor& b);

/// `values` rounded to `dtype`.
Tensor from_doubles(std::span<const double> values, const Dims& dims, DType dtype);

}  // namespace onemodel

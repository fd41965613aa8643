#pragma once
// Numbers beside tensors.

#include <string_view>

#include "core/tensor.h"

namespace onemodel {

/// `value` as a scalar beside a tensor of `dtype`. Throws ArgumentError naming `owner`, and `input` unless that is empty, for
/// an integer dtype that has no such number.
Tensor scalar_of(double value, DType dtype, std::string_view owner, std::string_view input = {});

/// The same beside `x`, an operand of `owner`; throws ArgumentError when that is undefined.
Tensor beside(const Tensor& x, double value, std::string_view owner);
/// Throws ArgumentError naming `owner` for a number whose whole part an integer dtype does not have.
void check_in_range(double value, DType dtype, std::string_view owner);

}  // namespace onemodel

#pragma once
// Numbers beside tensors.

#include <string_view>

#include "core/tensor.h"

namespace onemodel {

/// `value` as a scalar beside a tensor of `dtype`. Throws ArgumentError naming `owner`, and `input` unless that is empty, for
/// an integer dtype that has no such number.
Tensor scalar_of(double value, DType dtype, std::string_view owner, std::string_view input = {});

}  // namespace onemodel

#pragma once
// What reductions to numbers that need not be integers take.

#include <string_view>

#include "core/tensor.h"

namespace onemodel {

/// Throws DTypeError naming `who` for integers and truth values.
void check_floating(std::string_view who, const Tensor& x);

}  // namespace onemodel

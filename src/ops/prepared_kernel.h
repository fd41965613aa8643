#pragma once
// Makes an XNNPACK kernel a Kernel of the operator layer.

#include <array>
#include <initializer_list>

#include "kernels/xnn/prepared.h"
#include "ops/kernel.h"

namespace onemodel {

/// Wraps `prepared`, which takes the operands `operands` in this order; null stays null. Operands that are not listed
/// were copied when it was made.
std::unique_ptr<Kernel> wrap_kernel(kernels::xnn::PreparedPtr prepared, std::initializer_list<size_t> operands);

}  // namespace onemodel

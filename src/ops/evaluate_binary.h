#pragma once
// Portable kernels of two broadcast inputs of one dtype.

#include "kernels/portable/elementwise.h"
#include "ops/kernel.h"

namespace onemodel {

/// y = function(a, b) into the contiguous `y`, of the dtype of both.
void evaluate_binary(kernels::Binary function, const Tensor& a, const Tensor& b, const Tensor& y);

}  // namespace onemodel

#pragma once
// Bounds on gradients before an optimizer's step, under PyTorch's names.

#include <span>

#include "core/tensor.h"

namespace onemodel::nn {

/// Scales all gradients so that their norm together is at most `max_norm`: by max_norm / (norm + 1e-6) when that is
/// below 1. Returns the norm before. Parameters without gradient are left out. `norm_type` may be infinity. Throws
/// ArgumentError for a negative max_norm or a norm_type that is not positive.
double clip_grad_norm(std::span<const Tensor> parameters, double max_norm, double norm_type = 2);

/// Bounds each element of the gradients to [-clip_value, clip_value]. Throws ArgumentError for a negative clip_value.
void clip_grad_value(std::span<const Tensor> parameters, double clip_value);

}  // namespace onemodel::nn

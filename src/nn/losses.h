#pragma once
// Loss functions, by PyTorch's formulas and names.
//
// `reduction` is "mean", "sum" (a scalar) or "none". Errors: ShapeError for shapes that do not fit, DTypeError,
// ArgumentError for another reduction or a class outside [0, C), naming its place. The target gets no gradient unless
// it asks for one. While tracing, nll_loss and cross_entropy throw TraceError(UnsupportedOperation).

#include <string_view>

#include "core/tensor.h"

namespace onemodel::nn {

/// (input - target)², both of one shape.
Tensor mse_loss(const Tensor& input, const Tensor& target, std::string_view reduction = "mean");

/// -log_probabilities[n, target[n]]: [N, C, …] and classes of int64 (or int32) [N, …]; "none" gives [N, …].
Tensor nll_loss(const Tensor& log_probabilities, const Tensor& target, std::string_view reduction = "mean");

/// The negative logarithm of the softmax over axis 1 of logits [N, C, …]: at the target's classes, int64 (or int32)
/// [N, …], or weighted by the target's probabilities, floating [N, C, …]. "none" gives [N, …]; "mean" divides by the
/// number of those.
Tensor cross_entropy(const Tensor& logits, const Tensor& target, std::string_view reduction = "mean");

}  // namespace onemodel::nn

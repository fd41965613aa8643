#pragma once
// Losses of two tensors of one shape, element by element, by PyTorch's formulas and names.
//
// `reduction` is "mean", "sum" (a scalar) or "none" (the input's shape). Errors: ShapeError for shapes that differ,
// ArgumentError for another reduction or an option out of range. The target gets no gradient unless it asks for one.

#include <string_view>

#include "core/tensor.h"

namespace onemodel::nn {

/// (input - target)².
Tensor mse_loss(const Tensor& input, const Tensor& target, std::string_view reduction = "mean");
/// |input - target|.
Tensor l1_loss(const Tensor& input, const Tensor& target, std::string_view reduction = "mean");
/// With d = |input - target|: d² / (2 beta) for d < beta, else d - beta / 2; l1_loss for beta = 0.
Tensor smooth_l1_loss(const Tensor& input, const Tensor& target, std::string_view reduction = "mean", double beta = 1);
/// With d = |input - target|: d² / 2 for d <= delta, else delta (d - delta / 2).
Tensor huber_loss(const Tensor& input, const Tensor& target, std::string_view reduction = "mean", double delta = 1);

/// -weight (target log(input) + (1 - target) log(1 - input)) with logarithms of at least -100; input in [0, 1]. The
/// weight broadcasts, or is undefined.
Tensor binary_cross_entropy(const Tensor& input, const Tensor& target, const Tensor& weight = {},
                            std::string_view reduction = "mean");
/// The same of sigmoid(input), without its overflows; pos_weight, a factor of target's part, broadcasts or is
/// undefined.
Tensor binary_cross_entropy_with_logits(const Tensor& input, const Tensor& target, const Tensor& weight = {},
                                        std::string_view reduction = "mean", const Tensor& pos_weight = {});
/// target (log(target) - input), 0 for a target of 0; with log_target, of which the target is the logarithm,
/// e^target (target - input). "batchmean" divides the sum by the first extent.
Tensor kl_div(const Tensor& input, const Tensor& target, std::string_view reduction = "mean", bool log_target = false);

/// `losses` by "mean", "sum" or "none"; throws ArgumentError naming `who` for another word.
Tensor reduce_losses(std::string_view who, const Tensor& losses, std::string_view reduction);

}  // namespace onemodel::nn

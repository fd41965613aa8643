#pragma once
// Losses of two tensors of one shape, element by element, by PyTorch's formulas and names.
//
// `reduction` is "mean", "sum" (a scalar) or "none" (the input's shape). Errors: ShapeError for shapes that differ,
// ArgumentError for another reduction or an option out of range. The target gets no gradient unless it asks for one.

#include <string>
#include <string_view>
#include <tuple>

#include "core/tensor.h"
#include "ops/attribute.h"

namespace onemodel::nn {

struct LossOptions {
  std::string reduction = "mean";
  static constexpr auto fields() {
    return std::tuple{field("reduction", &LossOptions::reduction, "mean, sum or none")};
  }
};

/// (input - target)².
Tensor mse_loss(const Tensor& input, const Tensor& target, const LossOptions& options = {});
/// |input - target|.
Tensor l1_loss(const Tensor& input, const Tensor& target, const LossOptions& options = {});

struct SmoothL1LossOptions {
  std::string reduction = "mean";
  double beta = 1;
  static constexpr auto fields() {
    using O = SmoothL1LossOptions;
    return std::tuple{field("reduction", &O::reduction, "mean, sum or none"),
                      field("beta", &O::beta, "the distance at which squares give way to lines")};
  }
};
/// With d = |input - target|: d² / (2 beta) for d < beta, else d - beta / 2; l1_loss for beta = 0.
Tensor smooth_l1_loss(const Tensor& input, const Tensor& target, const SmoothL1LossOptions& options = {});

struct HuberLossOptions {
  std::string reduction = "mean";
  double delta = 1;
  static constexpr auto fields() {
    using O = HuberLossOptions;
    return std::tuple{field("reduction", &O::reduction, "mean, sum or none"),
                      field("delta", &O::delta, "the distance at which squares give way to lines")};
  }
};
/// With d = |input - target|: d² / 2 for d <= delta, else delta (d - delta / 2).
Tensor huber_loss(const Tensor& input, const Tensor& target, const HuberLossOptions& options = {});

struct BinaryCrossEntropyOptions {
  Tensor weight = {};
  std::string reduction = "mean";
  static constexpr auto fields() {
    using O = BinaryCrossEntropyOptions;
    return std::tuple{field("weight", &O::weight, "a factor of the losses, which broadcasts"),
                      field("reduction", &O::reduction, "mean, sum or none")};
  }
};
/// -weight (target log(input) + (1 - target) log(1 - input)) with logarithms of at least -100; input in [0, 1]. The
/// weight broadcasts, or is undefined.
Tensor binary_cross_entropy(const Tensor& input, const Tensor& target, const BinaryCrossEntropyOptions& options = {});

struct BinaryCrossEntropyWithLogitsOptions {
  Tensor weight = {};
  std::string reduction = "mean";
  Tensor pos_weight = {};
  static constexpr auto fields() {
    using O = BinaryCrossEntropyWithLogitsOptions;
    return std::tuple{field("weight", &O::weight, "a factor of the losses, which broadcasts"),
                      field("reduction", &O::reduction, "mean, sum or none"),
                      field("pos_weight", &O::pos_weight, "a factor of the target's part, which broadcasts")};
  }
};
/// The same of sigmoid(input), without its overflows; pos_weight, a factor of target's part, broadcasts or is
/// undefined.
Tensor binary_cross_entropy_with_logits(const Tensor& input, const Tensor& target,
                                        const BinaryCrossEntropyWithLogitsOptions& options = {});

struct KlDivOptions {
  std::string reduction = "mean";
  bool log_target = false;
  static constexpr auto fields() {
    using O = KlDivOptions;
    return std::tuple{field("reduction", &O::reduction, "mean, batchmean, sum or none"),
                      field("log_target", &O::log_target, "whether the target is a logarithm too")};
  }
};
/// target (log(target) - input), 0 for a target of 0; with log_target, of which the target is the logarithm,
/// e^target (target - input). "batchmean" divides the sum by the first extent.
Tensor kl_div(const Tensor& input, const Tensor& target, const KlDivOptions& options = {});

/// `losses` by "mean", "sum" or "none"; throws ArgumentError naming `who` for another word.
Tensor reduce_losses(std::string_view who, const Tensor& losses, std::string_view reduction);

}  // namespace onemodel::nn

#include "nn/losses_elementwise.h"

#include "eager/autograd.h"
#include "eager/check_floating.h"
#include "eager/functional_trace.h"
#include "eager/functions.h"
#include "eager/functions_activation.h"
#include "eager/sizes.h"

namespace onemodel::nn {
namespace {

void check_shapes(std::string_view who, const Tensor& input, const Tensor& target) {
  check(input.defined() && target.defined(), who, ": the input or the target is undefined");
  check<ShapeError>(input.dims() == target.dims(), who, ": the input is ", input.dims(), ", the target ",
                    target.dims());
}

Tensor weighted(const Tensor& losses, const Tensor& weight) { return weight.defined() ? losses * weight : losses; }
Tensor scalar(const Tensor& like, double value) { return Tensor::full({}, value, like.dtype()); }

Tensor logarithm(const Tensor& x) { return clip(log(x), -100, {}); }

// The same, with the gradient 0 at 0, where that of the logarithm is infinite: for exports, which may be differentiated.
Tensor safe_logarithm(const Tensor& x) {
  const Tensor is_positive = greater(x, scalar(x, 0));
  return where(is_positive, logarithm(where(is_positive, x, scalar(x, 1))), scalar(x, -100));
}

Tensor entropy(const Tensor& input, const Tensor& target, Tensor (*logarithm)(const Tensor&)) {
  return -(target * logarithm(input) + (scalar(target, 1) - target) * logarithm(scalar(input, 1) - input));
}

// Only what has values can be looked at.
void check_probabilities(std::string_view who, const Tensor& input) {
  if (input.numel() == 0) return;
  const Tensor values = input.detach().cast(DType::f64);
  const auto least = min(values, {}, false).item<double>(), most = max(values, {}, false).item<double>();
  check(least >= 0 && most <= 1, who, ": the input must be in [0, 1], got ", least, " to ", most);
}

// With PyTorch's gradient, (input - target) / max(input (1 - input), 1e-12), which stays finite at 0 and 1: near those the
// value is a constant, and the slope that of a parabola whose own value is taken off again.
Tensor steep_entropy(const Tensor& input, const Tensor& target) {
  if (input.dtype() != DType::f32 && input.dtype() != DType::f64)
    return cast(steep_entropy(cast(input, DType::f32), cast(target, DType::f32)), input.dtype());
  const Tensor is_inside = greater(input * (scalar(input, 1) - input), scalar(input, 1e-12));
  const Tensor distance = input - target.detach(), parabola = distance * distance * 0.5e12;
  const Tensor near = entropy(input.detach(), target, &logarithm) + (parabola - parabola.detach());
  return where(is_inside, entropy(where(is_inside, input, scalar(input, 0.5)), target, &logarithm), near);
}

}  // namespace

Tensor reduce_losses(std::string_view who, const Tensor& losses, std::string_view reduction) {
  if (reduction == "mean") {
    check_floating(who, losses);
    return mean(losses);
  }
  if (reduction == "sum") return sum(losses);
  check(reduction == "none", who, ": reduction must be mean, sum or none, got '", reduction, "'");
  return losses;
}

Tensor mse_loss(const Tensor& input, const Tensor& target, const LossOptions& options) {
  check_shapes("mse_loss", input, target);
  const Tensor difference = input - target;
  return reduce_losses("mse_loss", difference * difference, options.reduction);
}

Tensor l1_loss(const Tensor& input, const Tensor& target, const LossOptions& options) {
  check_shapes("l1_loss", input, target);
  return reduce_losses("l1_loss", abs(input - target), options.reduction);
}

Tensor smooth_l1_loss(const Tensor& input, const Tensor& target, const SmoothL1LossOptions& options) {
  const double beta = options.beta;
  check_shapes("smooth_l1_loss", input, target);
  check(beta >= 0, "smooth_l1_loss: beta must not be negative, got ", beta);
  if (beta == 0) return l1_loss(input, target, {.reduction = options.reduction});
  const Tensor distance = abs(input - target);
  const Tensor is_near = less(distance, scalar(distance, beta)), near = where(is_near, distance, scalar(distance, 0));
  return reduce_losses("smooth_l1_loss", where(is_near, near * near * (0.5 / beta), distance - 0.5 * beta),
                       options.reduction);
}

Tensor huber_loss(const Tensor& input, const Tensor& target, const HuberLossOptions& options) {
  const double delta = options.delta;
  check_shapes("huber_loss", input, target);
  check(delta > 0, "huber_loss: delta must be positive, got ", delta);
  const Tensor distance = abs(input - target);
  const Tensor far = (distance - 0.5 * delta) * delta;
  const Tensor is_far = greater(distance, scalar(distance, delta)), near = where(is_far, scalar(distance, 0), distance);
  return reduce_losses("huber_loss", where(is_far, far, near * near * 0.5), options.reduction);
}

Tensor binary_cross_entropy(const Tensor& input, const Tensor& target, const BinaryCrossEntropyOptions& options) {
  constexpr std::string_view who = "binary_cross_entropy";
  check_shapes(who, input, target);
  Tensor losses;
  if (active_trace() == 0) check_probabilities(who, input);
  if (active_trace() != 0)
    losses = entropy(input, target, functional_trace() ? &safe_logarithm : &logarithm);
  else if (!grad_enabled() || !requires_grad(input))
    losses = entropy(input, target, &logarithm);
  else
    losses = steep_entropy(input, target);
  return reduce_losses(who, weighted(losses, options.weight), options.reduction);
}

// -log(sigmoid(x)) = softplus(-x), and -log(1 - sigmoid(x)) = softplus(x).
Tensor binary_cross_entropy_with_logits(const Tensor& input, const Tensor& target,
                                        const BinaryCrossEntropyWithLogitsOptions& options) {
  constexpr std::string_view who = "binary_cross_entropy_with_logits";
  check_shapes(who, input, target);
  const Tensor positive = weighted(target, options.pos_weight) * softplus(-input);
  const Tensor losses = positive + (scalar(target, 1) - target) * softplus(input);
  return reduce_losses(who, weighted(losses, options.weight), options.reduction);
}

Tensor kl_div(const Tensor& input, const Tensor& target, const KlDivOptions& options) {
  check_shapes("kl_div", input, target);
  Tensor losses;
  if (options.log_target) {
    losses = exp(target) * (target - input);
  } else {
    const Tensor is_positive = greater(target, scalar(target, 0));
    losses = target * (log(where(is_positive, target, scalar(target, 1))) - input);
  }
  if (options.reduction != "batchmean") return reduce_losses("kl_div", losses, options.reduction);
  check<ShapeError>(input.rank() >= 1, "kl_div: batchmean needs an axis of examples, got ", input.dims());
  return sum(losses) / cast(dim(input, 0), losses.dtype());
}

}  // namespace onemodel::nn

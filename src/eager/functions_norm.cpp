#include "eager/functions_norm.h"

#include <cmath>
#include <limits>

#include "eager/apply.h"
#include "eager/autograd.h"
#include "eager/check_floating.h"
#include "eager/functional_trace.h"
#include "eager/functions.h"
#include "eager/in_place.h"
#include "eager/record.h"
#include "eager/recording.h"
#include "ops/batch_normalization.h"
#include "ops/layer_normalization.h"
#include "ops/reduce_norm.h"
#include "ops/reshape.h"
#include "ops/shape.h"

namespace onemodel {
namespace {

Tensor ones(const Dims& dims, const Tensor& like) { return Tensor::full(dims, 1, like.dtype()); }

template <class Op>
Tensor reduce(const Tensor& x, const Dims& axes, bool keepdims) {
  return apply(Op{.keepdims = keepdims}, {x, axes.empty() ? Tensor() : Tensor::from_ints(axes.vector())});
}

// The axes that `normalized_shape` covers; throws ShapeError when x does not end in it.
Dims last_axes(std::string_view who, const Tensor& x, const Dims& normalized_shape) {
  const size_t count = normalized_shape.size();
  bool fits = count >= 1 && count <= x.rank();
  Dims axes;
  for (size_t i = 0; fits && i < count; ++i) {
    fits = x.dims()[x.rank() - count + i] == normalized_shape[i];
    axes.push_back(static_cast<int64_t>(i) - static_cast<int64_t>(count));
  }
  check<ShapeError>(fits, who, ": the input must end in ", normalized_shape, ", got ", x.dims());
  return axes;
}

// x * weight + bias, both [channels] along axis 1 and possibly undefined.
Tensor affine(Tensor x, const Tensor& weight, const Tensor& bias) {
  Dims channel = Dims::filled(x.rank() - 1, 1);
  channel[0] = -1;
  if (weight.defined()) x = x * reshape(weight, channel);
  return bias.defined() ? x + reshape(bias, channel) : x;
}

// y in the shape of x. In a trace the sizes are those of x, where numbers could be taken for others.
Tensor reshape_like(const Tensor& y, const Tensor& x) {
  if (!is_traced(x) || state_of(x)->symbolic_shape.is_concrete()) return reshape(y, x.dims());
  return apply(Reshape{.allowzero = true}, {y, apply(ShapeOf{}, {x})});
}

// Moves running statistics towards those of the batch's images, outside of any record.
void update_running(const Tensor& x, const Tensor& mean_of, const Tensor& var_of, double momentum) {
  if (!mean_of.defined()) return;
  if (active_trace() != 0 && !functional_trace())
    refuse_trace("instance_norm", "in training mode it updates its running statistics; use evaluation mode", x);
  const NoGrad none;
  Dims axes;
  for (size_t i = 2; i < x.rank(); ++i) axes.push_back(static_cast<int64_t>(i));
  const Tensor values = x.detach();
  const auto move = [&](const Tensor& running, const Tensor& found) {
    copy_(running, running.detach() * (1 - momentum) + mean(found, {0}) * momentum);
  };
  move(mean_of, mean(values, axes));
  move(var_of, var(values, axes));
}

Dims all_axes(const Tensor& x) {
  Dims axes;
  for (size_t i = 0; i < x.rank(); ++i) axes.push_back(static_cast<int64_t>(i));
  return axes;
}

// Whether a gradient may be asked of what is made of x. A trace for inference asks for none, an export may be
// differentiated later.
bool is_differentiated(const Tensor& x) {
  return grad_enabled() && requires_grad(x) && (active_trace() == 0 || functional_trace());
}

// x^exponent for x >= 0, with the gradient 0 at 0, where that of the formula is infinite.
Tensor flat_power(const Tensor& x, double exponent) {
  if (exponent >= 1 || !is_differentiated(x)) return pow(x, exponent);
  const Tensor zero = Tensor::zeros({}, x.dtype()), is_zero = equal(x, zero);
  return where(is_zero, zero, pow(where(is_zero, ones({}, x), x), exponent));
}

// How many elements are reduced: a number, times the sizes that a trace follows.
struct Count {
  int64_t fixed = 1;
  Tensor open;  // undefined: none
};

Count count_of(const Tensor& x, const Dims& axes) {
  Count out;
  for (const int64_t axis : axes.empty() ? all_axes(x) : axes) {
    const Tensor size = dim(x, axis);
    if (!is_traced(size))
      out.fixed *= size.item<int64_t>();
    else
      out.open = out.open.defined() ? out.open * size : size;
  }
  return out;
}

// x times count / (count - correction), or times the root of 1 / (count - correction), whose divisor is at least 0.
Tensor corrected(const Tensor& x, const Count& count, int64_t correction, bool is_root) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  const auto fixed = static_cast<double>(count.fixed), less = static_cast<double>(correction);
  if (!count.open.defined()) {
    const double divisor = fixed - less;
    return x * (divisor > 0 ? is_root ? std::sqrt(1 / divisor) : fixed / divisor : infinity);
  }
  const Tensor all = cast(count.open, DType::f64) * fixed, divisor = all - less;
  const Tensor factor = is_root ? sqrt(Tensor::scalar(1.0) / divisor) : all / divisor;
  return x * cast(where(greater(divisor, Tensor::scalar(0.0)), factor, Tensor::scalar(infinity)), x.dtype());
}

double machine_epsilon(DType dtype) {
  switch (dtype) {
    case DType::f64: return std::numeric_limits<double>::epsilon();
    case DType::f16: return 0x1p-10;
    case DType::bf16: return 0x1p-7;
    default: return static_cast<double>(std::numeric_limits<float>::epsilon());
  }
}

}  // namespace

Tensor layer_norm(const Tensor& x, const Dims& normalized_shape, const Tensor& weight, const Tensor& bias, double eps) {
  const Dims axes = last_axes("layer_norm", x, normalized_shape);
  const LayerNormalization op{.axis = axes[0], .epsilon = static_cast<float>(eps)};
  return apply(op, {x, weight.defined() ? weight : ones(normalized_shape, x), bias});
}

Tensor group_norm(const Tensor& x, int64_t num_groups, const Tensor& weight, const Tensor& bias, double eps) {
  check<ShapeError>(x.rank() >= 2, "group_norm: the input must be [batch, channels, ...], got ", x.dims());
  const int64_t channels = x.dims()[1];
  check(num_groups >= 1 && channels % num_groups == 0, "group_norm: num_groups ", num_groups,
        " must divide the channels of ", x.dims());
  // Cut and then joined, so that a trace sees that the groups are cut from the channels.
  const int64_t spatial = numel(std::span(x.dims().begin() + 2, x.dims().end()));
  const Tensor rows = flatten(reshape(x, {x.dims()[0], num_groups, channels / num_groups, spatial}), 2);
  const Tensor unit = apply(InstanceNormalization{.epsilon = static_cast<float>(eps)},
                            {rows, ones({num_groups}, x), Tensor::zeros({num_groups}, x.dtype())});
  return affine(reshape_like(unit, x), weight, bias);
}

Tensor instance_norm(const Tensor& x, const Tensor& running_mean, const Tensor& running_var, const Tensor& weight,
                     const Tensor& bias, bool use_input_stats, double momentum, double eps) {
  check<ShapeError>(x.rank() >= 3, "instance_norm: the input must be [batch, channels, spatial...], got ", x.dims());
  const Dims channels = {x.dims()[1]};
  const Tensor scale = weight.defined() ? weight : ones(channels, x);
  const Tensor shift = bias.defined() ? bias : Tensor::zeros(channels, x.dtype());
  const auto epsilon = static_cast<float>(eps);
  if (!use_input_stats) {
    check(running_mean.defined() && running_var.defined(),
          "instance_norm: without use_input_stats running statistics are needed");
    return apply(BatchNormalization{.epsilon = epsilon}, {x, scale, shift, running_mean, running_var});
  }
  update_running(x, running_mean, running_var, momentum);
  return apply(InstanceNormalization{.epsilon = epsilon}, {x, scale, shift});
}

Tensor rms_norm(const Tensor& x, const Dims& normalized_shape, const Tensor& weight, std::optional<double> eps) {
  const Dims axes = last_axes("rms_norm", x, normalized_shape);
  const Tensor unit = x / sqrt(mean(x * x, axes, true) + eps.value_or(machine_epsilon(x.dtype())));
  return weight.defined() ? unit * weight : unit;
}

Tensor norm(const Tensor& x, double p, const Dims& axes, bool keepdims) {
  check_floating("norm", x);
  check(p > 0, "norm: p must be positive, got ", p);
  if (p == 2) return reduce<ReduceL2>(x, axes, keepdims);
  if (p == 1) return reduce<ReduceL1>(x, axes, keepdims);
  if (std::isinf(p)) {
    for (const int64_t axis : axes.empty() ? all_axes(x) : axes)
      check<ShapeError>(x.dims()[normalize_axis("norm", axis, x.rank())] != 0, "norm: axis ", axis, " of ", x.dims(),
                        " has no elements, of which infinity is no norm");
    return max(abs(x), axes, keepdims);
  }
  return flat_power(sum(flat_power(abs(x), p), axes, keepdims), 1 / p);
}

Tensor normalize(const Tensor& x, double p, int64_t axis, double eps) {
  check_floating("normalize", x);
  return x / clip(norm(x, p, {axis}, true), eps, {});
}

Tensor cosine_similarity(const Tensor& a, const Tensor& b, int64_t axis, double eps) {
  check_floating("cosine_similarity", a);
  check_floating("cosine_similarity", b);
  return sum(normalize(a, 2, axis, eps) * normalize(b, 2, axis, eps), {axis});
}

Tensor corrected_variance(const Tensor& variance, const Tensor& x, const Dims& axes, int64_t correction) {
  return correction == 0 ? variance : corrected(variance, count_of(x, axes), correction, false);
}

Tensor var(const Tensor& x, const Dims& axes, int64_t correction, bool keepdims) {
  check_floating("var", x);
  const Tensor centred = x - mean(x, axes, true);
  return corrected_variance(mean(centred * centred, axes, keepdims), x, axes, correction);
}

Tensor std(const Tensor& x, const Dims& axes, int64_t correction, bool keepdims) {
  check_floating("std", x);
  // As a norm, which has a gradient where all elements are equal.
  const Tensor distance = reduce<ReduceL2>(x - mean(x, axes, true), axes, keepdims);
  return corrected(distance, count_of(x, axes), correction, true);
}

Tensor logsumexp(const Tensor& x, const Dims& axes, bool keepdims) {
  check_floating("logsumexp", x);
  return reduce<ReduceLogSumExp>(x, axes, keepdims);
}

}  // namespace onemodel

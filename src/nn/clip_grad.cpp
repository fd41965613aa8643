#include "nn/clip_grad.h"

#include <algorithm>
#include <cmath>

#include "core/math.h"
#include "eager/autograd.h"
#include "eager/functions.h"
#include "eager/functions_norm.h"

namespace onemodel::nn {
namespace {

// Calls f(parameter, gradient) for each that has one.
template <class F>
void each_gradient(std::span<const Tensor> parameters, const F& f) {
  for (const Tensor& parameter : parameters)
    if (const Tensor gradient = grad(parameter); gradient.defined() && gradient.numel() > 0)
      f(parameter, gradient.detach());
}

double total_norm(std::span<const Tensor> parameters, double p) {
  double total = 0;
  each_gradient(parameters, [&](const Tensor&, const Tensor& gradient) {
    const double own = norm(gradient.cast(DType::f64), p).item<double>();
    total = std::isinf(p) ? std::max(total, own) : total + (p == 2 ? own * own : p == 1 ? own : math::pow(own, p));
  });
  if (std::isinf(p) || p == 1) return total;
  return p == 2 ? std::sqrt(total) : math::pow(total, 1 / p);
}

}  // namespace

double clip_grad_norm(std::span<const Tensor> parameters, double max_norm, double norm_type) {
  check(max_norm >= 0, "clip_grad_norm: max_norm must not be negative, got ", max_norm);
  check(norm_type > 0, "clip_grad_norm: norm_type must be positive, got ", norm_type);
  const double total = total_norm(parameters, norm_type), factor = max_norm / (total + 1e-6);
  if (!(factor >= 1))
    each_gradient(parameters,
                  [&](const Tensor& parameter, const Tensor& gradient) { set_grad(parameter, gradient * factor); });
  return total;
}

void clip_grad_value(std::span<const Tensor> parameters, double clip_value) {
  check(clip_value >= 0, "clip_grad_value: clip_value must not be negative, got ", clip_value);
  each_gradient(parameters, [&](const Tensor& parameter, const Tensor& gradient) {
    set_grad(parameter, clip(gradient, -clip_value, clip_value));
  });
}

}  // namespace onemodel::nn

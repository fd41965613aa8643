#pragma once
// Normalisation and norms, under PyTorch's names and argument order (see functions.h). Axes may be negative.

#include <optional>

#include "core/tensor.h"

namespace onemodel {

struct BatchNormState;
/// batch_norm of eager/functions.h in training mode by a momentum that a trace may follow: a float64 scalar.
Tensor train_batch_norm(const Tensor& x, const BatchNormState& state, const Tensor& momentum, double epsilon = 1e-5);

/// (x - mean) / sqrt(variance + eps) * weight + bias over the last axes, whose extents are `normalized_shape`; weight
/// and bias, of that shape, may be undefined (1 and 0). Throws ShapeError when x does not end in that shape.
Tensor layer_norm(const Tensor& x, const Dims& normalized_shape, const Tensor& weight = {}, const Tensor& bias = {},
                  double eps = 1e-5);

/// x [batch, channels, ...] normalised over each of `num_groups` groups of channels of one image; weight and bias
/// [channels] may be undefined. Decomposed, as ONNX has GroupNormalization from opset 21 on only.
Tensor group_norm(const Tensor& x, int64_t num_groups, const Tensor& weight = {}, const Tensor& bias = {},
                  double eps = 1e-5);

/// x [batch, channels, spatial...] normalised over each channel of one image or, without `use_input_stats`, by the
/// running statistics [channels]. When these are defined and the input's statistics are used, they move towards the
/// mean of those by `momentum` (with the unbiased variance); while tracing they do not. weight and bias [channels] may
/// be undefined.
Tensor instance_norm(const Tensor& x, const Tensor& running_mean = {}, const Tensor& running_var = {},
                     const Tensor& weight = {}, const Tensor& bias = {}, bool use_input_stats = true,
                     double momentum = 0.1, double eps = 1e-5);

/// x / sqrt(mean(x²) + eps) * weight over the last axes; eps is by default the dtype's machine epsilon.
Tensor rms_norm(const Tensor& x, const Dims& normalized_shape, const Tensor& weight = {},
                std::optional<double> eps = {});

/// (sum |x|^p)^(1/p) over the axes, or all when none is given; p may be infinity. The gradient at 0 is 0.
Tensor norm(const Tensor& x, double p = 2, const Dims& axes = {}, bool keepdims = false);
/// x / max(norm(x, p), eps) along `axis`.
Tensor normalize(const Tensor& x, double p = 2, int64_t axis = 1, double eps = 1e-12);
/// The product of a and b along `axis`, each divided by its norm or `eps` if that is larger.
Tensor cosine_similarity(const Tensor& a, const Tensor& b, int64_t axis = 1, double eps = 1e-8);

/// `variance`, the mean square distance from the mean over `axes` of x (all when empty), with the count less
/// `correction`, at least 0, for a divisor: infinite or NaN by 0. In a trace the count follows symbolic sizes.
Tensor corrected_variance(const Tensor& variance, const Tensor& x, const Dims& axes, int64_t correction = 1);
/// The mean square distance from the mean over the axes, or all; the divisor is the count less `correction`.
Tensor var(const Tensor& x, const Dims& axes = {}, int64_t correction = 1, bool keepdims = false);
/// The square root of `var`; the gradient is 0 where that is 0.
Tensor std(const Tensor& x, const Dims& axes = {}, int64_t correction = 1, bool keepdims = false);
/// log(sum(exp(x))) over the axes; the maximum is subtracted first.
Tensor logsumexp(const Tensor& x, const Dims& axes, bool keepdims = false);

}  // namespace onemodel

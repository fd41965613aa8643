#pragma once
// Activations beyond those of functions.h, under PyTorch's names and argument order.

#include <string_view>

#include "core/tensor.h"

namespace onemodel {

/// log(1 + e^(beta x)) / beta. PyTorch's `threshold`, beyond which that is x, makes no difference in float32.
Tensor softplus(const Tensor& x, double beta = 1);
/// x for x > 0, alpha (e^x - 1) below.
Tensor elu(const Tensor& x, float alpha = 1);
Tensor selu(const Tensor& x);
/// x for x > 0, alpha (e^(x / alpha) - 1) below. Throws ArgumentError for alpha 0.
Tensor celu(const Tensor& x, float alpha = 1);
/// x tanh(softplus(x)).
Tensor mish(const Tensor& x);
/// x sigmoid(x).
Tensor silu(const Tensor& x);
/// x / (1 + |x|).
Tensor softsign(const Tensor& x);
/// log(sigmoid(x)).
Tensor logsigmoid(const Tensor& x);
/// min(max(x, min_val), max_val); the gradient at the bounds is 0. Throws ArgumentError unless min_val <= max_val.
Tensor hardtanh(const Tensor& x, double min_val = -1, double max_val = 1);
Tensor relu6(const Tensor& x);
/// x for x >= 0, weight x below; weight has one element, or one per channel (axis 1).
Tensor prelu(const Tensor& x, const Tensor& weight);
/// The first half along `axis` times the sigmoid of the second. Throws ShapeError for an odd extent.
Tensor glu(const Tensor& x, int64_t axis = -1);

}  // namespace onemodel

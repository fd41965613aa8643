#pragma once
// More functions of each element, and padding, joining and splitting, under PyTorch's names and argument order (functions.h).

#include <string_view>
#include <vector>

#include "core/tensor.h"

namespace onemodel {

/// log(1 + e^(beta x)) / beta. PyTorch's `threshold`, beyond which that is x, makes no difference in float32.
Tensor softplus(const Tensor& x, double beta = 1);
/// x for x > 0, alpha (e^x - 1) below.
Tensor elu(const Tensor& x, float alpha = 1);
Tensor selu(const Tensor& x);
/// x for x > 0, alpha (e^(x / alpha) - 1) below.
/// x above zero, alpha (e^(x / alpha) - 1) below; throws ArgumentError for alpha 0.
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

/// x with elements around it: `pad` has those before and after the last axis, then the one before it, and so on;
/// negative ones remove. `mode` is constant (`value`), reflect, replicate or circular.
Tensor pad(const Tensor& x, const std::vector<int64_t>& pad, std::string_view mode = "constant", double value = 0);
/// At most `chunks` parts along `axis`, of extent ceil(extent / chunks) but the last. A trace keeps a symbolic axis
/// only where it is known to give equal parts.
std::vector<Tensor> chunk(const Tensor& x, int64_t chunks, int64_t axis = 0);
/// Tensors of one shape joined along a new axis.
Tensor stack(const std::vector<Tensor>& parts, int64_t axis = 0);

}  // namespace onemodel

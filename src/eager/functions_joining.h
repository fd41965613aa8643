#pragma once
// Padding, splitting and joining, under PyTorch's names and argument order (see functions.h).

#include <string_view>
#include <vector>

#include "core/tensor.h"

namespace onemodel {

/// x with elements around it: `pad` has those before and after the last axis, then the one before it, and so on;
/// negative ones remove. `mode` is constant (`value`), reflect, replicate or circular.
Tensor pad(const Tensor& x, const std::vector<int64_t>& pad, std::string_view mode = "constant", double value = 0);
/// At most `chunks` parts along `axis`, of extent ceil(extent / chunks) but the last. A trace keeps a symbolic axis
/// only where it is known to give equal parts.
std::vector<Tensor> chunk(const Tensor& x, int64_t chunks, int64_t axis = 0);
/// Tensors of one shape joined along a new axis.
Tensor stack(const std::vector<Tensor>& parts, int64_t axis = 0);

}  // namespace onemodel

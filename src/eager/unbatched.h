#pragma once
// Inputs without a batch, which PyTorch takes where a batch is usual.

#include <functional>

#include "core/tensor.h"

namespace onemodel {

/// run(x) for x of `rank` axes, the first of which is the batch. An x of one axis less is a batch of one, whose only
/// result is given; `run` sees any other x as it is, to refuse it.
Tensor with_batch(const Tensor& x, size_t rank, const std::function<Tensor(const Tensor&)>& run);

/// x with an axis of extent 1 at `axis`; undefined when x is.
Tensor batch_of_one(const Tensor& x, int64_t axis);

}  // namespace onemodel

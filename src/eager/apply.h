#pragma once
// The one door through which every eager operator goes.

#include <initializer_list>
#include <span>
#include <vector>

#include "core/tensor.h"
#include "ops/kernel.h"
#include "ops/op.h"

namespace onemodel {

/// Infers, allocates, evaluates, and records when an input needs a gradient or is traced. Undefined inputs are absent.
/// Errors: what `infer` says of the arguments; TraceError for what a trace refuses.
std::vector<Tensor> apply(const Op& op, std::span<const Tensor> inputs, size_t output_count);
/// The first output.
Tensor apply(const Op& op, std::initializer_list<Tensor> inputs);

/// Arithmetic of eager operators on this thread; fast at the start.
Arithmetic eager_arithmetic();
void set_eager_arithmetic(Arithmetic arithmetic);

}  // namespace onemodel

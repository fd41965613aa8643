#pragma once
// Applications of operators as lists of integers, by which prepared calls are found.

#include <cstdint>
#include <span>
#include <vector>

#include "core/tensor.h"
#include "ops/kernel.h"
#include "ops/op.h"

namespace onemodel {

using CallKey = std::vector<int64_t>;

/// Writes everything that types and kernels depend on but values of operands other than shape data. False when that is
/// too much, or something has no place in a key: a tensor among the attributes, shape data that is large.
bool write_call_key(const Op& op, std::span<const Tensor> inputs, size_t output_count, Arithmetic arithmetic,
                    CallKey& key);

uint64_t hash_of(const CallKey& key);

}  // namespace onemodel

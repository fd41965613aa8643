#pragma once
// The bits of the exact arithmetic, against tests/data/exact_bits.json: what holds natively must hold in WebAssembly.

#include <span>
#include <string>

#include "core/tensor.h"

namespace onemodel::test {

/// Fails unless the bytes of `tensors` (every NaN counts as the same) have the hash that is on file for `name`. With
/// the environment variable ONEMODEL_WRITE_GOLDENS the hash is put on file instead.
void expect_exact_bits(const std::string& name, std::span<const Tensor> tensors);

}  // namespace onemodel::test

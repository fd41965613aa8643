#pragma once
// Permutation of axes.

#include <cstdint>

#include "core/dims.h"
#include "kernels/xnn/prepared.h"

namespace onemodel::kernels::xnn {

/// y.shape[i] = shape[perm[i]], as in ONNX. Elements of 1, 2, 4 or 8 bytes. Inputs {x}, outputs {y}.
/// Refuses when more than 6 axes remain after merging those that stay together.
PreparedPtr transpose(const Dims& shape, const Dims& perm, size_t element_bytes, std::string& refusal);

}  // namespace onemodel::kernels::xnn

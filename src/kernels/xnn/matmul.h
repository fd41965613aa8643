#pragma once
// Matrix products.

#include <cstdint>
#include <limits>

#include "core/dims.h"
#include "kernels/xnn/prepared.h"

namespace onemodel::kernels::xnn {

/// y[m,n] = clamp(a[m,k] x b + bias[n]) with constant b and bias. A NaN result stays NaN through the clamp.
struct FullyConnected {
  int64_t m, k, n;
  bool transposed_b = false;  // b is [n,k] instead of [k,n]
  float min = -std::numeric_limits<float>::infinity();
  float max = std::numeric_limits<float>::infinity();
};
/// Inputs {a}, outputs {y}. `b` is packed here and not needed afterwards; `bias` may be null.
PreparedPtr fully_connected(const FullyConnected&, const float* b, const float* bias, std::string& refusal);

/// The same with a tile of our own, which `fully_connected` takes where it is the fastest; for sizes that it accepts.
PreparedPtr packed_product(const FullyConnected&, const float* b, const float* bias);

/// y[..., m, n] = a[..., m, k] x b[..., k, n] (+ bias[n]); the batch dims broadcast as in Numpy.
struct BatchMatmul {
  Dims a_batch, b_batch;  // without the two matrix dims; may be empty
  int64_t m, k, n;
  bool transposed_a = false;  // a is [..., k, m]
  bool transposed_b = false;  // b is [..., n, k]
  bool bias = false;
};
/// Inputs {a, b} or {a, b, bias}, outputs {y}.
PreparedPtr batch_matmul(const BatchMatmul&, std::string& refusal);

}  // namespace onemodel::kernels::xnn

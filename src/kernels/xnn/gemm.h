#pragma once
// Our own product of two matrices. For those that change between runs, XNNPACK packs the right factor in a slow copy, and
// cannot take it from windows of an image; with constant ones, V8 makes of its kernels about 70 % of what it makes of our
// tile. For the sources of this folder only.

#include <cstddef>
#include <functional>
#include <limits>
#include <vector>

#include "kernels/xnn/conv.h"

namespace onemodel::kernels::xnn {

/// c[m,n] = clamp(a[m,k] x b[k,n] + biases).
struct Product {
  int64_t m, k, n;
  bool transposed_a = false;  // a is [k,m]
  bool transposed_b = false;  // b is [n,k]
  /// b, or its transpose, is made of lines of `window_line` instead of memory.
  const Conv2d* windows = nullptr;
  float min = -std::numeric_limits<float>::infinity();
  float max = std::numeric_limits<float>::infinity();
};

/// One of the products of a batch.
struct Operands {
  const float* a;
  const float* b;          // with windows: the image
  int64_t first_line = 0;  // with windows: where the lines begin
  float* c;
  const float* row_bias = nullptr;     // [m]
  const float* column_bias = nullptr;  // [n]
  bool accumulate = false;             // onto what is in c
};

/// Bytes of workspace for at most `slots` tasks at a time, whatever the product.
size_t gemm_workspace_bytes(size_t slots);

/// Computes `count` products, which must not share c: number i of `operands(i)`. On the pool.
void gemm(const Product&, size_t count, const std::function<Operands(size_t)>& operands, size_t slots,
          std::byte* workspace);

/// b, packed once for many products with it. Rows of a are read as they lie, so that these need no workspace.
class PackedFactor {
 public:
  /// `b` as the product says, of which m does not matter; without windows.
  PackedFactor(const Product&, const float* b);
  /// The product with it, on the pool: a is not transposed, and the operands' b is not used.
  void multiply(const Product&, const Operands&) const;

 private:
  std::vector<float> packed_;  // [block of the depth][panel][depth][column]
};

}  // namespace onemodel::kernels::xnn

#pragma once
// Our own product of two matrices that change between runs: XNNPACK packs its right factor in a slow copy, and cannot
// take it from windows of an image. For the sources of this folder only.

#include <cstddef>
#include <functional>
#include <limits>

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

}  // namespace onemodel::kernels::xnn

#pragma once
// Batched matrix product, with the scaling and bias of ONNX's Gemm.
//
// Shapes: C[batch..., m, n] contiguous; A(i, p) = a[i * a_row + p * a_col], B(p, j) = b[p * b_row + j * b_col],
//   each moved by its own batch strides (0 broadcasts). A transposed operand has its two strides swapped.
//   k = 0 gives the bias alone, or zeros.
// Dtypes: f32, f64, i32, i64, u32, u64; f16 and bf16 accumulate in float. Others throw DTypeError.
// Order: each C(i, j) sums p = 0, 1, …, k-1 one after the other, starting from 0.
// Aliasing: C overlaps no input.
// Threads: split over tiles of C; the same bits for any number.

#include <cstdint>

#include "core/dims.h"
#include "core/dtype.h"

namespace onemodel::kernels {

struct MatMulShape {
  int64_t m = 0, n = 0, k = 0;
  int64_t a_row = 0, a_col = 1;
  int64_t b_row = 0, b_col = 1;
  Dims batch, a_batch, b_batch;  // extents and strides of the same rank; empty for one product

  /// Row-major operands without batch; a transposed one is stored [k, m] or [n, k].
  static MatMulShape row_major(int64_t m, int64_t n, int64_t k, bool transpose_a = false, bool transpose_b = false);
};

/// C = A B.
template <class T>
void matmul(const MatMulShape& shape, const T* a, const T* b, T* c);

/// Element (i, j) of the bias is data[i * row + j * col]; null for none. Shared by all of the batch.
template <class T>
struct GemmBias {
  const T* data = nullptr;
  int64_t row = 0, col = 0;
};

/// C = alpha A B + beta bias. For integers alpha and beta are converted to T first.
template <class T>
void gemm(const MatMulShape& shape, const T* a, const T* b, float alpha, float beta, GemmBias<T> bias, T* c);

}  // namespace onemodel::kernels

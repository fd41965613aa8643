#pragma once
// Products of a matrix and one or a few vectors, without packing the matrix. For the sources of this folder only.

#include <cstddef>
#include <cstdint>

namespace onemodel::kernels::xnn {

/// The sum of a[i] * b[i] for i < k.
float dot(const float* a, const float* b, size_t k);

/// y[r] = sum over k of matrix[r, k] * v[k], on the caller's thread; rows of the matrix are `stride` apart.
void dot_rows(const float* matrix, size_t stride, const float* v, float* y, size_t rows, size_t k);

/// y[r] = sum over k of matrix[r, k] * v[k], on the pool. `y` aliases nothing.
void gemv_rows(const float* matrix, const float* v, float* y, int64_t rows, int64_t k);

/// y[i, c] = sum over k of v[i, k] * matrix[k, c], for `count` vectors, on the pool. `y` aliases nothing.
void gemv_columns(const float* matrix, const float* v, float* y, int64_t count, int64_t k, int64_t columns);

/// A [k, columns] matrix stored so that `gemv_packed` reads it in one stream: panels of 32 columns, the last one
/// filled up with zeros.
inline constexpr int64_t kPanel = 32;
constexpr int64_t packed_size(int64_t k, int64_t columns) { return (columns + kPanel - 1) / kPanel * kPanel * k; }
/// `transposed`: the matrix is given as [columns, k].
void pack_panels(const float* matrix, bool transposed, int64_t k, int64_t columns, float* packed);
/// y[c] = clamp(sum over k of v[k] * matrix[k, c] + bias[c]), on the pool. `bias` may be null.
void gemv_packed(const float* packed, const float* v, const float* bias, float* y, int64_t k, int64_t columns,
                 float min, float max);

}  // namespace onemodel::kernels::xnn

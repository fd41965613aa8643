#pragma once
// Activations with their slopes, and the products that recurrent cells are made of.

#include <cstdint>

#include "kernels/portable/internal.h"
#include "kernels/portable/matmul.h"
#include "kernels/portable/recurrent.h"

namespace onemodel::kernels {

/// values = function(clip(values)), slopes = its derivative. In recurrent_activation.cpp.
template <class T>
void activate(const CellFunction& function, T clip, int64_t count, T* __restrict values, T* __restrict slopes);

/// y [rows, columns] = a [rows, depth] times the transpose of b [columns, depth]; rows of y are `columns` apart.
template <class T>
void times_transposed(int64_t rows, int64_t columns, int64_t depth, const T* a, const T* b, T* y) {
  if (rows > 0 && columns > 0) matmul(MatMulShape::row_major(rows, columns, depth, false, true), a, b, y);
}

/// y [rows, columns] = the first `depth` columns, `a_row` apart, of a times b [depth, columns].
template <class T>
void times(int64_t rows, int64_t columns, int64_t depth, const T* a, int64_t a_row, const T* b, T* y) {
  MatMulShape shape = MatMulShape::row_major(rows, columns, depth);
  shape.a_row = a_row;
  if (rows > 0 && columns > 0) matmul(shape, a, b, y);
}

/// y [rows, columns] = the transpose of a [depth, rows of a_row] times b [depth, columns].
template <class T>
void transposed_times(int64_t rows, int64_t columns, int64_t depth, const T* a, int64_t a_row, const T* b, T* y) {
  MatMulShape shape = MatMulShape::row_major(rows, columns, depth, true, false);
  shape.a_col = a_row;
  if (rows > 0 && columns > 0) matmul(shape, a, b, y);
}

}  // namespace onemodel::kernels

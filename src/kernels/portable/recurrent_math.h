#pragma once
// Activations with their slopes, and the products that recurrent cells are made of.

#include <cstdint>

#include "core/math.h"
#include "kernels/portable/internal.h"
#include "kernels/portable/matmul.h"
#include "kernels/portable/recurrent.h"

namespace onemodel::kernels {

/// values = activation(clip(values)), slopes = its derivative.
template <class T>
void activate(Activation activation, T clip, int64_t count, T* __restrict values, T* __restrict slopes) {
  for (int64_t i = 0; i < count; ++i) {
    const T v = values[i];
    const bool outside = v > clip || v < -clip;
    slopes[i] = outside ? T(0) : T(1);
    values[i] = v > clip ? clip : v < -clip ? -clip : v;
  }
  switch (activation) {
    case Activation::sigmoid:
      for (int64_t i = 0; i < count; ++i) values[i] = math::sigmoid(values[i]);
      for (int64_t i = 0; i < count; ++i) slopes[i] *= values[i] * (1 - values[i]);
      break;
    case Activation::tanh:
      for (int64_t i = 0; i < count; ++i) values[i] = math::tanh(values[i]);
      for (int64_t i = 0; i < count; ++i) slopes[i] *= 1 - values[i] * values[i];
      break;
    case Activation::relu:
      for (int64_t i = 0; i < count; ++i) {
        slopes[i] *= values[i] > 0 ? T(1) : T(0);
        values[i] = values[i] < 0 ? T(0) : values[i];
      }
      break;
  }
}

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

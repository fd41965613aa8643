#pragma once
// Normalisation of rows by their own mean and variance: layer and instance normalisation.
//
// Shapes: contiguous x and y [rows, length].
// Dtypes: f32, f64; f16 and bf16 in float. Others throw DTypeError.
// Order: mean and variance are summed in the order of fold.h, the variance from the centred values.
// Aliasing: y may be x.
// Threads: split over rows; the same bits for any number.

#include <cstdint>

#include "core/dtype.h"

namespace onemodel::kernels {

/// What a row is scaled and shifted by: one pair per column (layer normalisation: `per_row` = 0), or one per row,
/// the same again after `per_row` rows (instance normalisation: channels). `bias` may be null.
template <class T>
struct RowAffine {
  const T *scale, *bias;
  int64_t per_row = 0;
};

/// y = (x - mean) / sqrt(variance + epsilon) * scale + bias with the mean and the biased variance of each row.
/// `mean` and `inverse` (1 / sqrt(variance + epsilon)) get one double per row, unless null. A row of length 0 has NaN.
template <class T>
void layer_norm(int64_t rows, int64_t length, const T* x, const RowAffine<T>& affine, double epsilon, T* y,
                double* mean, double* inverse);

}  // namespace onemodel::kernels

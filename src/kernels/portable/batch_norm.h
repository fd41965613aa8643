#pragma once
// Batch normalisation with given statistics.
//
// Shapes: contiguous x and y [batch, channels, inner]; the other four [channels].
// Dtypes: f32, f64; f16 and bf16 in float. Others throw DTypeError.
// Aliasing: y may be x.
// Threads: split over planes; the same bits for any number.

#include <cstdint>

#include "core/dtype.h"

namespace onemodel::kernels {

template <class T>
struct BatchNormParams {
  const T *scale, *bias, *mean, *variance;
  double epsilon;
};

/// y = (x - mean) / sqrt(variance + epsilon) * scale + bias.
template <class T>
void batch_norm(int64_t batch, int64_t channels, int64_t inner, const T* x, const BatchNormParams<T>& params, T* y);

}  // namespace onemodel::kernels

#pragma once
// Resampling along one axis: each output element is a weighted sum of a few input elements.
//
// Shapes: contiguous x [outer, extent, inner] and y [outer, count, inner].
// Dtypes: f32 and f64; others throw DTypeError. Weights are rounded to T.
// Order: an output adds its taps in their order; an input's gradient adds output positions in theirs, tap by tap.
// Aliasing: outputs overlap no input.
// Threads: split over `outer`; the same bits for any number.

#include <cstdint>
#include <vector>

#include "core/dtype.h"

namespace onemodel::kernels {

/// Where the elements of one axis come from. Tap k of output position o is at o * taps + k; indices are in
/// [0, extent).
struct Taps {
  int64_t extent = 0, count = 0, taps = 1;
  std::vector<int64_t> index;
  std::vector<double> weight;
};

/// y[o] = the sum of weight * x[index].
template <class T>
void resample(int64_t outer, int64_t inner, const Taps& taps, const T* x, T* y);

/// x_gradient[index] = the sum of weight * y_gradient[o].
template <class T>
void resample_gradient(int64_t outer, int64_t inner, const Taps& taps, const T* y_gradient, T* x_gradient);

}  // namespace onemodel::kernels

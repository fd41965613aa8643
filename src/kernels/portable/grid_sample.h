#pragma once
// Sampling an image at places that a grid names, and its gradient.
//
// Shapes: contiguous x[batch, channels, input...], grid[batch, points, r] and y[batch, channels, points], where r is the
//   number of spatial axes, input.size(). The last number of a grid's place is along the first spatial axis.
// Dtype: f64.
// Values: -1 and 1 are the ends of an axis: the centres of its outer elements with `align_corners`, else their outer
//   edges. A place that is NaN or beyond 2^30 elements is taken as far outside, NaN before the axis.
// Aliasing: outputs overlap no input.
// Threads: the samples are split over points; the gradient over the batch. The same bits for any number.

#include <cstdint>

#include "core/dims.h"

namespace onemodel::kernels {

enum class Interpolation : uint8_t { nearest, linear, cubic };
/// What lies outside: zeros, the outer elements, or the mirror image.
enum class Outside : uint8_t { zeros, border, reflection };

struct GridSampleShape {
  int64_t batch = 0, channels = 0, points = 0;
  Dims input;
  Interpolation mode = Interpolation::linear;
  Outside outside = Outside::zeros;
  bool align_corners = false;
  /// Places are computed as float32 arithmetic would.
  bool single = false;
};

void grid_sample(const GridSampleShape& shape, const double* x, const double* grid, double* y);

/// Either gradient may be null.
void grid_sample_gradient(const GridSampleShape& shape, const double* x, const double* grid, const double* y_gradient,
                          double* x_gradient, double* grid_gradient);

}  // namespace onemodel::kernels

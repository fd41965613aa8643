#pragma once
// Blocks that cover an image are added up to it.
//
// Shapes: contiguous x[planes, block..., blocks...], where blocks is how often the window fits along each axis, and
//   y[planes, image...].
// Dtype: f64.
// Order: an element adds its blocks' elements in the order of the places within a block.
// Aliasing: outputs overlap no input.
// Threads: split over planes; the same bits for any number.

#include <cstdint>

#include "core/dims.h"
#include "kernels/portable/window.h"

namespace onemodel::kernels {

/// `blocks` are the numbers of windows along the axes of `image`.
void col2im(int64_t planes, const Dims& image, const Dims& blocks, const Window& window, const double* x, double* y);

}  // namespace onemodel::kernels

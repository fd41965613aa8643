#pragma once
// Blocks that cover an image are added up to it.
//
// Shapes: contiguous x[planes, block..., blocks...] and y[planes, image...].
// Dtype: f64.
// Order: an element adds its blocks' elements in the order of the places within a block.
// Aliasing: outputs overlap no input.
// Threads: split over planes; the same bits for any number.

#include <cstdint>
#include <vector>

#include "core/dims.h"
#include "kernels/portable/window.h"

namespace onemodel::kernels {

/// Where each element of [block..., blocks...] lies in an image of extents `image`, row-major; -1 in the padding.
/// `blocks` are the numbers of windows along the axes.
std::vector<int64_t> block_places(const Dims& image, const Dims& blocks, const Window& window);

/// y[p, places[i]] = the sum of x[p, i]; `pixels` is the size of an image.
void col2im(int64_t planes, int64_t pixels, const std::vector<int64_t>& places, const double* x, double* y);

}  // namespace onemodel::kernels

#pragma once
// Convolutions whose window places are moved by offsets, in two dimensions (Dai et al., "Deformable convolutional
// networks", 2017; Zhu et al., "Deformable ConvNets v2", 2018).
//
// Shapes: contiguous x[batch, channels, height, width], weights[outputs, channels / groups, kernel...],
//   offsets[batch, offset_groups * kernel elements * 2, out_height, out_width] as row, column, bias[outputs] or null,
//   mask[batch, offset_groups * kernel elements, out_height, out_width] or null, y[batch, outputs, out...].
// Dtype: f64.
// Order: an output adds its window channel by channel, row-major, then the bias.
// Aliasing: outputs overlap no input.
// Threads: split over batch and output rows; the same bits for any number.

#include <cstdint>

#include "core/dims.h"
#include "kernels/portable/window.h"

namespace onemodel::kernels {

struct DeformConvShape {
  int64_t batch = 0, channels = 0, outputs = 0, groups = 1, offset_groups = 1;
  Dims input, output;
  Window window;
};

void deform_conv(const DeformConvShape& shape, const double* x, const double* weights, const double* offsets,
                 const double* bias, const double* mask, double* y);

}  // namespace onemodel::kernels

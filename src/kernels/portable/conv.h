#pragma once
// Convolution over 1 to 3 spatial axes, its transpose, and its gradient by the weights.
//
// Shapes: all contiguous: x[batch, in_channels, input...], w[out_channels, in_channels / groups, kernel...],
//   y[batch, out_channels, output...]. Channels are multiples of `groups`. Empty extents are fine.
//   The padding is of zeros. Of `window.pads_end` only the rank is read.
// Dtypes: f32 and f64; others throw DTypeError.
// Errors: ShapeError for ranks that do not fit or more than 3 spatial axes.
// Aliasing: outputs overlap no input.
// Threads: split over outputs; each is summed in a fixed order, the same bits for any number.

#include <cstdint>

#include "core/dims.h"
#include "core/dtype.h"
#include "kernels/portable/window.h"

namespace onemodel::kernels {

/// Of the forward convolution, whichever of the three is computed.
struct ConvShape {
  int64_t batch = 0, in_channels = 0, out_channels = 0, groups = 1;
  Dims input, output;  // spatial extents
  Window window;
};

/// y = conv(x, w) + bias; `bias` has out_channels elements or is null.
template <class T>
void conv(const ConvShape& shape, const T* x, const T* w, const T* bias, T* y);

/// x = the transpose of conv applied to y (the gradient by its input) + bias; `bias` has in_channels elements or is
/// null. As ONNX's ConvTranspose: its input is this y, its weights [C, M / groups, kernel...] are this w.
template <class T>
void conv_transpose(const ConvShape& shape, const T* y, const T* w, const T* bias, T* x);

/// w_gradient[out_channels, in_channels / groups, kernel...] from x and the gradient by y.
template <class T>
void conv_weight_gradient(const ConvShape& shape, const T* x, const T* y_gradient, T* w_gradient);

}  // namespace onemodel::kernels

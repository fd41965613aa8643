#pragma once
// The sliding window that convolutions and pools share.

#include <cstdint>

#include "core/dims.h"

namespace onemodel::kernels {

/// One entry per spatial axis, 1 to 3 of them. Output o sees input o * stride - pad_begin + k * dilation for k in
/// [0, kernel). Extents of inputs and outputs are given beside it, so rounding modes are the caller's.
struct Window {
  Dims kernel, strides, dilations, pads_begin, pads_end;
};

}  // namespace onemodel::kernels

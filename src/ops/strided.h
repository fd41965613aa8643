#pragma once
// Views as numbers: what moves elements without looking at them works on these, and allocates
// nothing.

#include "core/tensor.h"

namespace onemodel {

/// A view of some tensor: strides in elements, and the offset from that tensor's first element.
struct Strided {
  Dims dims, strides;
  int64_t offset = 0;
};

/// Strides by which a tensor of `from` and `strides` is read as the larger `to`, by numpy
/// broadcasting: 0 along axes that it lacks or has once.
Dims broadcast_strides(const Dims& from, const Dims& strides, const Dims& to);

/// The view as a tensor that shares the storage of `x`.
Tensor make_view(const Tensor& x, const Strided& view);
/// Copies the elements that `view` sees of `x` to `y`, contiguous.
void copy_view(const Tensor& x, const Strided& view, const Tensor& y);

}  // namespace onemodel

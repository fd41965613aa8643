#pragma once
// Where Resize samples: extents, scales, and the taps of each axis.

#include "kernels/portable/resample.h"
#include "ops/resize.h"

namespace onemodel {

/// The result's shape for an input of shape `x`; operands 1 to 3 of `context` are roi, scales and sizes. Checks all
/// attributes and operands.
Shape resized_shape(InferContext& context, const ResizeAttributes& attributes, const Shape& x);

namespace resize {

inline bool is_tf_crop(const ResizeAttributes& a) { return a.coordinate_transformation_mode == "tf_crop_and_resize"; }
/// `axes` made non-negative; all when it is empty.
std::vector<size_t> axes_of(std::string_view who, const std::vector<int64_t>& axes, size_t rank);
/// floor(extent * scale) in float32, as ONNX Runtime computes it.
int64_t scaled_extent(int64_t extent, float scale);
/// The one scale of a policy that keeps the aspect ratio: the smallest or the largest of sizes / from.
float common_scale(const ResizeAttributes& attributes, const std::vector<int64_t>& from,
                   std::span<const int64_t> sizes);
/// extent * scale rounded half up.
int64_t rounded(int64_t extent, float scale);

}  // namespace resize

/// One axis whose elements change.
struct AxisTaps {
  size_t axis;
  kernels::Taps taps;
  std::vector<int64_t> outside;  // output positions that get extrapolation_value
};

/// The axes of an input of `x` that are not simply kept; `operands` are those of the operator, of which 1 to 3 are read.
std::vector<AxisTaps> resize_taps(const ResizeAttributes& attributes, const Dims& x, std::span<const Tensor> operands);

}  // namespace onemodel

#pragma once
// Regions of images, each divided into bins of which the samples are averaged or the largest is taken (He, Gkioxari,
// Dollár and Girshick, "Mask R-CNN", 2017).
//
// Shapes: contiguous x[batch, channels, height, width], regions[count, 4] as x1, y1, x2, y2, images[count], each in
//   [0, batch), and y[count, channels, out_height, out_width].
// Dtype: f64.
// Aliasing: outputs overlap no input.
// Threads: split over regions; the same bits for any number.

#include <cstdint>

namespace onemodel::kernels {

struct RoiAlignShape {
  int64_t channels = 0, height = 0, width = 0, count = 0, out_height = 1, out_width = 1;
  /// Samples along each axis of a bin; 0: as many as it has elements.
  int64_t samples = 0;
  double scale = 1;
  /// The maximum of the weighted elements, not of the samples: what ONNX Runtime computes and ONNX's tests expect.
  bool maximum = false;
  bool half_pixel = true;
  /// Places are computed as float32 arithmetic would.
  bool single = false;
};

void roi_align(const RoiAlignShape& shape, const double* x, const double* regions, const int64_t* images, double* y);

}  // namespace onemodel::kernels

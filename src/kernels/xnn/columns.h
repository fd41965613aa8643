#pragma once
// Windows of an image as the columns of a matrix, and back. For the sources of this folder only.

#include "kernels/xnn/conv.h"

namespace onemodel::kernels::xnn {

/// The columns are the image itself.
constexpr bool is_pointwise(const Conv2d& p) {
  return p.kernel_h == 1 && p.kernel_w == 1 && p.stride_h == 1 && p.stride_w == 1 && p.pad_top == 0 &&
         p.pad_left == 0 && p.pad_bottom == 0 && p.pad_right == 0;
}
/// Rows of the matrix of all channels: c * kernel_h * kernel_w; its columns are the out_h() * out_w() positions.
constexpr int64_t column_rows(const Conv2d& p) { return p.c * p.kernel_h * p.kernel_w; }

/// Of the row of that matrix that belongs to line = (c * kernel_h + kh) * kernel_w + kw, columns
/// [first, first + count): the elements of image[c, h, w] under that tap, or zero.
void window_line(const Conv2d&, const float* image, int64_t line, size_t first, size_t count, float* to);

/// The transpose of that map: image[c, h, w] = the sum of the columns' elements that were taken from there; on the
/// pool.
void columns_to_image(const Conv2d&, const float* columns, float* image);

}  // namespace onemodel::kernels::xnn

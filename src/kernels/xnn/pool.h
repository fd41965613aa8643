#pragma once
// Two-dimensional pooling over NCHW; a 1-D one has h = kernel_h = 1.

#include <cstdint>

#include "kernels/xnn/prepared.h"

namespace onemodel::kernels::xnn {

/// x[n,c,h,w] gives y[n,c,out_h,out_w]. The caller says the output size, since rounding up makes it larger.
struct Pool2d {
  int64_t n, c, h, w;
  int64_t out_h, out_w;
  int64_t kernel_h, kernel_w;
  int64_t stride_h = 1, stride_w = 1;
  int64_t dilation_h = 1, dilation_w = 1;
  int64_t pad_top = 0, pad_left = 0, pad_bottom = 0, pad_right = 0;
  bool count_include_pad = false;  // average only: divide by the taps inside the padded input
};

/// Inputs {x}, outputs {y}. A NaN in a window gives NaN. Refuses windows that see no element of x.
PreparedPtr max_pool(const Pool2d&, std::string& refusal);
/// Inputs {x}, outputs {y}. Refuses windows that see no element of x.
PreparedPtr average_pool(const Pool2d&, std::string& refusal);
/// Mean of each of `planes` rows of `size` elements. Inputs {x}, outputs {y}.
PreparedPtr global_average_pool(int64_t planes, int64_t size, std::string& refusal);

}  // namespace onemodel::kernels::xnn

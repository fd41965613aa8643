#pragma once
// Two-dimensional convolution and its gradients; a 1-D one has h = kernel_h = 1.

#include <cstdint>
#include <limits>

#include "kernels/xnn/prepared.h"

namespace onemodel::kernels::xnn {

/// x[n,c,h,w] with weights [m, c/groups, kernel_h, kernel_w] gives y[n,m,out_h(),out_w()].
struct Conv2d {
  int64_t n, c, h, w, m;
  int64_t kernel_h, kernel_w;
  int64_t stride_h = 1, stride_w = 1;
  int64_t dilation_h = 1, dilation_w = 1;
  int64_t pad_top = 0, pad_left = 0, pad_bottom = 0, pad_right = 0;
  int64_t groups = 1;
  float min = -std::numeric_limits<float>::infinity();
  float max = std::numeric_limits<float>::infinity();
  bool nhwc_input = false;   // x is [n,h,w,c]; only for `conv2d`
  bool nhwc_output = false;  // y is [n,h,w,m]; only for `conv2d`

  int64_t out_h() const { return (h + pad_top + pad_bottom - dilation_h * (kernel_h - 1) - 1) / stride_h + 1; }
  int64_t out_w() const { return (w + pad_left + pad_right - dilation_w * (kernel_w - 1) - 1) / stride_w + 1; }
};

/// Constant weights. Inputs {x}, outputs {y}. `weights` in ONNX's layout, packed here; `bias` [m] may be null.
/// A NaN result stays NaN through the clamp. Refuses a depthwise 1x1 kernel on NHWC of several channels.
PreparedPtr conv2d(const Conv2d&, const float* weights, const float* bias, std::string& refusal);

/// Weights that change between runs. Inputs {x, weights} or, with `bias`, {x, weights, bias}; outputs {y}. NCHW only.
PreparedPtr conv2d_dynamic(const Conv2d&, bool bias, std::string& refusal);

/// Gradient by x. Inputs {dy, weights}, outputs {dx}. NCHW only; the clamp is ignored.
PreparedPtr conv2d_input_gradient(const Conv2d&, std::string& refusal);

/// Gradient by the weights. Inputs {x, dy}, outputs {dw}. NCHW only; the clamp is ignored.
PreparedPtr conv2d_weight_gradient(const Conv2d&, std::string& refusal);

}  // namespace onemodel::kernels::xnn

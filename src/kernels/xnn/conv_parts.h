#pragma once
// The ways to compute a convolution. For the sources of this folder only.

#include <vector>

#include "kernels/xnn/conv.h"
#include "kernels/xnn/operator.h"

namespace onemodel::kernels::xnn {

/// Weights and bias that are either copied at the start or inputs 1 and 2 of each run.
class ConvConstants {
 public:
  ConvConstants(const Conv2d& p, const float* weights, const float* bias, bool has_bias)
      : constant_(weights != nullptr), has_bias_(has_bias) {
    if (weights) weights_.assign(weights, weights + p.m * (p.c / p.groups) * p.kernel_h * p.kernel_w);
    if (bias) bias_.assign(bias, bias + p.m);
  }
  const float* weights(const void* const* inputs) const { return constant_ ? weights_.data() : input_f32(inputs, 1); }
  const float* bias(const void* const* inputs) const {
    return !has_bias_ ? nullptr : constant_ ? bias_.data() : input_f32(inputs, 2);
  }

 private:
  bool constant_, has_bias_;
  std::vector<float> weights_, bias_;
};

/// This machine can run it, and every size, stride, padding and group makes sense.
bool valid(const Conv2d&, std::string& refusal);

// Where weights are null they come with each run, and so does the bias if there is one.

/// A direct loop over NCHW planes, for one input channel per group.
PreparedPtr conv2d_depthwise(const Conv2d&, const float* weights, const float* bias, bool has_bias,
                             std::string& refusal);
/// weights[m, c*kh*kw] x columns[c*kh*kw, out_h*out_w] in NCHW; pointwise kernels need no columns.
PreparedPtr conv2d_columns(const Conv2d&, const float* weights, const float* bias, bool has_bias, std::string& refusal);
/// Whether Winograd's method covers it and, as measured, takes less time than the others.
bool suits_winograd(const Conv2d&);
/// Constant weights; NHWC, between transposes where they are needed.
PreparedPtr conv2d_winograd(const Conv2d&, const float* weights, const float* bias, std::string& refusal);
/// XNNPACK's convolution, which is NHWC, between transposes where they are needed. Constant weights.
PreparedPtr conv2d_nhwc(const Conv2d&, const float* weights, const float* bias, std::string& refusal);

}  // namespace onemodel::kernels::xnn

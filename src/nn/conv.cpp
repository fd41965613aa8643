#include "nn/conv.h"

#include "nn/random.h"

namespace onemodel::nn {

Conv2d::Conv2d(const Conv2dOptions& options) : Layer(options) {
  const auto& [in, out, kernel, stride, padding, dilation, groups, bias] = options;
  check_at_least(1, kName, "in_channels", in);
  check_at_least(1, kName, "out_channels", out);
  check_at_least(1, kName, "kernel_size", kernel);
  check_at_least(1, kName, "stride", stride);
  check_at_least(0, kName, "padding", padding);
  check_at_least(1, kName, "dilation", dilation);
  check_at_least(1, kName, "groups", groups);
  check(in % groups == 0 && out % groups == 0, kName, ": in_channels ", in, " and out_channels ", out,
        " must be multiples of groups ", groups);
  const int64_t fan_in = in / groups * kernel.height * kernel.width;
  weight_ = register_parameter("weight", fan_in_uniform({out, in / groups, kernel.height, kernel.width}, fan_in));
  if (bias) bias_ = register_parameter("bias", fan_in_uniform({out}, fan_in));
}

Tensor Conv2d::run(const Tensor& x) {
  const Conv2dOptions& o = options();
  return conv2d(x, weight_, bias_, o.stride, o.padding, o.dilation, o.groups);
}

}  // namespace onemodel::nn

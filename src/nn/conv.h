#pragma once
// Convolution layers.

#include "nn/layer.h"

namespace onemodel::nn {

struct Conv2dOptions {
  int64_t in_channels = 0, out_channels = 0;
  Pair kernel_size;
  Pair stride = 1, padding = 0, dilation = 1;
  int64_t groups = 1;
  bool bias = true;
  static constexpr auto fields() {
    using O = Conv2dOptions;
    return std::tuple{required_field("in_channels", &O::in_channels, "channels of the input"),
                      required_field("out_channels", &O::out_channels, "channels of the output"),
                      required_field("kernel_size", &O::kernel_size, "height and width of the window"),
                      field("stride", &O::stride, "step of the window"),
                      field("padding", &O::padding, "zeros put around each plane"),
                      field("dilation", &O::dilation, "distance between the window's elements"),
                      field("groups", &O::groups, "independent groups of channels"),
                      field("bias", &O::bias, "whether a bias is added")};
  }
};

/// Cross-correlation of [batch, in_channels, height, width] with weight [out_channels, in_channels / groups, kernel
/// height, kernel width], plus bias [out_channels].
class Conv2d final : public Layer<Conv2d, Conv2dOptions> {
 public:
  static constexpr std::string_view kName = "Conv2d";
  static constexpr std::string_view kDoc = "two-dimensional convolution over [batch, channels, height, width]";
  explicit Conv2d(const Conv2dOptions& options);
  Conv2d(int64_t in_channels, int64_t out_channels, Pair kernel_size)
      : Conv2d(Conv2dOptions{.in_channels = in_channels, .out_channels = out_channels, .kernel_size = kernel_size}) {}
  Tensor run(const Tensor& x);

 private:
  Tensor weight_, bias_;
};

}  // namespace onemodel::nn

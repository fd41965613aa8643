#pragma once
// Pooling layers over [batch, channels, height, width].

#include "nn/layer.h"

namespace onemodel::nn {

/// Throws ArgumentError naming the option of a pool that is out of range.
template <class O>
void check_pool(std::string_view who, const O& options) {
  check_at_least(1, who, "kernel_size", options.kernel_size);
  if (options.stride) check_at_least(1, who, "stride", *options.stride);
  check_at_least(0, who, "padding", options.padding);
  if constexpr (requires { options.dilation; }) check_at_least(1, who, "dilation", options.dilation);
}

struct MaxPool2dOptions {
  Pair kernel_size;
  std::optional<Pair> stride = {};
  Pair padding = 0, dilation = 1;
  bool ceil_mode = false;
  static constexpr auto fields() {
    using O = MaxPool2dOptions;
    return std::tuple{required_field("kernel_size", &O::kernel_size, "height and width of the window"),
                      field("stride", &O::stride, "step of the window; kernel_size when left out"),
                      field("padding", &O::padding, "minus infinity put around each plane"),
                      field("dilation", &O::dilation, "distance between the window's elements"),
                      field("ceil_mode", &O::ceil_mode, "whether a window may reach over the end")};
  }
};

/// The largest element of each window.
class MaxPool2d final : public Layer<MaxPool2d, MaxPool2dOptions> {
 public:
  static constexpr std::string_view kName = "MaxPool2d";
  static constexpr std::string_view kDoc = "the largest element of each window";
  explicit MaxPool2d(const Options& options) : Layer(options) { check_pool(kName, options); }
  explicit MaxPool2d(Pair kernel_size, std::optional<Pair> stride = {})
      : MaxPool2d(Options{.kernel_size = kernel_size, .stride = stride}) {}
  Tensor run(const Tensor& x);
};

struct AvgPool2dOptions {
  Pair kernel_size;
  std::optional<Pair> stride = {};
  Pair padding = 0;
  bool ceil_mode = false, count_include_pad = true;
  static constexpr auto fields() {
    using O = AvgPool2dOptions;
    return std::tuple{required_field("kernel_size", &O::kernel_size, "height and width of the window"),
                      field("stride", &O::stride, "step of the window; kernel_size when left out"),
                      field("padding", &O::padding, "zeros put around each plane"),
                      field("ceil_mode", &O::ceil_mode, "whether a window may reach over the end"),
                      field("count_include_pad", &O::count_include_pad, "whether padding counts in the mean")};
  }
};

/// The mean of each window.
class AvgPool2d final : public Layer<AvgPool2d, AvgPool2dOptions> {
 public:
  static constexpr std::string_view kName = "AvgPool2d";
  static constexpr std::string_view kDoc = "the mean of each window";
  explicit AvgPool2d(const Options& options) : Layer(options) { check_pool(kName, options); }
  explicit AvgPool2d(Pair kernel_size, std::optional<Pair> stride = {})
      : AvgPool2d(Options{.kernel_size = kernel_size, .stride = stride}) {}
  Tensor run(const Tensor& x);
};

/// The mean of each plane: [batch, channels, 1, 1]; PyTorch's AdaptiveAvgPool2d(1).
class GlobalAvgPool2d final : public Layer<GlobalAvgPool2d, NoOptions> {
 public:
  static constexpr std::string_view kName = "GlobalAvgPool2d";
  static constexpr std::string_view kDoc = "the mean of each plane";
  using Layer::Layer;
  Tensor run(const Tensor& x);
};

}  // namespace onemodel::nn

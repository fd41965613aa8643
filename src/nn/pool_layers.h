#pragma once
// Pools over one and three axes. The two-dimensional ones are in nn/pool.h.

#include "nn/pool.h"

namespace onemodel::nn {

/// Arguments of MaxPool1d (Size = int64_t) and MaxPool3d (Triple).
template <class Size>
struct MaxPoolOptions {
  Size kernel_size{1};
  std::optional<Size> stride = {};
  Size padding{0}, dilation{1};
  bool ceil_mode = false;
  static constexpr auto fields() {
    using O = MaxPoolOptions;
    return std::tuple{required_field("kernel_size", &O::kernel_size, "extents of the window"),
                      field("stride", &O::stride, "step of the window; kernel_size when left out"),
                      field("padding", &O::padding, "minus infinity put at both ends"),
                      field("dilation", &O::dilation, "distance between the window's elements"),
                      field("ceil_mode", &O::ceil_mode, "whether a window may reach over the end")};
  }
};

/// Arguments of AvgPool1d (Size = int64_t) and AvgPool3d (Triple).
template <class Size>
struct AvgPoolOptions {
  Size kernel_size{1};
  std::optional<Size> stride = {};
  Size padding{0};
  bool ceil_mode = false, count_include_pad = true;
  static constexpr auto fields() {
    using O = AvgPoolOptions;
    return std::tuple{required_field("kernel_size", &O::kernel_size, "extents of the window"),
                      field("stride", &O::stride, "step of the window; kernel_size when left out"),
                      field("padding", &O::padding, "zeros put at both ends"),
                      field("ceil_mode", &O::ceil_mode, "whether a window may reach over the end"),
                      field("count_include_pad", &O::count_include_pad, "whether padding counts in the mean")};
  }
};

/// The largest element of each window of [batch, channels, length].
class MaxPool1d final : public Layer<MaxPool1d, MaxPoolOptions<int64_t>> {
 public:
  static constexpr std::string_view kName = "MaxPool1d";
  static constexpr std::string_view kDoc = "the largest element of each window";
  explicit MaxPool1d(const Options& options) : Layer(options) { check_pool(kName, options); }
  Tensor run(const Tensor& x);
};

/// The largest element of each window of [batch, channels, depth, height, width].
class MaxPool3d final : public Layer<MaxPool3d, MaxPoolOptions<Triple>> {
 public:
  static constexpr std::string_view kName = "MaxPool3d";
  static constexpr std::string_view kDoc = "the largest element of each window";
  explicit MaxPool3d(const Options& options) : Layer(options) { check_pool(kName, options); }
  Tensor run(const Tensor& x);
};

/// The mean of each window of [batch, channels, length].
class AvgPool1d final : public Layer<AvgPool1d, AvgPoolOptions<int64_t>> {
 public:
  static constexpr std::string_view kName = "AvgPool1d";
  static constexpr std::string_view kDoc = "the mean of each window";
  explicit AvgPool1d(const Options& options) : Layer(options) { check_pool(kName, options); }
  Tensor run(const Tensor& x);
};

/// The mean of each window of [batch, channels, depth, height, width].
class AvgPool3d final : public Layer<AvgPool3d, AvgPoolOptions<Triple>> {
 public:
  static constexpr std::string_view kName = "AvgPool3d";
  static constexpr std::string_view kDoc = "the mean of each window";
  explicit AvgPool3d(const Options& options) : Layer(options) { check_pool(kName, options); }
  Tensor run(const Tensor& x);
};

}  // namespace onemodel::nn

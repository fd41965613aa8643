#pragma once
// Pools over one and three axes, adaptive means, and resampling. The two-dimensional pools are in nn/pool.h.

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

/// Arguments of AdaptiveAvgPool1d (Size = int64_t) and AdaptiveAvgPool2d (Pair).
template <class Size>
struct AdaptiveAvgPoolOptions {
  Size output_size{1};
  static constexpr auto fields() {
    return std::tuple{required_field("output_size", &AdaptiveAvgPoolOptions::output_size, "extents of the result")};
  }
};

/// adaptive_avg_pool1d of eager/functions_adaptive_pool.h: [batch, channels, length] to [batch, channels, output_size].
class AdaptiveAvgPool1d final : public Layer<AdaptiveAvgPool1d, AdaptiveAvgPoolOptions<int64_t>> {
 public:
  static constexpr std::string_view kName = "AdaptiveAvgPool1d";
  static constexpr std::string_view kDoc = "means of as many windows as are wanted, over [batch, channels, length]";
  explicit AdaptiveAvgPool1d(const Options& options);
  Tensor run(const Tensor& x);
};

/// The same over two axes: [batch, channels, height, width] to [batch, channels, output_size...].
class AdaptiveAvgPool2d final : public Layer<AdaptiveAvgPool2d, AdaptiveAvgPoolOptions<Pair>> {
 public:
  static constexpr std::string_view kName = "AdaptiveAvgPool2d";
  static constexpr std::string_view kDoc =
      "means of as many windows as are wanted, over [batch, channels, height, width]";
  explicit AdaptiveAvgPool2d(const Options& options);
  Tensor run(const Tensor& x);
};

struct UpsampleOptions {
  std::optional<Sizes> size = {};
  std::optional<Factors> scale_factor = {};
  std::string mode = "nearest";
  std::optional<bool> align_corners = {};
  static constexpr auto fields() {
    using O = UpsampleOptions;
    return std::tuple{field("size", &O::size, "spatial extents of the result; this or scale_factor"),
                      field("scale_factor", &O::scale_factor, "factors of the spatial axes"),
                      field("mode", &O::mode, "nearest, nearest-exact, linear, bilinear, trilinear or bicubic"),
                      field("align_corners", &O::align_corners, "whether the corner elements stay in place")};
  }
};

/// interpolate of eager/functions_image.h, which wants either size or scale_factor.
class Upsample final : public Layer<Upsample, UpsampleOptions> {
 public:
  static constexpr std::string_view kName = "Upsample";
  static constexpr std::string_view kDoc = "resamples the spatial axes";
  explicit Upsample(const UpsampleOptions& options = {});
  Tensor run(const Tensor& x);

 private:
  std::optional<std::vector<int64_t>> size_;
  std::optional<std::vector<double>> scale_factor_;
};

}  // namespace onemodel::nn

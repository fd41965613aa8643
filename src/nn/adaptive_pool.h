#pragma once
// Pools that give as many elements as are wanted, and resampling.

#include "nn/layer.h"

namespace onemodel::nn {

/// Arguments of adaptive pools over one axis (Size = int64_t), two (Pair) and three (Triple).
template <class Size>
struct AdaptivePoolOptions {
  Size output_size{1};
  static constexpr auto fields() {
    return std::tuple{required_field("output_size", &AdaptivePoolOptions::output_size, "extents of the result")};
  }
};

/// adaptive_avg_pool1d of eager/functions_adaptive_pool.h: [batch, channels, length] to [batch, channels, output_size].
class AdaptiveAvgPool1d final : public Layer<AdaptiveAvgPool1d, AdaptivePoolOptions<int64_t>> {
 public:
  static constexpr std::string_view kName = "AdaptiveAvgPool1d";
  static constexpr std::string_view kDoc = "means of as many windows as are wanted, over [batch, channels, length]";
  explicit AdaptiveAvgPool1d(const Options& options);
  Tensor run(const Tensor& x);
};

/// The same over two axes: [batch, channels, height, width] to [batch, channels, output_size...].
class AdaptiveAvgPool2d final : public Layer<AdaptiveAvgPool2d, AdaptivePoolOptions<Pair>> {
 public:
  static constexpr std::string_view kName = "AdaptiveAvgPool2d";
  static constexpr std::string_view kDoc =
      "means of as many windows as are wanted, over [batch, channels, height, width]";
  explicit AdaptiveAvgPool2d(const Options& options);
  Tensor run(const Tensor& x);
};

/// adaptive_avg_pool3d of eager/functions_adaptive_pool.h: [batch, channels, depth, height, width] to [batch, channels, output_size...].
class AdaptiveAvgPool3d final : public Layer<AdaptiveAvgPool3d, AdaptivePoolOptions<Triple>> {
 public:
  static constexpr std::string_view kName = "AdaptiveAvgPool3d";
  static constexpr std::string_view kDoc =
      "means of as many windows as are wanted, over [batch, channels, depth, height, width]";
  explicit AdaptiveAvgPool3d(const Options& options);
  Tensor run(const Tensor& x);
};

/// adaptive_max_pool1d of eager/functions_adaptive_pool.h: [batch, channels, length] to [batch, channels, output_size].
class AdaptiveMaxPool1d final : public Layer<AdaptiveMaxPool1d, AdaptivePoolOptions<int64_t>> {
 public:
  static constexpr std::string_view kName = "AdaptiveMaxPool1d";
  static constexpr std::string_view kDoc = "maxima of as many windows as are wanted, over [batch, channels, length]";
  explicit AdaptiveMaxPool1d(const Options& options);
  Tensor run(const Tensor& x);
};

/// adaptive_max_pool2d of eager/functions_adaptive_pool.h: [batch, channels, height, width] to [batch, channels, output_size...].
class AdaptiveMaxPool2d final : public Layer<AdaptiveMaxPool2d, AdaptivePoolOptions<Pair>> {
 public:
  static constexpr std::string_view kName = "AdaptiveMaxPool2d";
  static constexpr std::string_view kDoc =
      "maxima of as many windows as are wanted, over [batch, channels, height, width]";
  explicit AdaptiveMaxPool2d(const Options& options);
  Tensor run(const Tensor& x);
};

/// adaptive_max_pool3d of eager/functions_adaptive_pool.h: [batch, channels, depth, height, width] to [batch, channels, output_size...].
class AdaptiveMaxPool3d final : public Layer<AdaptiveMaxPool3d, AdaptivePoolOptions<Triple>> {
 public:
  static constexpr std::string_view kName = "AdaptiveMaxPool3d";
  static constexpr std::string_view kDoc =
      "maxima of as many windows as are wanted, over [batch, channels, depth, height, width]";
  explicit AdaptiveMaxPool3d(const Options& options);
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

#pragma once
// Convolutions over one and three axes, and transposed ones. Conv2d is in nn/conv.h.

#include "nn/layer.h"

namespace onemodel::nn {

/// Arguments of Conv1d (Size = int64_t) and Conv3d (Triple).
template <class Size>
struct ConvOptions {
  int64_t in_channels = 0, out_channels = 0;
  Size kernel_size{1}, stride{1}, padding{0}, dilation{1};
  int64_t groups = 1;
  bool bias = true;
  static constexpr auto fields() {
    using O = ConvOptions;
    return std::tuple{required_field("in_channels", &O::in_channels, "channels of the input"),
                      required_field("out_channels", &O::out_channels, "channels of the output"),
                      required_field("kernel_size", &O::kernel_size, "extents of the window"),
                      field("stride", &O::stride, "step of the window"),
                      field("padding", &O::padding, "zeros put at both ends"),
                      field("dilation", &O::dilation, "distance between the window's elements"),
                      field("groups", &O::groups, "independent groups of channels"),
                      field("bias", &O::bias, "whether a bias is added")};
  }
};

/// Arguments of ConvTranspose1d (Size = int64_t) and ConvTranspose2d (Pair).
template <class Size>
struct ConvTransposeOptions {
  int64_t in_channels = 0, out_channels = 0;
  Size kernel_size{1}, stride{1}, padding{0}, output_padding{0};
  int64_t groups = 1;
  bool bias = true;
  Size dilation{1};
  static constexpr auto fields() {
    using O = ConvTransposeOptions;
    return std::tuple{required_field("in_channels", &O::in_channels, "channels of the input"),
                      required_field("out_channels", &O::out_channels, "channels of the output"),
                      required_field("kernel_size", &O::kernel_size, "extents of the window"),
                      field("stride", &O::stride, "step of the window"),
                      field("padding", &O::padding, "rows cut from both ends"),
                      field("output_padding", &O::output_padding, "rows added at the end"),
                      field("groups", &O::groups, "independent groups of channels"),
                      field("bias", &O::bias, "whether a bias is added"),
                      field("dilation", &O::dilation, "distance between the window's elements")};
  }
};

/// Cross-correlation of [batch, in_channels, length] with weight [out_channels, in_channels / groups, kernel], plus
/// bias [out_channels].
class Conv1d final : public Layer<Conv1d, ConvOptions<int64_t>> {
 public:
  static constexpr std::string_view kName = "Conv1d";
  static constexpr std::string_view kDoc = "one-dimensional convolution over [batch, channels, length]";
  explicit Conv1d(const Options& options);
  Tensor run(const Tensor& x);

 private:
  Tensor weight_, bias_;
};

/// The same over [batch, in_channels, depth, height, width].
class Conv3d final : public Layer<Conv3d, ConvOptions<Triple>> {
 public:
  static constexpr std::string_view kName = "Conv3d";
  static constexpr std::string_view kDoc = "three-dimensional convolution over [batch, channels, depth, height, width]";
  explicit Conv3d(const Options& options);
  Tensor run(const Tensor& x);

 private:
  Tensor weight_, bias_;
};

/// The transpose of Conv1d: weight [in_channels, out_channels / groups, kernel], bias [out_channels].
class ConvTranspose1d final : public Layer<ConvTranspose1d, ConvTransposeOptions<int64_t>> {
 public:
  static constexpr std::string_view kName = "ConvTranspose1d";
  static constexpr std::string_view kDoc = "transpose of the one-dimensional convolution";
  explicit ConvTranspose1d(const Options& options);
  Tensor run(const Tensor& x);

 private:
  Tensor weight_, bias_;
};

/// The transpose of Conv2d: weight [in_channels, out_channels / groups, height, width], bias [out_channels].
class ConvTranspose2d final : public Layer<ConvTranspose2d, ConvTransposeOptions<Pair>> {
 public:
  static constexpr std::string_view kName = "ConvTranspose2d";
  static constexpr std::string_view kDoc = "transpose of the two-dimensional convolution";
  explicit ConvTranspose2d(const Options& options);
  Tensor run(const Tensor& x);

 private:
  Tensor weight_, bias_;
};

}  // namespace onemodel::nn

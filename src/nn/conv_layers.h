#pragma once
// Convolutions over one to three axes, and transposed ones.

#include <concepts>

#include "nn/conv_options.h"
#include "nn/layer.h"

namespace onemodel::nn {

/// The arguments of a convolution over any number of axes, and what they come to.
struct Convolution {
  int64_t in_channels = 0, out_channels = 0, groups = 1;
  bool is_transposed = false;
  std::vector<int64_t> kernel_size, stride, dilation, output_padding;
  std::vector<int64_t> pads;  // before each axis, then after each
  std::string padding_mode = "zeros";
};
template <class Size>
Convolution convolution_of(std::string_view who, const ConvOptions<Size>& options);
template <class Size>
Convolution convolution_of(std::string_view who, const ConvTransposeOptions<Size>& options);

/// The first weight, and the first bias when there is one.
Tensor first_weight(const Convolution& convolution);
Tensor first_bias(const Convolution& convolution);
/// Throws ArgumentError naming `who` and the argument for what is out of range.
void check_convolution(std::string_view who, const Convolution& convolution);
/// The amounts that the words "same" and "valid" stand for. Throws ArgumentError naming `who` for another word, and for
/// "same" with strides.
std::vector<int64_t> pads_for(std::string_view who, const std::string& word, const Convolution& convolution);
/// x may be without its batch. Throws ShapeError naming `who` for an input of another rank.
Tensor convolve(std::string_view who, const Convolution& convolution, const Tensor& x, const Tensor& weight,
                const Tensor& bias);

/// What the layers share; `O` is ConvOptions or ConvTransposeOptions of a size.
template <class M, class O>
class ConvLayer : public Layer<M, O> {
 public:
  explicit ConvLayer(const O& options) : Layer<M, O>(options), convolution_(convolution_of(M::kName, options)) {
    weight_ = this->register_parameter("weight", first_weight(convolution_));
    if (options.bias) bias_ = this->register_parameter("bias", first_bias(convolution_));
  }
  Tensor run(const Tensor& x) { return convolve(M::kName, convolution_, x, weight_, bias_); }

 private:
  Convolution convolution_;
  Tensor weight_, bias_;
};

/// Cross-correlation of [batch, in_channels, length] with weight [out_channels, in_channels / groups, kernel], plus
/// bias [out_channels].
class Conv1d final : public ConvLayer<Conv1d, ConvOptions<int64_t>> {
 public:
  static constexpr std::string_view kName = "Conv1d";
  static constexpr std::string_view kDoc = "one-dimensional convolution over [batch, channels, length]";
  using ConvLayer::ConvLayer;
};

using Conv2dOptions = ConvOptions<Pair>;
/// The same over [batch, in_channels, height, width].
class Conv2d final : public ConvLayer<Conv2d, Conv2dOptions> {
 public:
  static constexpr std::string_view kName = "Conv2d";
  static constexpr std::string_view kDoc = "two-dimensional convolution over [batch, channels, height, width]";
  using ConvLayer::ConvLayer;
  Conv2d(int64_t in_channels, int64_t out_channels, Pair kernel_size)
      : ConvLayer(Options{.in_channels = in_channels, .out_channels = out_channels, .kernel_size = kernel_size}) {}
};

/// The same over [batch, in_channels, depth, height, width].
class Conv3d final : public ConvLayer<Conv3d, ConvOptions<Triple>> {
 public:
  static constexpr std::string_view kName = "Conv3d";
  static constexpr std::string_view kDoc = "three-dimensional convolution over [batch, channels, depth, height, width]";
  using ConvLayer::ConvLayer;
};

/// The transpose of Conv1d: weight [in_channels, out_channels / groups, kernel], bias [out_channels].
class ConvTranspose1d final : public ConvLayer<ConvTranspose1d, ConvTransposeOptions<int64_t>> {
 public:
  static constexpr std::string_view kName = "ConvTranspose1d";
  static constexpr std::string_view kDoc = "transpose of the one-dimensional convolution";
  using ConvLayer::ConvLayer;
};

/// The transpose of Conv2d: weight [in_channels, out_channels / groups, height, width], bias [out_channels].
class ConvTranspose2d final : public ConvLayer<ConvTranspose2d, ConvTransposeOptions<Pair>> {
 public:
  static constexpr std::string_view kName = "ConvTranspose2d";
  static constexpr std::string_view kDoc = "transpose of the two-dimensional convolution";
  using ConvLayer::ConvLayer;
};

/// The transpose of Conv3d: weight [in_channels, out_channels / groups, depth, height, width], bias [out_channels].
class ConvTranspose3d final : public ConvLayer<ConvTranspose3d, ConvTransposeOptions<Triple>> {
 public:
  static constexpr std::string_view kName = "ConvTranspose3d";
  static constexpr std::string_view kDoc = "transpose of the three-dimensional convolution";
  using ConvLayer::ConvLayer;
};

}  // namespace onemodel::nn

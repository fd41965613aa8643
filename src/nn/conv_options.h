#pragma once
// Arguments of convolutions.

#include <concepts>
#include <string>
#include <utility>

#include "nn/options.h"

namespace onemodel::nn {

/// What is put at both ends: numbers, or a word: "same", so that the result has the input's extents, or "valid", nothing.
template <class Size>
struct Padding {
  Size size{0};
  std::string word;  // in place of numbers
  Padding() = default;
  Padding(const char* text) : word(text) {}
  template <std::convertible_to<int64_t>... T>
  Padding(T... extents) : size(static_cast<int64_t>(extents)...) {}
};

/// Arguments of Conv1d (Size = int64_t), Conv2d (Pair) and Conv3d (Triple).
template <class Size>
struct ConvOptions {
  int64_t in_channels = 0, out_channels = 0;
  Size kernel_size{1}, stride{1};
  Padding<Size> padding = {};
  Size dilation{1};
  int64_t groups = 1;
  bool bias = true;
  std::string padding_mode = "zeros";
  static constexpr auto fields() {
    using O = ConvOptions;
    return std::tuple{
        required_field("in_channels", &O::in_channels, "channels of the input"),
        required_field("out_channels", &O::out_channels, "channels of the output"),
        required_field("kernel_size", &O::kernel_size, "extents of the window"),
        field("stride", &O::stride, "step of the window"),
        field("padding", &O::padding,
              "elements put at both ends; \"same\": as many as keep the extents, with stride 1; \"valid\": none"),
        field("dilation", &O::dilation, "distance between the window's elements"),
        field("groups", &O::groups, "independent groups of channels"),
        field("bias", &O::bias, "whether a bias is added"),
        field("padding_mode", &O::padding_mode, "what is put there: zeros, reflect, replicate or circular")};
  }
};

/// Arguments of ConvTranspose1d (Size = int64_t), ConvTranspose2d (Pair) and ConvTranspose3d (Triple).
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

}  // namespace onemodel::nn

namespace onemodel::detail {

template <class Size>
struct FieldCodec<nn::Padding<Size>> {
  static constexpr AttributeKind kind = FieldCodec<Size>::kind;
  static std::optional<AttributeValue> encode(const nn::Padding<Size>& value) {
    return value.word.empty() ? FieldCodec<Size>::encode(value.size) : AttributeValue(value.word);
  }
  static bool decode(const AttributeValue& value, nn::Padding<Size>& out) {
    if (const auto* word = std::get_if<std::string>(&value)) out.word = *word;
    return !out.word.empty() || FieldCodec<Size>::decode(value, out.size);
  }
};

}  // namespace onemodel::detail

#pragma once
// Convolutions as functions for script, over the axes that a name such as "conv2d" tells.

#include "nn/conv_layers.h"

namespace onemodel::nn {

struct ConvFunctionOptions {
  Sizes stride{1};
  Padding<Sizes> padding;
  Sizes dilation{1};
  int64_t groups = 1;
  static constexpr auto fields() {
    using O = ConvFunctionOptions;
    return std::tuple{
        field("stride", &O::stride, "step of the window"),
        field("padding", &O::padding,
              "elements put at both ends; \"same\": as many as keep the extents, with stride 1; \"valid\": none"),
        field("dilation", &O::dilation, "distance between the window's elements"),
        field("groups", &O::groups, "independent groups of channels")};
  }
};

struct ConvTransposeFunctionOptions {
  Sizes stride{1}, padding{0}, output_padding{0};
  int64_t groups = 1;
  Sizes dilation{1};
  static constexpr auto fields() {
    using O = ConvTransposeFunctionOptions;
    return std::tuple{field("stride", &O::stride, "step of the window"),
                      field("padding", &O::padding, "rows cut from both ends"),
                      field("output_padding", &O::output_padding, "rows added at the end"),
                      field("groups", &O::groups, "independent groups of channels"),
                      field("dilation", &O::dilation, "distance between the window's elements")};
  }
};

/// conv1d to conv3d of eager/functions_image.h, which `who` names. Each list has one number, or one for each axis. Errors:
/// ArgumentError and ShapeError naming `who`.
Tensor conv_function(std::string_view who, const Tensor& x, const Tensor& weight, const Tensor& bias,
                     const ConvFunctionOptions& options);
/// conv_transpose1d to conv_transpose3d likewise.
Tensor conv_transpose_function(std::string_view who, const Tensor& x, const Tensor& weight, const Tensor& bias,
                               const ConvTransposeFunctionOptions& options);

}  // namespace onemodel::nn

#pragma once
// ConvTranspose: the transpose of a convolution over 1 to 3 spatial axes.

#include "ops/grad.h"
#include "ops/infer.h"
#include "ops/kernel.h"
#include "ops/op_list.h"
#include "ops/window.h"

namespace onemodel {

/// X[n, c, h, w] with W[c, m / group, kh, kw] and B[m] gives Y[n, m, h', w']; likewise with 1 or 3
/// spatial axes. h' = stride * (h - 1) + output_padding + dilation * (kernel - 1) + 1 - pads, or
/// `output_shape` (spatial extents only), from which the padding then follows. Floating dtypes, all
/// the same.
struct ConvTranspose {
  std::string auto_pad = "NOTSET";
  std::vector<int64_t> dilations;
  int64_t group = 1;
  std::vector<int64_t> kernel_shape, output_padding, output_shape, pads, strides;
  static constexpr auto fields() {
    return std::tuple{
        field("auto_pad", &ConvTranspose::auto_pad,
              "NOTSET, SAME_UPPER, SAME_LOWER or VALID; SAME: output = input * stride"),
        field("dilations", &ConvTranspose::dilations, "step between kernel elements; default 1"),
        field("group", &ConvTranspose::group, "number of separate channel groups"),
        field("kernel_shape", &ConvTranspose::kernel_shape, "spatial extents of W; default those of W"),
        field("output_padding", &ConvTranspose::output_padding,
              "rows added at the end, less than the stride; default 0"),
        field("output_shape", &ConvTranspose::output_shape, "spatial extents of the result; decides the padding"),
        field("pads", &ConvTranspose::pads, "rows cut before each axis, then after each; default 0"),
        field("strides", &ConvTranspose::strides, "step between windows; default 1")};
  }
  static constexpr Input inputs[] = {{"X", "[batch, channels, spatial...]"},
                                     {"W", "weights [channels, out_channels / group, kernel...]"},
                                     {"B", "bias [out_channels]", Input::optional}};
  static constexpr std::string_view outputs[] = {"Y"};
  static constexpr OpInfo info{
      .name = "ConvTranspose",
      .doc = "transpose of Conv: spreads each element over a window with the weights, plus bias",
      .since = 11};
  WindowAttributes window() const { return {auto_pad, dilations, kernel_shape, pads, strides}; }
  void infer(InferContext& context) const;
  void evaluate(EvalContext& context) const;
  static std::span<const FastKernel<ConvTranspose>> fast_kernels();
  Gradients vjp(GradContext&) const;
  static std::vector<Sample> samples();
};

}  // namespace onemodel

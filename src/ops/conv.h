#pragma once
// Conv: convolution (cross-correlation) over 1 to 3 spatial axes.

#include "kernels/portable/conv.h"
#include "kernels/xnn/conv.h"
#include "ops/grad.h"
#include "ops/infer.h"
#include "ops/kernel.h"
#include "ops/op_list.h"
#include "ops/window.h"

namespace onemodel {

/// X[n, c, h, w] with W[m, c / group, kh, kw] and B[m] gives Y[n, m, h', w']; likewise with 1 or 3
/// spatial axes. `kernel_shape` may be left out; if given it must be that of W. Floating dtypes,
/// all the same.
struct Conv {
  std::string auto_pad = "NOTSET";
  std::vector<int64_t> dilations;
  int64_t group = 1;
  std::vector<int64_t> kernel_shape, pads, strides;
  static constexpr auto fields() {
    return std::tuple{field("auto_pad", &Conv::auto_pad, "NOTSET, SAME_UPPER, SAME_LOWER or VALID"),
                      field("dilations", &Conv::dilations, "step between kernel elements; default 1"),
                      field("group", &Conv::group, "number of separate channel groups"),
                      field("kernel_shape", &Conv::kernel_shape, "spatial extents of W; default those of W"),
                      field("pads", &Conv::pads, "zeros before each axis, then after each; default 0"),
                      field("strides", &Conv::strides, "step between windows; default 1")};
  }
  static constexpr Input inputs[] = {{"X", "[batch, channels, spatial...]"},
                                     {"W", "weights [out_channels, channels / group, kernel...]"},
                                     {"B", "bias [out_channels]", Input::optional}};
  static constexpr std::string_view outputs[] = {"Y"};
  static constexpr OpInfo info{
      .name = "Conv", .doc = "sum of window * weights over channels and kernel, plus bias", .since = 11};
  WindowAttributes window() const { return {auto_pad, dilations, kernel_shape, pads, strides}; }
  void infer(InferContext& context) const;
  void evaluate(EvalContext& context) const;
  static std::span<const FastKernel<Conv>> fast_kernels();
  Gradients vjp(GradContext&) const;
  static std::vector<Sample> samples();
};

/// The shape of the convolution of input 0, X, with the weights of input `w`, W; checks ranks, channels and attributes.
Shape conv_output(const InferContext& context, const WindowAttributes& window, int64_t group, size_t w);
/// Checks that input `i`, the bias B when present, has an element for each output channel of input `w`.
void check_conv_bias(const InferContext& context, size_t i, size_t w);
/// Of a forward convolution of sizes x, w and y.
kernels::ConvShape conv_shape(const kernels::Window& window, int64_t group, const Dims& x, const Dims& w,
                              const Dims& y);
/// The same for XNNPACK; nothing and a reason with 3 spatial axes, or when y is not what the window
/// gives on x.
std::optional<kernels::xnn::Conv2d> conv2d_of(const kernels::ConvShape& shape, std::string& refusal);

}  // namespace onemodel

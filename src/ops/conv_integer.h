#pragma once
// Convolutions of 8-bit integers: ConvInteger and QLinearConv.

#include "ops/grad.h"
#include "ops/infer.h"
#include "ops/kernel.h"
#include "ops/op_list.h"
#include "ops/window.h"

namespace onemodel {

/// The attributes of Conv; places outside count as the zero point of x.
template <class T>
struct IntegerConvolution {
  static constexpr auto fields() {
    return std::tuple{
        field("auto_pad", &T::auto_pad, "NOTSET, SAME_UPPER, SAME_LOWER or VALID"),
        field("dilations", &T::dilations, "step between kernel elements; default 1"),
        field("group", &T::group, "number of separate channel groups"),
        field("kernel_shape", &T::kernel_shape, "spatial extents of the weights; default those they have"),
        field("pads", &T::pads, "places before each axis, then after each; default 0"),
        field("strides", &T::strides, "step between windows; default 1")};
  }
  static constexpr NotDifferentiable vjp{"integers are not smooth"};
};

/// The convolution of x - x_zero_point with w - w_zero_point as int32, which wraps; shapes as in Conv. x and w are int8
/// or uint8, each with its zero point: one number for x; for w one, or one for each output channel.
struct ConvInteger : IntegerConvolution<ConvInteger> {
  std::string auto_pad = "NOTSET";
  std::vector<int64_t> dilations;
  int64_t group = 1;
  std::vector<int64_t> kernel_shape, pads, strides;
  static constexpr Input inputs[] = {{"x", "[batch, channels, spatial...]"},
                                     {"w", "weights [out_channels, channels / group, kernel...]"},
                                     {"x_zero_point", "of x", Input::optional},
                                     {"w_zero_point", "of w, or of each output channel", Input::optional}};
  static constexpr std::string_view outputs[] = {"y"};
  static constexpr OpInfo info{
      .name = "ConvInteger", .doc = "convolution of 8-bit integers less their zero points, as int32", .since = 10};
  WindowAttributes window() const { return {auto_pad, dilations, kernel_shape, pads, strides}; }
  void infer(InferContext&) const;
  void evaluate(EvalContext&) const;
  static std::span<const FastKernel<ConvInteger>> fast_kernels();
  static std::vector<Sample> samples();
};

/// saturate(round((s + B) * (x_scale * w_scale / y_scale)) + y_zero_point), computed in float32 and rounded to nearest,
/// halves to even, where s is the result of ConvInteger and B, int32, is one number for each output channel. Scales are
/// floating: one for x and y; for w one, or one for each output channel. The result has the dtype of y_zero_point, int8
/// or uint8.
struct QLinearConv : IntegerConvolution<QLinearConv> {
  std::string auto_pad = "NOTSET";
  std::vector<int64_t> dilations;
  int64_t group = 1;
  std::vector<int64_t> kernel_shape, pads, strides;
  static constexpr Input inputs[] = {{"x", "[batch, channels, spatial...]"},
                                     {"x_scale", "of x"},
                                     {"x_zero_point", "of x"},
                                     {"w", "weights [out_channels, channels / group, kernel...]"},
                                     {"w_scale", "of w, or of each output channel"},
                                     {"w_zero_point", "of w, or of each output channel"},
                                     {"y_scale", "of the result"},
                                     {"y_zero_point", "of the result"},
                                     {"B", "bias [out_channels] in steps of x_scale * w_scale", Input::optional}};
  static constexpr std::string_view outputs[] = {"y"};
  static constexpr OpInfo info{
      .name = "QLinearConv", .doc = "convolution of quantised numbers, quantised", .since = 10};
  WindowAttributes window() const { return {auto_pad, dilations, kernel_shape, pads, strides}; }
  void infer(InferContext&) const;
  void evaluate(EvalContext&) const;
  static std::span<const FastKernel<QLinearConv>> fast_kernels();
  static std::vector<Sample> samples();
};

}  // namespace onemodel

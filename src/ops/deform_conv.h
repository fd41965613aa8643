#pragma once
// DeformConv: a convolution whose window places are moved by offsets.

#include "ops/grad.h"
#include "ops/infer.h"
#include "ops/kernel.h"
#include "ops/op_list.h"
#include "ops/window.h"

namespace onemodel {

/// The convolution of X[n, c, h, w] with W[outputs, c / group, kh, kw], where the element at place k of the window of
/// output (i, j) is sampled bilinearly offset[n, (g * kh * kw + k) * 2 + {0, 1}, i, j] rows and columns away, 0 outside,
/// and multiplied by mask[n, g * kh * kw + k, i, j] when given; channels share offsets in offset_group groups g.
/// B[outputs] is added. Computed in float64; floating dtypes, all the same. Errors: shapes and groups that do not fit;
/// other than two spatial axes.
struct DeformConv {
  std::vector<int64_t> dilations;
  int64_t group = 1;
  std::vector<int64_t> kernel_shape;
  int64_t offset_group = 1;
  std::vector<int64_t> pads, strides;
  static constexpr auto fields() {
    return std::tuple{field("dilations", &DeformConv::dilations, "step between window elements; default 1"),
                      field("group", &DeformConv::group, "groups of channels that are convolved apart"),
                      field("kernel_shape", &DeformConv::kernel_shape, "extents of the window; those of W when absent"),
                      field("offset_group", &DeformConv::offset_group, "groups of channels with offsets of their own"),
                      field("pads", &DeformConv::pads, "zeros before each axis, then after each; default 0"),
                      field("strides", &DeformConv::strides, "step between windows; default 1")};
  }
  static constexpr Input inputs[] = {
      {"X", "[batch, channels, height, width]"},
      {"W", "[outputs, channels / group, kernel height, kernel width]"},
      {"offset", "[batch, offset_group * kernel elements * 2, out height, out width]"},
      {"B", "[outputs], added", Input::optional},
      {"mask", "factors, [batch, offset_group * kernel elements, out height, out width]", Input::optional}};
  static constexpr std::string_view outputs[] = {"Y"};
  static constexpr OpInfo info{
      .name = "DeformConv", .doc = "a convolution whose window places are moved by offsets", .since = 19};
  static constexpr NotDifferentiable vjp{
      "it is there to run detectors: the gradients by values, offsets and masks have no kernels"};
  WindowAttributes window() const {
    return {.dilations = dilations, .kernel_shape = kernel_shape, .pads = pads, .strides = strides};
  }
  void infer(InferContext&) const;
  void evaluate(EvalContext&) const;
  static std::vector<Sample> samples();
};

}  // namespace onemodel

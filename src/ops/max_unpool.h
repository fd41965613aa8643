#pragma once
// MaxUnpool: puts what MaxPool took back to where it was.

#include "ops/grad.h"
#include "ops/infer.h"
#include "ops/kernel.h"
#include "ops/op_list.h"
#include "ops/window.h"

namespace onemodel {

/// X[n, c, spatial...] at the places I (int64, of X's shape, as MaxPool gives them: flat and row-major) of a tensor of
/// zeros, which has the extents that MaxPool's input had at least: (x - 1) * stride + kernel - pads. With
/// `output_shape` it stands at the beginning of zeros of that shape. The last of equal places wins. 1 to 3 spatial axes;
/// floating dtypes. Errors: an output_shape that is too small; at evaluation a place outside, with its bound.
struct MaxUnpool {
  std::vector<int64_t> kernel_shape, pads, strides;
  static constexpr auto fields() {
    return std::tuple{field("kernel_shape", &MaxUnpool::kernel_shape, "extents of the window; required"),
                      field("pads", &MaxUnpool::pads, "padding before each axis, then after each; default 0"),
                      field("strides", &MaxUnpool::strides, "step between windows; default 1")};
  }
  static constexpr Input inputs[] = {{"X", "[batch, channels, spatial...]"},
                                     {"I", "places of the elements, int64"},
                                     {"output_shape", "extents of the result, int64", Input::optional, true}};
  static constexpr std::string_view outputs[] = {"output"};
  static constexpr OpInfo info{
      .name = "MaxUnpool", .doc = "elements at the places from which MaxPool took them, 0 elsewhere", .since = 11};
  void infer(InferContext&) const;
  void evaluate(EvalContext&) const;
  Gradients vjp(GradContext&) const;
  static std::vector<Sample> samples();

  WindowAttributes window() const { return {.kernel_shape = kernel_shape, .pads = pads, .strides = strides}; }
  /// The extents without output_shape.
  Shape pooled_from(const Shape& x) const;
};

}  // namespace onemodel

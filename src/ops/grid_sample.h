#pragma once
// GridSample: an image at places that a grid names, and its gradient.

#include "kernels/portable/grid_sample.h"
#include "ops/grad.h"
#include "ops/infer.h"
#include "ops/kernel.h"
#include "ops/op_list.h"

namespace onemodel {

/// What GridSample and its gradient share: ONNX's attributes.
struct GridSampleAttributes {
  bool align_corners = false;
  std::string mode = "linear";
  std::string padding_mode = "zeros";
  static constexpr auto fields() {
    using A = GridSampleAttributes;
    return std::tuple{
        field("align_corners", &A::align_corners, "-1 and 1 are the centres of the outer elements, not their edges"),
        field("mode", &A::mode, "linear, nearest, cubic, bilinear or bicubic; the last two are of older files"),
        field("padding_mode", &A::padding_mode, "what lies outside: zeros, border or reflection")};
  }
  /// For inputs and grid of these extents; `single` for float32.
  kernels::GridSampleShape shape(const Dims& x, const Dims& grid, bool single) const;
};

/// X[n, c, D1…Dr] at the places grid[n, d1…dr, r] gives Y[n, c, d1…dr]. A place has its number along Dr first; -1 and
/// 1 are the ends of the axis. `nearest` takes the element there (of two, the even one), `linear` weighs two per axis,
/// `cubic` four. Places are computed in float32 where the grid is, as ONNX Runtime does; all else in float64. One to
/// five spatial axes; floating dtypes. Errors: ranks and extents that do not fit, empty spatial axes, unknown words.
struct GridSample : GridSampleAttributes {
  static constexpr Input inputs[] = {{"X", "[batch, channels, spatial...]"},
                                     {"grid", "[batch, places..., spatial rank]"}};
  static constexpr std::string_view outputs[] = {"Y"};
  static constexpr OpInfo info{.name = "GridSample", .doc = "interpolates at places that a grid names", .since = 20};
  void infer(InferContext&) const;
  void evaluate(EvalContext&) const;
  Gradients vjp(GradContext&) const;
  static std::vector<Sample> samples();
};

/// dX and dGrid from X, grid and dY of GridSample's output, with its attributes. Where `nearest` jumps, dGrid is 0.
struct GridSampleGradient : GridSampleAttributes {
  static constexpr Input inputs[] = {
      {"X", "as in GridSample"}, {"grid", "as in GridSample"}, {"dY", "gradient by the output"}};
  static constexpr std::string_view outputs[] = {"dX", "dGrid"};
  static constexpr OpInfo info{.name = "GridSampleGradient",
                               .doc = "gradients of GridSample by its inputs",
                               .internal = true,
                               .untraceable = "it computes a gradient"};
  static constexpr NotDifferentiable vjp{"second derivatives of GridSample are not implemented"};
  void infer(InferContext&) const;
  void evaluate(EvalContext&) const;
  static std::vector<Sample> samples();
};

}  // namespace onemodel

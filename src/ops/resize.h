#pragma once
// Resize: sampling at other places along any axes, and its gradient.

#include "ops/grad.h"
#include "ops/infer.h"
#include "ops/kernel.h"
#include "ops/op_list.h"

namespace onemodel {

/// What Resize and its gradient share: ONNX's attributes.
struct ResizeAttributes {
  bool antialias = false;
  std::vector<int64_t> axes;
  std::string coordinate_transformation_mode = "half_pixel";
  float cubic_coeff_a = -0.75f;
  bool exclude_outside = false;
  float extrapolation_value = 0;
  std::string keep_aspect_ratio_policy = "stretch";
  std::string mode = "nearest";
  std::string nearest_mode = "round_prefer_floor";
  static constexpr auto fields() {
    using A = ResizeAttributes;
    return std::tuple{
        field("antialias", &A::antialias, "filter where the result is smaller, unless nearest"),
        field("axes", &A::axes, "axes that roi, scales and sizes tell of; all when empty"),
        field(
            "coordinate_transformation_mode", &A::coordinate_transformation_mode,
            "half_pixel, half_pixel_symmetric, pytorch_half_pixel, tf_half_pixel_for_nn, align_corners, asymmetric or "
            "tf_crop_and_resize"),
        field("cubic_coeff_a", &A::cubic_coeff_a, "slope of the cubic kernel"),
        field("exclude_outside", &A::exclude_outside, "weights beyond the edges are 0 and the others sum to 1"),
        field("extrapolation_value", &A::extrapolation_value, "of places beyond the edges with tf_crop_and_resize"),
        field("keep_aspect_ratio_policy", &A::keep_aspect_ratio_policy,
              "stretch, not_larger or not_smaller; the latter two have one scale for all axes"),
        field("mode", &A::mode, "nearest, linear or cubic"),
        field("nearest_mode", &A::nearest_mode, "round_prefer_floor, round_prefer_ceil, floor or ceil")};
  }
};

/// X sampled at other places. The result's extents are floor(extent * scale), or `sizes`; along other axes than `axes`
/// those of X. An element's place in X follows from `coordinate_transformation_mode`, in float32 and, for align_corners,
/// from the result's extent (as ONNX Runtime and PyTorch; ONNX's reference takes scale * extent); `nearest` takes the
/// element there, `linear` weighs 2 per axis, `cubic` 4 (Keys, "Cubic convolution interpolation for digital image
/// processing", 1981); with antialias the weights are as much wider as the result is smaller, and sum to 1. Dtypes: any for nearest, else floating. Errors: both or neither of scales and sizes, lists that
/// do not fit the axes, scales that are not positive, an empty axis to be made larger.
struct Resize : ResizeAttributes {
  static constexpr Input inputs[] = {
      {"X", "values"},
      {"roi", "starts, then ends, as parts of the axes; for tf_crop_and_resize", Input::optional, true},
      {"scales", "float32 factors of the axes", Input::optional, true},
      {"sizes", "int64 extents of the axes", Input::optional, true}};
  static constexpr std::string_view outputs[] = {"Y"};
  static constexpr OpInfo info{
      .name = "Resize", .doc = "samples at other places: nearest, linear or cubic interpolation", .since = 19};
  void infer(InferContext& context) const;
  void evaluate(EvalContext& context) const;
  Gradients vjp(GradContext&) const;
  static std::vector<Sample> samples();
};

/// dX[shape] from dY of Resize's output; the attributes and operands are Resize's. Floating dtypes.
struct ResizeGradient : ResizeAttributes {
  std::vector<int64_t> shape;
  static constexpr auto fields() {
    return std::tuple_cat(ResizeAttributes::fields(),
                          std::tuple{field("shape", &ResizeGradient::shape, "extents of dX")});
  }
  static constexpr Input inputs[] = {{"dY", "gradient by the output"},
                                     {"roi", "as in Resize", Input::optional, true},
                                     {"scales", "as in Resize", Input::optional, true},
                                     {"sizes", "as in Resize", Input::optional, true}};
  static constexpr std::string_view outputs[] = {"dX"};
  static constexpr OpInfo info{.name = "ResizeGradient",
                               .doc = "gradient of Resize by its input",
                               .internal = true,
                               .untraceable = "it computes a gradient"};
  void infer(InferContext& context) const;
  void evaluate(EvalContext& context) const;
  Gradients vjp(GradContext&) const;
  static std::vector<Sample> samples();
};

}  // namespace onemodel

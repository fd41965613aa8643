#pragma once
// RoiAlign: regions of feature maps, brought to one size.

#include "ops/grad.h"
#include "ops/infer.h"
#include "ops/kernel.h"
#include "ops/op_list.h"

namespace onemodel {

/// Region rois[i] = x1, y1, x2, y2 of image batch_indices[i] (int32 or int64) of X[n, c, h, w] gives
/// Y[i, c, output_height, output_width]: bins whose bilinear samples are averaged, or of which `max` takes the largest
/// weighted element, as ONNX Runtime does. Places are computed in float32 where rois is, all else in float64. Floating
/// dtypes. Errors: shapes, unknown words, extents below 1, a negative sampling_ratio; at evaluation an image out of
/// range, with its bound.
struct RoiAlign {
  std::string coordinate_transformation_mode = "half_pixel";
  std::string mode = "avg";
  int64_t output_height = 1, output_width = 1, sampling_ratio = 0;
  float spatial_scale = 1;
  static constexpr auto fields() {
    return std::tuple{field("coordinate_transformation_mode", &RoiAlign::coordinate_transformation_mode,
                            "half_pixel or output_half_pixel; the latter is not shifted, and at least one large"),
                      field("mode", &RoiAlign::mode, "avg or max"),
                      field("output_height", &RoiAlign::output_height, "bins along the height"),
                      field("output_width", &RoiAlign::output_width, "bins along the width"),
                      field("sampling_ratio", &RoiAlign::sampling_ratio,
                            "samples along each axis of a bin; 0: as many as it spans elements"),
                      field("spatial_scale", &RoiAlign::spatial_scale, "from the regions' coordinates to those of X")};
  }
  static constexpr Input inputs[] = {{"X", "[batch, channels, height, width]"},
                                     {"rois", "[regions, 4] as x1, y1, x2, y2"},
                                     {"batch_indices", "the image of each region"}};
  static constexpr std::string_view outputs[] = {"Y"};
  static constexpr OpInfo info{.name = "RoiAlign", .doc = "pools regions of images to one size", .since = 16};
  static constexpr NotDifferentiable vjp{
      "it is there to run detectors: the gradient, a scatter of its samples' weights, has no kernel"};
  void infer(InferContext&) const;
  void evaluate(EvalContext&) const;
  static std::vector<Sample> samples();
};

}  // namespace onemodel

#pragma once
// Elements by index along an axis, and the way back.

#include "ops/grad.h"
#include "ops/infer.h"
#include "ops/kernel.h"
#include "ops/op_list.h"

namespace onemodel {

/// data[…, indices, …]: the axis `axis` of data is replaced by the axes of indices (int32 or
/// int64), whose values are in
/// [-extent, extent).
/// Errors: at evaluation ShapeError naming an index out of range and the bound.
struct Gather {
  int64_t axis = 0;
  static constexpr auto fields() {
    return std::tuple{field("axis", &Gather::axis, "axis of data that the indices count along")};
  }
  static constexpr Input inputs[] = {{"data", "values"},
                                     {"indices", "positions along the axis; negative ones count from the end"}};
  static constexpr std::string_view outputs[] = {"output"};
  static constexpr OpInfo info{
      .name = "Gather", .doc = "picks entries along an axis by index", .since = 13, .takes_stored = true};
  void infer(InferContext&) const;
  void evaluate(EvalContext&) const;
  Gradients vjp(GradContext&) const;
  static std::vector<Sample> samples();
};

/// dX[shape] = the sum of dY at its indices: the gradient of Gather. Numeric dtypes.
struct GatherGradient {
  int64_t axis = 0;
  std::vector<int64_t> shape;
  static constexpr auto fields() {
    return std::tuple{field("axis", &GatherGradient::axis, "axis of dX that the indices count along"),
                      field("shape", &GatherGradient::shape, "extents of dX")};
  }
  static constexpr Input inputs[] = {{"dY", "gradient of the gathered tensor"},
                                     {"indices", "positions along the axis"}};
  static constexpr std::string_view outputs[] = {"dX"};
  static constexpr OpInfo info{.name = "GatherGradient",
                               .doc = "the gradient of Gather: sums rows at their indices",
                               .internal = true,
                               .untraceable = "it exists in gradients only"};
  void infer(InferContext&) const;
  void evaluate(EvalContext&) const;
  Gradients vjp(GradContext&) const;
  static std::vector<Sample> samples();
};

}  // namespace onemodel

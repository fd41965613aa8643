#pragma once
// Elements and runs by computed places: GatherElements, GatherND.

#include "ops/grad.h"
#include "ops/infer.h"
#include "ops/kernel.h"
#include "ops/op_list.h"

namespace onemodel {

/// output[i, j, k] = data[indices[i, j, k], j, k] for axis 0, and so for the others. indices (int32 or int64) have the
/// rank of data and off the axis no larger extents; the result has their shape. Errors: ranks and extents that do not
/// fit; at evaluation ShapeError naming an index out of range and the bound.
struct GatherElements {
  int64_t axis = 0;
  static constexpr auto fields() {
    return std::tuple{field("axis", &GatherElements::axis, "axis of data that the indices count along")};
  }
  static constexpr Input inputs[] = {
      {"data", "values"}, {"indices", "positions along the axis, one for each element; negative ones from the end"}};
  static constexpr std::string_view outputs[] = {"output"};
  static constexpr OpInfo info{.name = "GatherElements",
                               .doc = "picks one element along an axis for each index",
                               .since = 13,
                               .takes_stored = true};
  void infer(InferContext&) const;
  void evaluate(EvalContext&) const;
  Gradients vjp(GradContext&) const;
  static std::vector<Sample> samples();
};

/// output[b…, i…] = data[b…, indices[b…, i…, :]]: the last axis of indices (int64), of extent k, holds a place in the k
/// axes of data after the `batch_dims` first, which both share; the axes after these stay. Errors: ranks and extents
/// that do not fit; at evaluation ShapeError naming an index out of range and the bound.
struct GatherND {
  int64_t batch_dims = 0;
  static constexpr auto fields() {
    return std::tuple{field("batch_dims", &GatherND::batch_dims, "leading axes that data and indices share")};
  }
  static constexpr Input inputs[] = {{"data", "values"},
                                     {"indices", "places, along the last axis; negative indices from the end"}};
  static constexpr std::string_view outputs[] = {"output"};
  static constexpr OpInfo info{
      .name = "GatherND", .doc = "picks elements or slices by places", .since = 13, .takes_stored = true};
  void infer(InferContext&) const;
  void evaluate(EvalContext&) const;
  Gradients vjp(GradContext&) const;
  static std::vector<Sample> samples();
};

/// Checks operands data (0) and indices (1) of GatherElements and ScatterElements.
void check_element_indices(const InferContext& context, int64_t axis);
/// The shape that indices (1) pick of data (0); checks ranks and extents.
Shape picked_shape(const InferContext& context, int64_t batch_dims);

}  // namespace onemodel

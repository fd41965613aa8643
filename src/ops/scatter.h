#pragma once
// Writing at computed places: ScatterElements, ScatterND.

#include <string>

#include "ops/grad.h"
#include "ops/infer.h"
#include "ops/kernel.h"
#include "ops/op_list.h"

namespace onemodel {

/// data, but at [indices[i, j, k], j, k] (for axis 0, and so for the others) updates[i, j, k]: `reduction` none
/// overwrites, of repeated places the last wins (the gradient counts on none being repeated); add, mul, min and max join it with what is there. indices (int32 or
/// int64) and updates have one shape, of data's rank and off the axis no larger. Errors: shapes, dtypes and an unknown
/// reduction; at evaluation ShapeError naming an index out of range and the bound.
struct ScatterElements {
  int64_t axis = 0;
  std::string reduction = "none";
  static constexpr auto fields() {
    return std::tuple{field("axis", &ScatterElements::axis, "axis of data that the indices count along"),
                      field("reduction", &ScatterElements::reduction, "none, add, mul, min or max")};
  }
  static constexpr Input inputs[] = {{"data", "values"},
                                     {"indices", "positions along the axis; negative ones from the end"},
                                     {"updates", "values to write, one for each index"}};
  static constexpr std::string_view outputs[] = {"output"};
  static constexpr OpInfo info{
      .name = "ScatterElements",
      .doc = "writes one element along an axis for each index; equals share the gradient of min and max evenly",
      .since = 18,
      .takes_stored = true};
  void infer(InferContext&) const;
  void evaluate(EvalContext&) const;
  Gradients vjp(GradContext&) const;
  static std::vector<Sample> samples();
};

/// data, but at the places indices[i…, :] (int64) updates[i…], as above. The last axis of indices, of extent k, holds
/// a place in the k first axes of data; updates[i…] has the axes after these.
struct ScatterND {
  std::string reduction = "none";
  static constexpr auto fields() {
    return std::tuple{field("reduction", &ScatterND::reduction, "none, add, mul, min or max")};
  }
  static constexpr Input inputs[] = {{"data", "values"},
                                     {"indices", "places, along the last axis; negative indices from the end"},
                                     {"updates", "values to write, a slice for each place"}};
  static constexpr std::string_view outputs[] = {"output"};
  static constexpr OpInfo info{
      .name = "ScatterND",
      .doc = "writes elements or slices at places; equals share the gradient of min and max evenly",
      .since = 18,
      .takes_stored = true};
  void infer(InferContext&) const;
  void evaluate(EvalContext&) const;
  Gradients vjp(GradContext&) const;
  static std::vector<Sample> samples();
};

/// Calls `f`; errors get `op_name` before the message.
template <class F>
void with_op_name(std::string_view op_name, const F& f) {
  try {
    f();
  } catch (Error& error) {
    error.add_context(op_name);
    throw;
  }
}

}  // namespace onemodel

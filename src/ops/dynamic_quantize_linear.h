#pragma once
// DynamicQuantizeLinear: quantisation to the range that the values have.

#include "ops/grad.h"
#include "ops/infer.h"
#include "ops/kernel.h"
#include "ops/op_list.h"

namespace onemodel {

/// x as uint8, with the scale (max - min) / 255 and the zero point saturate(round(-min / scale)), where max and min are
/// those of x and 0. Where both are 0, as for an empty x, the scale is 1; with a NaN in x it is NaN, and all integers
/// are 0. Dtypes: float32 and float64; the scale has that of x.
struct DynamicQuantizeLinear {
  static constexpr auto fields() { return std::tuple{}; }
  static constexpr Input inputs[] = {{"x", "values"}};
  static constexpr std::string_view outputs[] = {"y", "y_scale", "y_zero_point"};
  static constexpr OpInfo info{.name = "DynamicQuantizeLinear",
                               .doc = "x as uint8, with the scale and zero point of its own range",
                               .since = 11};
  void infer(InferContext&) const;
  void evaluate(EvalContext&) const;
  static constexpr NotDifferentiable vjp{"the integers are a step function, and the scale is nothing without them"};
  static std::vector<Sample> samples();
};

}  // namespace onemodel

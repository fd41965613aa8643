#pragma once
// PRelu: a rectifier with a given slope.

#include "ops/grad.h"
#include "ops/infer.h"
#include "ops/kernel.h"
#include "ops/op_list.h"

namespace onemodel {

/// X where X >= 0, else slope * X; slope broadcasts to X's shape. Both of one numeric dtype.
/// Errors: different dtypes, a slope that does not broadcast to X.
struct PRelu {
  static constexpr auto fields() { return std::tuple{}; }
  static constexpr Input inputs[] = {{"X", "values"}, {"slope", "factor of negative values"}};
  static constexpr std::string_view outputs[] = {"Y"};
  static constexpr OpInfo info{.name = "PRelu", .doc = "x >= 0 ? x : slope x", .since = 16, .strided = true};
  void infer(InferContext&) const;
  void evaluate(EvalContext&) const;
  Gradients vjp(GradContext&) const;
  static std::vector<Sample> samples();
};

}  // namespace onemodel

#pragma once
// Running sums: CumSum.

#include "ops/grad.h"
#include "ops/infer.h"
#include "ops/kernel.h"
#include "ops/op_list.h"

namespace onemodel {

/// y[i] = x[0] + … + x[i] along the axis, one int64 or int32 in [-rank, rank); without x[i] when `exclusive`, from the
/// end when `reverse`. Shape and dtype of x; numeric dtypes.
/// Errors: an axis out of range, at evaluation when it was not known before.
struct CumSum {
  bool exclusive = false;
  bool reverse = false;
  static constexpr auto fields() {
    return std::tuple{field("exclusive", &CumSum::exclusive, "each sum leaves its own element out"),
                      field("reverse", &CumSum::reverse, "sums go from the end")};
  }
  static constexpr Input inputs[] = {{"x", "values of rank 1 or more"},
                                     {"axis", "axis to sum along", Input::required, true}};
  static constexpr std::string_view outputs[] = {"y"};
  static constexpr OpInfo info{.name = "CumSum", .doc = "running sums along an axis; integers wrap", .since = 14};
  void infer(InferContext&) const;
  void evaluate(EvalContext&) const;
  Gradients vjp(GradContext&) const;
  static std::vector<Sample> samples();
};

}  // namespace onemodel

#pragma once
// Scaling to a norm or to mean and variance, as formulas: LpNormalization, MeanVarianceNormalization.

#include "ops/grad.h"
#include "ops/infer.h"
#include "ops/kernel.h"
#include "ops/op_list.h"

namespace onemodel {

/// input / its norm along `axis`: the sum of magnitudes (`p` 1) or the square root of the sum of squares (2). A line
/// of zeros stays. Floating dtypes.
struct LpNormalization {
  int64_t axis = -1;
  int64_t p = 2;
  static constexpr auto fields() {
    return std::tuple{field("axis", &LpNormalization::axis, "axis to normalise"),
                      field("p", &LpNormalization::p, "which norm, 1 or 2")};
  }
  static constexpr Input inputs[] = {{"input", "values of rank 1 or more"}};
  static constexpr std::string_view outputs[] = {"output"};
  static constexpr OpInfo info{
      .name = "LpNormalization", .doc = "values divided by their norm along an axis; zeros stay", .since = 1};
  void infer(InferContext&) const;
  void evaluate(EvalContext&) const;
  Gradients vjp(GradContext&) const;
  static std::vector<Sample> samples();
};

/// (X - mean) / (standard deviation + 1e-9) over `axes`, which may be negative. Floating dtypes.
/// Errors: an axis out of range or named twice.
struct MeanVarianceNormalization {
  std::vector<int64_t> axes = {0, 2, 3};
  static constexpr auto fields() {
    return std::tuple{field("axes", &MeanVarianceNormalization::axes, "axes that share a mean and a variance")};
  }
  static constexpr Input inputs[] = {{"X", "values"}};
  static constexpr std::string_view outputs[] = {"Y"};
  static constexpr OpInfo info{
      .name = "MeanVarianceNormalization", .doc = "values scaled to mean 0 and variance 1 over axes", .since = 13};
  void infer(InferContext&) const;
  void evaluate(EvalContext&) const;
  Gradients vjp(GradContext&) const;
  static std::vector<Sample> samples();
};

}  // namespace onemodel

#pragma once
// Det: determinants, and their gradient.

#include "ops/grad.h"
#include "ops/infer.h"
#include "ops/kernel.h"
#include "ops/op_list.h"

namespace onemodel {

/// X[…, n, n] gives the determinants […], computed in float64; 1 for n = 0. Floating dtypes.
struct Det {
  static constexpr auto fields() { return std::tuple{}; }
  static constexpr Input inputs[] = {{"X", "square matrices"}};
  static constexpr std::string_view outputs[] = {"Y"};
  static constexpr OpInfo info{.name = "Det", .doc = "determinants of square matrices", .since = 11};
  void infer(InferContext&) const;
  void evaluate(EvalContext&) const;
  Gradients vjp(GradContext&) const;
  static std::vector<Sample> samples();
};

/// The derivatives of the determinants of X[…, n, n] by each element; also where X is singular. Floating dtypes.
struct Cofactors {
  static constexpr auto fields() { return std::tuple{}; }
  static constexpr Input inputs[] = {{"X", "square matrices"}};
  static constexpr std::string_view outputs[] = {"Y"};
  static constexpr OpInfo info{.name = "Cofactors",
                               .doc = "derivatives of determinants by each element",
                               .internal = true,
                               .untraceable = "it computes a gradient"};
  static constexpr NotDifferentiable vjp{"second derivatives of determinants are not implemented"};
  void infer(InferContext&) const;
  void evaluate(EvalContext&) const;
  static std::vector<Sample> samples();
};

}  // namespace onemodel

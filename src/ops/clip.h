#pragma once
// Clip: bounds each element.

#include "ops/grad.h"
#include "ops/infer.h"
#include "ops/kernel.h"
#include "ops/op_list.h"

namespace onemodel {

/// min(max(x, min), max) as numpy: `max` where min > max. The bounds are single elements of x's
/// dtype; an absent one is the dtype's lowest or largest number, so that infinities become finite. Numeric dtypes.
struct Clip {
  /// Whether the gradient stops at the bounds too, as PyTorch's hardtanh does. Of no concern to values, so no attribute.
  bool is_open = false;
  static constexpr Input inputs[] = {{"input", "values"},
                                     {"min", "lower bound, one element", Input::optional},
                                     {"max", "upper bound, one element", Input::optional}};
  static constexpr std::string_view outputs[] = {"output"};
  static constexpr auto fields() { return std::tuple{}; }
  static constexpr OpInfo info{.name = "Clip",
                               .doc = "min(max(x, min), max); the gradient passes where min <= x <= max",
                               .since = 13,
                               .strided = true};
  void infer(InferContext& context) const;
  void evaluate(EvalContext& context) const;
  static std::span<const FastKernel<Clip>> fast_kernels();
  Gradients vjp(GradContext&) const;
  static std::vector<Sample> samples();
};

}  // namespace onemodel

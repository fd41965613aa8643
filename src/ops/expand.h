#pragma once
// Broadcasting to a given shape.

#include "ops/grad.h"
#include "ops/infer.h"
#include "ops/kernel.h"
#include "ops/op_list.h"

namespace onemodel {

/// input repeated to the numpy broadcast of its shape and shape[n] (int64); eager results share
/// storage. Errors: shapes that do not broadcast, negative extents.
struct Expand {
  static constexpr auto fields() { return std::tuple{}; }
  static constexpr Input inputs[] = {{"input", "values"},
                                     {"shape", "extents to broadcast with", Input::required, true}};
  static constexpr std::string_view outputs[] = {"output"};
  static constexpr OpInfo info{.name = "Expand",
                               .doc = "broadcasts to a shape",
                               .since = 13,
                               .takes_stored = true,
                               .shape_operand = 1,
                               .strided = true};
  void infer(InferContext&) const;
  void evaluate(EvalContext&) const;
  Tensor view(std::span<const Tensor> inputs) const;
  Gradients vjp(GradContext&) const;
  static std::vector<Sample> samples();
};

}  // namespace onemodel

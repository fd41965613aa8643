#pragma once
// Sums of products by an equation over named axes.

#include <string>

#include "ops/grad.h"
#include "ops/infer.h"
#include "ops/kernel.h"
#include "ops/op_list.h"

namespace onemodel {

/// The products of elements of all operands, summed over the axes that `equation` ("bij,bjk->bik") names before its
/// arrow only; a letter names one axis of each operand that has it, or twice in one operand its diagonal. Axes under
/// an ellipsis are aligned at the end and broadcast. Without an arrow the letters that occur once are the output's, in
/// alphabetical order. Computed two operands at a time from the left, as matrix products. One numeric dtype; shorter
/// integers wrap. Errors: an equation that is malformed or does not fit the ranks, a letter with two extents.
struct Einsum {
  std::string equation;
  static constexpr auto fields() {
    return std::tuple{required_field("equation", &Einsum::equation, "axes of the operands and of the result")};
  }
  static constexpr Input inputs[] = {{"Inputs", "operands of the equation", Input::variadic}};
  static constexpr std::string_view outputs[] = {"Output"};
  static constexpr OpInfo info{
      .name = "Einsum", .doc = "sums of products by an equation over named axes", .since = 12, .strided = true};
  void infer(InferContext&) const;
  void evaluate(EvalContext&) const;
  Gradients vjp(GradContext&) const;
  static std::vector<Sample> samples();
};

}  // namespace onemodel

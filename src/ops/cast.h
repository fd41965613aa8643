#pragma once
// Conversion of element types.

#include "ops/grad.h"
#include "ops/infer.h"
#include "ops/kernel.h"
#include "ops/op_list.h"

namespace onemodel {

/// input as dtype `to`, as by `convert` of core/dtype.h: floats truncate and saturate to integers,
/// NaN becomes 0, and anything to bool is `!= 0`. The gradient is cast back; from or to another
/// than a floating dtype it has none. Errors: a `to` that is absent or not an element type here.
struct Cast {
  DType to = DType::undefined;
  bool saturate = true;
  static constexpr auto fields() {
    return std::tuple{field("to", &Cast::to, "the new element type"),
                      field("saturate", &Cast::saturate, "for 8-bit floats in ONNX; without effect here")};
  }
  static constexpr Input inputs[] = {{"input", "values"}};
  static constexpr std::string_view outputs[] = {"output"};
  static constexpr OpInfo info{.name = "Cast", .doc = "converts to another element type", .since = 19, .strided = true};
  void infer(InferContext&) const;
  void evaluate(EvalContext&) const;
  Gradients vjp(GradContext&) const;
  static std::vector<Sample> samples();
};

}  // namespace onemodel

#pragma once
// Conversion of element types.

#include <optional>
#include <string>

#include "ops/grad.h"
#include "ops/infer.h"
#include "ops/kernel.h"
#include "ops/op_list.h"

namespace onemodel {

/// input as dtype `to`, as by `convert` of core/dtype.h: floats truncate and saturate to integers,
/// NaN becomes 0, and anything to bool is `!= 0`. Strings and numbers of at most 8 bits as by
/// convert_elements of core/convert.h. The gradient is cast back; from or to another than a floating
/// dtype of 16 bits or more it has none. Errors: a `to` that is absent or not an element type here, a
/// string that is no number.
struct Cast {
  DType to = DType::undefined;
  bool saturate = true;
  std::optional<std::string> round_mode;
  static constexpr auto fields() {
    return std::tuple{field("to", &Cast::to, "the new element type"),
                      field("saturate", &Cast::saturate, "to 8-bit floats: out of range becomes the largest number"),
                      field("round_mode", &Cast::round_mode, "to float8e8m0: up, down or nearest; up when absent")};
  }
  static constexpr Input inputs[] = {{"input", "values"}};
  static constexpr std::string_view outputs[] = {"output"};
  static constexpr OpInfo info{
      .name = "Cast", .doc = "converts to another element type", .since = 19, .takes_stored = true, .strided = true};
  void infer(InferContext&) const;
  void evaluate(EvalContext&) const;
  Gradients vjp(GradContext&) const;
  static std::vector<Sample> samples();
};

}  // namespace onemodel

#pragma once
// Counting: Range, Size.

#include "ops/grad.h"
#include "ops/infer.h"
#include "ops/kernel.h"
#include "ops/op_list.h"

namespace onemodel {

/// start, start + delta, … before limit: max(0, ceil((limit - start) / delta)) elements. Three single elements of one
/// dtype: float32, float64, int16, int32 or int64. Errors: a delta of 0; while tracing, a length that only values tell.
struct Range {
  static constexpr auto fields() { return std::tuple{}; }
  static constexpr Input inputs[] = {{"start", "first element", Input::required, true},
                                     {"limit", "value to stop before", Input::required, true},
                                     {"delta", "distance, not 0", Input::required, true}};
  static constexpr std::string_view outputs[] = {"output"};
  static constexpr OpInfo info{.name = "Range", .doc = "numbers at equal distances", .since = 11};
  void infer(InferContext&) const;
  void evaluate(EvalContext&) const;
  Gradients vjp(GradContext&) const;
  static std::vector<Sample> samples();
};

/// The number of elements, an int64 scalar.
struct Size {
  static constexpr auto fields() { return std::tuple{}; }
  static constexpr Input inputs[] = {{"data", "any tensor"}};
  static constexpr std::string_view outputs[] = {"size"};
  static constexpr OpInfo info{
      .name = "Size", .doc = "the number of elements as int64", .since = 19, .takes_stored = true, .strided = true};
  static constexpr NotDifferentiable vjp{"a size does not depend on values"};
  void infer(InferContext&) const;
  void evaluate(EvalContext&) const;
  static std::vector<Sample> samples();
};

}  // namespace onemodel

#pragma once
// QuantizeLinear and DequantizeLinear: floating numbers as small integers with a scale and a zero point.

#include <optional>

#include "ops/grad.h"
#include "ops/infer.h"
#include "ops/kernel.h"
#include "ops/op_list.h"

namespace onemodel {

/// saturate(round(x / y_scale) + y_zero_point), rounded to nearest, halves to even; a NaN quotient gives the zero
/// point. y_scale has one number; or one for each place along `axis`, as a list; or with `block_size` B the shape of x
/// but for ceil(extent / B) along `axis`. y_zero_point has its shape, and the dtype of the result: int8, uint8, int16,
/// uint16, a type of 2 or 4 bits or an 8-bit float but float8e8m0; without it that is `output_dtype`, or uint8. Floats are
/// x / y_scale as by Cast, with `saturate`, and have 0 for y_zero_point. Dtypes of x: floating and int32; of y_scale:
/// floating and float8e8m0. x and y_scale are divided in the dtype `precision`, by default that of y_scale, or float32.
struct QuantizeLinear {
  int64_t axis = 1;
  std::optional<int64_t> block_size;
  DType output_dtype = DType::undefined, precision = DType::undefined;
  bool saturate = true;
  static constexpr auto fields() {
    return std::tuple{
        field("axis", &QuantizeLinear::axis, "axis of the scales, when there is more than one"),
        field("block_size", &QuantizeLinear::block_size,
              "places along the axis that share a scale; absent or 0 without blocks"),
        field("output_dtype", &QuantizeLinear::output_dtype,
              "element type of the result; default that of y_zero_point"),
        field("precision", &QuantizeLinear::precision, "element type of the quotient; default that of y_scale"),
        field("saturate", &QuantizeLinear::saturate, "to 8-bit floats: out of range becomes the largest number")};
  }
  static constexpr Input inputs[] = {{"x", "values"},
                                     {"y_scale", "the step between two integers"},
                                     {"y_zero_point", "the integer that stands for 0", Input::optional}};
  static constexpr std::string_view outputs[] = {"y"};
  static constexpr OpInfo info{.name = "QuantizeLinear",
                               .doc = "saturate(round(x / y_scale) + y_zero_point), halves rounded to even",
                               .since = 25,
                               .takes_stored = true};
  void infer(InferContext&) const;
  void evaluate(EvalContext&) const;
  static constexpr NotDifferentiable vjp{
      "a step function, whose derivative is 0 wherever it has one; passing the gradient straight through is a rule for "
      "training, not a derivative"};
  static std::vector<Sample> samples();
};

/// (x - x_zero_point) * x_scale, with scales and zero points as in QuantizeLinear. Dtypes of x: its results, and int32,
/// whose difference wraps; x_zero_point has it too. The result has the dtype of x_scale, or `output_dtype`, which is needed
/// when that is float8e8m0: floating; 16-bit ones are rounded once. The gradient by x_scale sums over what shares a scale;
/// integers have none.
struct DequantizeLinear {
  int64_t axis = 1;
  std::optional<int64_t> block_size;
  DType output_dtype = DType::undefined;
  static constexpr auto fields() {
    return std::tuple{
        field("axis", &DequantizeLinear::axis, "axis of the scales, when there is more than one"),
        field("block_size", &DequantizeLinear::block_size,
              "places along the axis that share a scale; absent or 0 without blocks"),
        field("output_dtype", &DequantizeLinear::output_dtype, "element type of the result; default that of x_scale")};
  }
  static constexpr Input inputs[] = {{"x", "integers"},
                                     {"x_scale", "the step between two integers"},
                                     {"x_zero_point", "the integer that stands for 0", Input::optional}};
  static constexpr std::string_view outputs[] = {"y"};
  static constexpr OpInfo info{
      .name = "DequantizeLinear", .doc = "(x - x_zero_point) * x_scale", .since = 25, .takes_stored = true};
  void infer(InferContext&) const;
  void evaluate(EvalContext&) const;
  Gradients vjp(GradContext&) const;
  static std::vector<Sample> samples();
};

}  // namespace onemodel

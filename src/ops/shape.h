#pragma once
// Shapes as values, and values from shapes: what graphs compute sizes with.

#include "ops/grad.h"
#include "ops/infer.h"
#include "ops/kernel.h"
#include "ops/op_list.h"

namespace onemodel {

/// ONNX's Shape: the extents of data from `start` to before `end` (both clamped, negative ones from
/// the end) as int64.
struct ShapeOf {
  int64_t start = 0;
  std::optional<int64_t> end;
  static constexpr auto fields() {
    return std::tuple{field("start", &ShapeOf::start, "first axis"),
                      field("end", &ShapeOf::end, "axis to stop before; all when absent")};
  }
  static constexpr Input inputs[] = {{"data", "any tensor"}};
  static constexpr std::string_view outputs[] = {"shape"};
  static constexpr OpInfo info{
      .name = "Shape", .doc = "the extents of a tensor as int64", .since = 19, .takes_stored = true, .strided = true};
  static constexpr NotDifferentiable vjp{"a shape does not depend on values"};
  void infer(InferContext&) const;
  void evaluate(EvalContext&) const;
  static std::vector<Sample> samples();
};

/// A tensor of shape input[n] (int64) with every element `value`, one element of any dtype; float32
/// 0 without it. Errors: negative extents; a value of more than one element.
struct ConstantOfShape {
  Tensor value;
  static constexpr auto fields() {
    return std::tuple{field("value", &ConstantOfShape::value, "the element; float32 0 when absent")};
  }
  static constexpr Input inputs[] = {{"input", "extents", Input::required, true}};
  static constexpr std::string_view outputs[] = {"output"};
  static constexpr OpInfo info{.name = "ConstantOfShape",
                               .doc = "a tensor of a given shape with one value throughout",
                               .since = 20,
                               .shape_operand = 0};
  static constexpr NotDifferentiable vjp{"the result is constant"};
  void infer(InferContext&) const;
  void evaluate(EvalContext&) const;
  static std::vector<Sample> samples();
};

/// The tensor of its one attribute.
/// Errors: no attribute, or more than one.
struct Constant {
  Tensor value;
  std::optional<int64_t> value_int;
  std::optional<std::vector<int64_t>> value_ints;
  std::optional<float> value_float;
  std::optional<std::vector<double>> value_floats;
  static constexpr auto fields() {
    return std::tuple{field("value", &Constant::value, "a tensor"),
                      field("value_int", &Constant::value_int, "an int64 scalar"),
                      field("value_ints", &Constant::value_ints, "a list of int64"),
                      field("value_float", &Constant::value_float, "a float32 scalar"),
                      field("value_floats", &Constant::value_floats, "a list of float32")};
  }
  static constexpr std::array<Input, 0> inputs{};
  static constexpr std::string_view outputs[] = {"output"};
  static constexpr OpInfo info{.name = "Constant", .doc = "a tensor given as attribute", .since = 19};
  static constexpr NotDifferentiable vjp{"the result is constant"};
  void infer(InferContext&) const;
  void evaluate(EvalContext&) const;
  static std::vector<Sample> samples();

  /// The value whichever attribute holds it; undefined without any.
  Tensor tensor() const;
};

}  // namespace onemodel

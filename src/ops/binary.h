#pragma once
// Element-wise arithmetic of two inputs with numpy broadcasting.

#include "kernels/portable/elementwise.h"
#include "kernels/xnn/elementwise.h"
#include "ops/grad.h"
#include "ops/infer.h"
#include "ops/kernel.h"
#include "ops/op_list.h"
#include "ops/shape_data.h"

namespace onemodel {

/// What the four with two inputs of one numeric dtype share. T has `kPortable`, `kFast` and
/// `kShapeArithmetic`.
template <class T>
struct ElementwiseBinary {
  static constexpr Input inputs[] = {{"A", "left operand"}, {"B", "right operand"}};
  static constexpr std::string_view outputs[] = {"C"};
  static constexpr auto fields() { return std::tuple{}; }

  void infer(InferContext& context) const;
  void evaluate(EvalContext& context) const;
  static std::span<const FastKernel<T>> fast_kernels();
  static std::vector<Sample> samples();
};

struct Add : ElementwiseBinary<Add> {
  static constexpr OpInfo info{.name = "Add", .doc = "a + b; integers wrap", .since = 14, .strided = true};
  static constexpr auto kPortable = kernels::Binary::add;
  static constexpr auto kFast = kernels::xnn::Binary::add;
  static constexpr auto kShapeArithmetic = ShapeArithmetic::add;
  Gradients vjp(GradContext&) const;
};

struct Sub : ElementwiseBinary<Sub> {
  static constexpr OpInfo info{.name = "Sub", .doc = "a - b; integers wrap", .since = 14, .strided = true};
  static constexpr auto kPortable = kernels::Binary::sub;
  static constexpr auto kFast = kernels::xnn::Binary::sub;
  static constexpr auto kShapeArithmetic = ShapeArithmetic::sub;
  Gradients vjp(GradContext&) const;
};

struct Mul : ElementwiseBinary<Mul> {
  static constexpr OpInfo info{.name = "Mul", .doc = "a * b; integers wrap", .since = 14, .strided = true};
  static constexpr auto kPortable = kernels::Binary::mul;
  static constexpr auto kFast = kernels::xnn::Binary::mul;
  static constexpr auto kShapeArithmetic = ShapeArithmetic::mul;
  Gradients vjp(GradContext&) const;
};

struct Div : ElementwiseBinary<Div> {
  static constexpr OpInfo info{
      .name = "Div", .doc = "a / b; integers truncate toward 0, and n / 0 is 0", .since = 14, .strided = true};
  static constexpr auto kPortable = kernels::Binary::div;
  static constexpr auto kFast = kernels::xnn::Binary::div;
  static constexpr auto kShapeArithmetic = ShapeArithmetic::div;
  Gradients vjp(GradContext&) const;
};

/// The exponent may have any numeric dtype; the result has the base's.
struct Pow {
  static constexpr Input inputs[] = {{"X", "base"}, {"Y", "exponent, of any numeric dtype"}};
  static constexpr std::string_view outputs[] = {"Z"};
  static constexpr auto fields() { return std::tuple{}; }
  static constexpr OpInfo info{
      .name = "Pow", .doc = "x to the power of y, in the dtype of x", .since = 15, .strided = true};
  void infer(InferContext& context) const;
  void evaluate(EvalContext& context) const;
  static std::span<const FastKernel<Pow>> fast_kernels();
  Gradients vjp(GradContext&) const;
  static std::vector<Sample> samples();
};

}  // namespace onemodel

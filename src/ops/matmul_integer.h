#pragma once
// Products of matrices of 8-bit integers: MatMulInteger, QLinearMatMul, and the latter with a bias.

#include "ops/grad.h"
#include "ops/infer.h"
#include "ops/kernel.h"
#include "ops/op_list.h"

namespace onemodel {

/// (A - a_zero_point) (B - b_zero_point) as int32, which wraps; shapes as in MatMul. A and B are int8 or uint8, each
/// with its zero points: one number; or for A [m] or [..., m, 1], one for each row, and for B [n] or [..., 1, n], one
/// for each column.
struct MatMulInteger {
  static constexpr auto fields() { return std::tuple{}; }
  static constexpr Input inputs[] = {{"A", "[..., m, k] or [k]"},
                                     {"B", "[..., k, n] or [k]"},
                                     {"a_zero_point", "of A, or of each of its rows", Input::optional},
                                     {"b_zero_point", "of B, or of each of its columns", Input::optional}};
  static constexpr std::string_view outputs[] = {"Y"};
  static constexpr OpInfo info{
      .name = "MatMulInteger", .doc = "matrix product of 8-bit integers less their zero points, as int32", .since = 10};
  void infer(InferContext&) const;
  void evaluate(EvalContext&) const;
  static std::span<const FastKernel<MatMulInteger>> fast_kernels();
  static constexpr NotDifferentiable vjp{"integers are not smooth"};
  static std::vector<Sample> samples();
};

/// saturate(round(s * (a_scale * b_scale / y_scale)) + y_zero_point), computed in float32 and rounded to nearest, halves
/// to even, where s is the result of MatMulInteger. Scales are floating and shaped like the zero points beside them; y
/// has one. The result has the dtype of y_zero_point, int8 or uint8.
struct QLinearMatMul {
  static constexpr auto fields() { return std::tuple{}; }
  static constexpr Input inputs[] = {{"a", "[..., m, k] or [k]"},
                                     {"a_scale", "of a, or of each of its rows"},
                                     {"a_zero_point", "of a, or of each of its rows"},
                                     {"b", "[..., k, n] or [k]"},
                                     {"b_scale", "of b, or of each of its columns"},
                                     {"b_zero_point", "of b, or of each of its columns"},
                                     {"y_scale", "of the result"},
                                     {"y_zero_point", "of the result"}};
  static constexpr std::string_view outputs[] = {"y"};
  static constexpr OpInfo info{
      .name = "QLinearMatMul", .doc = "matrix product of quantised numbers, quantised", .since = 21};
  void infer(InferContext&) const;
  void evaluate(EvalContext&) const;
  static std::span<const FastKernel<QLinearMatMul>> fast_kernels();
  static constexpr NotDifferentiable vjp{"integers are not smooth"};
  static std::vector<Sample> samples();
};

/// QLinearMatMul of s + bias; bias is int32, one number for each column, in steps of a_scale * b_scale.
struct FusedQLinearMatMul {
  static constexpr auto fields() { return std::tuple{}; }
  static constexpr Input inputs[] = {{"a", "[..., m, k] or [k]"},
                                     {"a_scale", "of a, or of each of its rows"},
                                     {"a_zero_point", "of a, or of each of its rows"},
                                     {"b", "[..., k, n] or [k]"},
                                     {"b_scale", "of b, or of each of its columns"},
                                     {"b_zero_point", "of b, or of each of its columns"},
                                     {"y_scale", "of the result"},
                                     {"y_zero_point", "of the result"},
                                     {"bias", "[n], added before the result is quantised"}};
  static constexpr std::string_view outputs[] = {"y"};
  static constexpr OpInfo info{.name = "FusedQLinearMatMul",
                               .doc = "quantised matrix product plus a bias for each column",
                               .internal = true,
                               .untraceable = "graph passes make it"};
  void infer(InferContext&) const;
  void evaluate(EvalContext&) const;
  static std::span<const FastKernel<FusedQLinearMatMul>> fast_kernels();
  static constexpr NotDifferentiable vjp{"integers are not smooth"};
  static std::vector<Sample> samples();
};

}  // namespace onemodel

#pragma once
// Comparisons, logic, and selection by condition; all with numpy broadcasting.

#include "kernels/portable/elementwise.h"
#include "ops/grad.h"
#include "ops/infer.h"
#include "ops/kernel.h"
#include "ops/op_list.h"

namespace onemodel {

/// X where condition (bool) holds, else Y; X and Y have one dtype.
struct Where {
  static constexpr auto fields() { return std::tuple{}; }
  static constexpr Input inputs[] = {
      {"condition", "bool"}, {"X", "values where it is true"}, {"Y", "values where it is false"}};
  static constexpr std::string_view outputs[] = {"output"};
  static constexpr OpInfo info{.name = "Where",
                               .doc = "X where the condition is true, else Y",
                               .since = 16,
                               .takes_stored = true,
                               .strided = true};
  void infer(InferContext&) const;
  void evaluate(EvalContext&) const;
  Gradients vjp(GradContext&) const;
  static std::vector<Sample> samples();
};

/// What comparisons share: bool from A and B of one dtype, false beside NaN. T has `kCompare`.
template <class T>
struct Comparison {
  static constexpr auto fields() { return std::tuple{}; }
  static constexpr Input inputs[] = {{"A", "left values"}, {"B", "right values"}};
  static constexpr std::string_view outputs[] = {"C"};
  static constexpr NotDifferentiable vjp{"a truth value is not smooth"};
  static constexpr bool kNumericOnly = true;
  void infer(InferContext&) const;
  void evaluate(EvalContext&) const;
  static std::vector<Sample> samples();
};

/// A = B, of any dtype.
struct Equal : Comparison<Equal> {
  static constexpr OpInfo info{.name = "Equal", .doc = "A = B", .since = 19, .takes_stored = true, .strided = true};
  static constexpr auto kCompare = kernels::Compare::equal;
  static constexpr bool kNumericOnly = false;
};
/// A < B.
struct Less : Comparison<Less> {
  static constexpr OpInfo info{.name = "Less", .doc = "A < B", .since = 13, .strided = true};
  static constexpr auto kCompare = kernels::Compare::less;
};
/// A <= B.
struct LessOrEqual : Comparison<LessOrEqual> {
  static constexpr OpInfo info{.name = "LessOrEqual", .doc = "A <= B", .since = 16, .strided = true};
  static constexpr auto kCompare = kernels::Compare::less_or_equal;
};
/// A > B.
struct Greater : Comparison<Greater> {
  static constexpr OpInfo info{.name = "Greater", .doc = "A > B", .since = 13, .strided = true};
  static constexpr auto kCompare = kernels::Compare::greater;
};
/// A >= B.
struct GreaterOrEqual : Comparison<GreaterOrEqual> {
  static constexpr OpInfo info{.name = "GreaterOrEqual", .doc = "A >= B", .since = 16, .strided = true};
  static constexpr auto kCompare = kernels::Compare::greater_or_equal;
};

/// What And and Or share: bool from bool. T has `kWhenTrue`, whether B decides where A is true.
template <class T>
struct Connective {
  static constexpr auto fields() { return std::tuple{}; }
  static constexpr Input inputs[] = {{"A", "left bool"}, {"B", "right bool"}};
  static constexpr std::string_view outputs[] = {"C"};
  static constexpr NotDifferentiable vjp{"a truth value is not smooth"};
  void infer(InferContext&) const;
  void evaluate(EvalContext&) const;
  static std::vector<Sample> samples();
};

/// A and B.
struct And : Connective<And> {
  static constexpr OpInfo info{.name = "And", .doc = "A and B", .since = 7, .strided = true};
  static constexpr bool kWhenTrue = true;
};
/// A or B.
struct Or : Connective<Or> {
  static constexpr OpInfo info{.name = "Or", .doc = "A or B", .since = 7, .strided = true};
  static constexpr bool kWhenTrue = false;
};

/// Either A or B, not both.
struct Xor {
  static constexpr auto fields() { return std::tuple{}; }
  static constexpr Input inputs[] = {{"A", "left bool"}, {"B", "right bool"}};
  static constexpr std::string_view outputs[] = {"C"};
  static constexpr OpInfo info{.name = "Xor", .doc = "either A or B", .since = 7, .strided = true};
  static constexpr NotDifferentiable vjp{"a truth value is not smooth"};
  void infer(InferContext&) const;
  void evaluate(EvalContext&) const;
  static std::vector<Sample> samples();
};

/// Which of X, floating, are NaN.
struct IsNaN {
  static constexpr auto fields() { return std::tuple{}; }
  static constexpr Input inputs[] = {{"X", "floating values"}};
  static constexpr std::string_view outputs[] = {"Y"};
  static constexpr OpInfo info{.name = "IsNaN", .doc = "whether X is NaN", .since = 20, .strided = true};
  static constexpr NotDifferentiable vjp{"a truth value is not smooth"};
  void infer(InferContext&) const;
  void evaluate(EvalContext&) const;
  static std::vector<Sample> samples();
};

/// Which of X, floating, are infinite, of the signs asked for.
struct IsInf {
  bool detect_negative = true, detect_positive = true;
  static constexpr auto fields() {
    return std::tuple{field("detect_negative", &IsInf::detect_negative, "minus infinity counts"),
                      field("detect_positive", &IsInf::detect_positive, "plus infinity counts")};
  }
  static constexpr Input inputs[] = {{"X", "floating values"}};
  static constexpr std::string_view outputs[] = {"Y"};
  static constexpr OpInfo info{.name = "IsInf", .doc = "whether X is infinite", .since = 20, .strided = true};
  static constexpr NotDifferentiable vjp{"a truth value is not smooth"};
  void infer(InferContext&) const;
  void evaluate(EvalContext&) const;
  static std::vector<Sample> samples();
};

/// not X, of bool.
struct Not {
  static constexpr auto fields() { return std::tuple{}; }
  static constexpr Input inputs[] = {{"X", "bool"}};
  static constexpr std::string_view outputs[] = {"Y"};
  static constexpr OpInfo info{.name = "Not", .doc = "not X", .since = 1, .strided = true};
  static constexpr NotDifferentiable vjp{"a truth value is not smooth"};
  void infer(InferContext&) const;
  void evaluate(EvalContext&) const;
  static std::vector<Sample> samples();
};

}  // namespace onemodel

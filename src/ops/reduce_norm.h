#pragma once
// Norms and logarithms of sums over axes: reductions of a function of each element.

#include "ops/grad.h"
#include "ops/infer.h"
#include "ops/kernel.h"
#include "ops/op_list.h"

namespace onemodel {

/// One reduction as a formula sees it.
struct ReductionAxes {
  std::vector<int64_t> axes;
  /// Over the axes, which stay with extent 1.
  Var sum(const Var& v) const;
  Var max(const Var& v) const;
};

/// What all of them share. `axes`, int64, may be negative; absent or empty it means all axes, or with
/// `noop_with_empty_axes` none: each element is reduced alone. The result has data's dtype, any numeric one. T has
/// `formula`, with the reduced axes kept, and `slope`, the derivative by each element.
template <class T>
struct NormReduction {
  static constexpr auto fields() {
    return std::tuple{
        field("keepdims", &T::keepdims, "reduced axes stay with extent 1"),
        field("noop_with_empty_axes", &T::noop_with_empty_axes, "without axes each element is reduced alone")};
  }
  static constexpr Input inputs[] = {{"data", "values"}, {"axes", "axes to reduce", Input::optional, true}};
  static constexpr std::string_view outputs[] = {"reduced"};
  void infer(InferContext&) const;
  void evaluate(EvalContext&) const;
  Gradients vjp(GradContext&) const;
  static std::vector<Sample> samples();
};

struct ReduceL1 : NormReduction<ReduceL1> {
  bool keepdims = true;
  bool noop_with_empty_axes = false;
  static constexpr OpInfo info{.name = "ReduceL1", .doc = "sum of magnitudes over axes", .since = 18, .strided = true};
  static Var formula(const Var& x, const ReductionAxes& axes);
  static Var slope(const Var& x, const Var& y, const ReductionAxes& axes);
};

struct ReduceL2 : NormReduction<ReduceL2> {
  bool keepdims = true;
  bool noop_with_empty_axes = false;
  static constexpr OpInfo info{.name = "ReduceL2",
                               .doc = "square root of the sum of squares over axes; the gradient at 0 is 0",
                               .since = 18,
                               .strided = true};
  static Var formula(const Var& x, const ReductionAxes& axes);
  static Var slope(const Var& x, const Var& y, const ReductionAxes& axes);
};

struct ReduceLogSum : NormReduction<ReduceLogSum> {
  bool keepdims = true;
  bool noop_with_empty_axes = false;
  static constexpr OpInfo info{
      .name = "ReduceLogSum", .doc = "logarithm of the sum over axes", .since = 18, .strided = true};
  static Var formula(const Var& x, const ReductionAxes& axes);
  static Var slope(const Var& x, const Var& y, const ReductionAxes& axes);
};

struct ReduceLogSumExp : NormReduction<ReduceLogSumExp> {
  bool keepdims = true;
  bool noop_with_empty_axes = false;
  static constexpr OpInfo info{.name = "ReduceLogSumExp",
                               .doc = "log(sum(exp(x))) over axes; the maximum is subtracted first",
                               .since = 18,
                               .strided = true};
  static Var formula(const Var& x, const ReductionAxes& axes);
  static Var slope(const Var& x, const Var& y, const ReductionAxes& axes);
};

struct ReduceSumSquare : NormReduction<ReduceSumSquare> {
  bool keepdims = true;
  bool noop_with_empty_axes = false;
  static constexpr OpInfo info{
      .name = "ReduceSumSquare", .doc = "sum of squares over axes; integers wrap", .since = 18, .strided = true};
  static Var formula(const Var& x, const ReductionAxes& axes);
  static Var slope(const Var& x, const Var& y, const ReductionAxes& axes);
};

}  // namespace onemodel

#include "ops/reduce_norm.h"

#include <limits>

#include "ops/declare.h"
#include "ops/formula.h"
#include "ops/reduce.h"
#include "ops/reduce_axes.h"
#include "ops/unary.h"

namespace onemodel {
Var ReductionAxes::sum(const Var& v) const { return reduce_sum(v, axes, true); }

Var ReductionAxes::max(const Var& v) const {
  return onemodel::apply(ReduceMax{.noop_with_empty_axes = true}, {v, ints_beside(v, axes)});
}

template <class T>
void NormReduction<T>::infer(InferContext& context) const {
  const T& op = static_cast<const T&>(*this);
  infer_reduction(context, op.keepdims, op.noop_with_empty_axes);
}

template <class T>
void NormReduction<T>::evaluate(EvalContext& context) const {
  const bool noop = static_cast<const T&>(*this).noop_with_empty_axes;
  const Tensor given = context.has(1) ? context.input(1) : Tensor();
  evaluate_formula(T::info.name, context, [&](std::span<const Var> inputs) {
    const Var& x = inputs[0];
    const ReductionAxes axes{reduced_axes(given, x.rank(), noop).vector()};
    return reshape(T::formula(x, axes), context.output().dims());
  });
}

template <class T>
Gradients NormReduction<T>::vjp(GradContext& context) const {
  const bool noop = static_cast<const T&>(*this).noop_with_empty_axes;
  const Reduced r = reduced(context, noop);
  return {r.g * T::slope(r.x, r.y, {r.axes})};
}

template <class T>
std::vector<Sample> NormReduction<T>::samples() {
  return reduction_samples(
      [](bool keepdims, bool noop) { return Op(T{.keepdims = keepdims, .noop_with_empty_axes = noop}); });
}

Var ReduceL1::formula(const Var& x, const ReductionAxes& axes) { return axes.sum(apply(Abs{}, {x})); }

Var ReduceL1::slope(const Var& x, const Var&, const ReductionAxes&) { return apply(Sign{}, {x}); }

Var ReduceL2::formula(const Var& x, const ReductionAxes& axes) {
  const Var wide = widen(x);
  return sqrt(axes.sum(wide * wide));
}

Var ReduceL2::slope(const Var& x, const Var& y, const ReductionAxes&) {
  const Var zero = y.constant(0);
  return where(equal(y, zero), zero, x / y);
}

Var ReduceLogSum::formula(const Var& x, const ReductionAxes& axes) { return log(axes.sum(widen(x))); }

Var ReduceLogSum::slope(const Var& x, const Var&, const ReductionAxes& axes) {
  return expand(x.constant(1) / axes.sum(x), x.dims());
}

Var ReduceLogSumExp::formula(const Var& x, const ReductionAxes& axes) {
  // An infinite maximum is not subtracted: infinity - infinity is NaN.
  const Var wide = widen(x), most = axes.max(wide);
  const Var infinity = most.constant(std::numeric_limits<double>::infinity());
  const Var shift = where(equal(apply(Abs{}, {most}), infinity), most.constant(0), most);
  return log(axes.sum(exp(wide - shift))) + shift;
}

Var ReduceLogSumExp::slope(const Var& x, const Var& y, const ReductionAxes&) { return exp(x - y); }

Var ReduceSumSquare::formula(const Var& x, const ReductionAxes& axes) {
  const Var wide = is_floating(x.dtype()) ? widen(x) : x;
  return axes.sum(wide * wide);
}

Var ReduceSumSquare::slope(const Var& x, const Var&, const ReductionAxes&) { return x * 2.0; }

ONEMODEL_OPERATOR(ReduceL1)
ONEMODEL_OPERATOR(ReduceL2)
ONEMODEL_OPERATOR(ReduceLogSum)
ONEMODEL_OPERATOR(ReduceLogSumExp)
ONEMODEL_OPERATOR(ReduceSumSquare)

}  // namespace onemodel

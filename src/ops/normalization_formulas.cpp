#include "ops/normalization_formulas.h"

#include "ops/declare.h"
#include "ops/dtype_set.h"
#include "ops/formula.h"
#include "ops/reduce.h"
#include "ops/shape_data.h"
#include "ops/unary.h"

namespace onemodel {
namespace {

Var mean_over(const Var& v, std::span<const int64_t> axes) {
  return apply(ReduceMean{.noop_with_empty_axes = true}, {v, ints_beside(v, axes)});
}

// The norm of each line; 1 for a line of zeros.
Var norm_along(const Var& x, int64_t axis, int64_t p) {
  const std::span along(&axis, 1);
  const Var norm = p == 1 ? reduce_sum(apply(Abs{}, {x}), along, true) : sqrt(reduce_sum(x * x, along, true));
  return where(equal(norm, norm.constant(0)), norm.constant(1), norm);
}

struct Deviations {
  Var centred, scale;  // x - mean, and the standard deviation + 1e-9
};

Deviations deviations(const Var& x, std::span<const int64_t> axes) {
  const Var centred = x - mean_over(x, axes);
  return {centred, sqrt(mean_over(centred * centred, axes)) + 1e-9};
}

}  // namespace

void LpNormalization::infer(InferContext& context) const {
  check_in(context, 0, kFloating);
  context.check<ArgumentError>(p == 1 || p == 2, "attribute 'p' is ", p, ", expected 1 or 2");
  context.axis(axis, context.rank(0));
  context.output(context.dtype(0), context.shape(0));
}

void LpNormalization::evaluate(EvalContext& context) const {
  evaluate_formula(info.name, context, [&](std::span<const Var> inputs) {
    const Var x = widen(inputs[0]);
    return x / norm_along(x, axis, p);
  });
}

Gradients LpNormalization::vjp(GradContext& context) const {
  // y = x / n: (g - n' sum(g y)) / n, where n' is x / n or the sign of x.
  const Var x = context.input(0), y = context.output(), g = context.grad();
  const Var slope = p == 1 ? apply(Sign{}, {x}) : y;
  return {(g - slope * reduce_sum(g * y, std::span(&axis, 1), true)) / norm_along(x, axis, p)};
}

std::vector<Sample> LpNormalization::samples() {
  const Tensor x = sample_values({2, 3, 4});
  return {{LpNormalization{}, {x}},
          {LpNormalization{.axis = 1, .p = 1}, {x}},
          {LpNormalization{.axis = 0}, {x}},
          {LpNormalization{.p = 1}, {sample_values({5}, -2, 2, DType::f64)}},
          {LpNormalization{}, {Tensor::zeros({2, 3})}, "", 1, 1e-6, false},
          {LpNormalization{.p = 3}, {x}, "attribute 'p' is 3, expected 1 or 2"},
          {LpNormalization{.axis = 3}, {x}, "axis 3 is out of range for rank 3"},
          {LpNormalization{}, {sample_values({3}, 0, 9, DType::i32)}, "expects a floating-point type, got int32"}};
}

void MeanVarianceNormalization::infer(InferContext& context) const {
  check_in(context, 0, kFloating);
  axis_set(context, axes, context.rank(0));
  context.output(context.dtype(0), context.shape(0));
}

void MeanVarianceNormalization::evaluate(EvalContext& context) const {
  evaluate_formula(info.name, context, [&](std::span<const Var> inputs) {
    const auto [centred, scale] = deviations(widen(inputs[0]), axes);
    return centred / scale;
  });
}

Gradients MeanVarianceNormalization::vjp(GradContext& context) const {
  // y = c / (s + e): the parts through c, through s, and through the mean. Where s is 0 the middle one is left out.
  const Var g = context.grad(), y = context.output();
  const auto [centred, scale] = deviations(context.input(0), axes);
  const Var zero = g.constant(0), deviation = scale + -1e-9;
  const Var direction = where(less(zero, deviation), centred / deviation, zero);
  const Var through = (g - direction * mean_over(g * y, axes)) / scale;
  return {through - mean_over(through, axes)};
}

std::vector<Sample> MeanVarianceNormalization::samples() {
  const Tensor x = sample_values({2, 3, 2, 2});
  return {{MeanVarianceNormalization{}, {x}},
          {MeanVarianceNormalization{{-1, 1}}, {x}},
          {MeanVarianceNormalization{{0}}, {sample_values({6}, -2, 2, DType::f64)}},
          {MeanVarianceNormalization{}, {sample_values({2, 3})}, "axis 2 is out of range for rank 2"},
          {MeanVarianceNormalization{{1, -3}}, {x}, "axis -3 is named twice"},
          {MeanVarianceNormalization{{0}}, {sample_values({3}, 0, 9, DType::i32)}, "a floating-point type, got int32"}};
}

ONEMODEL_OPERATOR(LpNormalization)
ONEMODEL_OPERATOR(MeanVarianceNormalization)

}  // namespace onemodel

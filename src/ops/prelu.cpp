#include "ops/prelu.h"

#include "ops/declare.h"
#include "ops/dtype_set.h"
#include "ops/extent_checks.h"
#include "ops/formula.h"

namespace onemodel {

void PRelu::infer(InferContext& context) const {
  check_in(context, 0, kNumeric);
  context.check_same_dtype(0, 1);
  check_broadcasts_to(context, context.shape(1), context.shape(0), "slope");
  context.output(context.dtype(0), context.shape(0));
}

void PRelu::evaluate(EvalContext& context) const {
  evaluate_formula(info.name, context, [](std::span<const Var> inputs) {
    const Var &x = inputs[0], &slope = inputs[1];
    return where(less(x, x.constant(0)), x * slope, x);
  });
}

Gradients PRelu::vjp(GradContext& context) const {
  const Var x = context.input(0), slope = context.input(1), g = context.grad(), zero = x.constant(0);
  const Var positive = less(zero, x);  // at 0 the slope, as in PyTorch
  Gradients out(2);
  if (context.needs(0)) out[0] = where(positive, g, g * slope);
  if (context.needs(1)) out[1] = reduce_to(where(positive, zero, g * x), slope.dims());
  return out;
}

std::vector<Sample> PRelu::samples() {
  const Tensor x = sample_values({2, 3, 4});
  return {{PRelu{}, {x, sample_values({2, 3, 4}, -1, 1, DType::f32, 2)}},
          {PRelu{}, {x, sample_values({3, 1}, -1, 1, DType::f32, 2)}},
          {PRelu{}, {x, sample_values({}, 0, 1)}},
          {PRelu{}, {sample_values({5}, -9, 9, DType::i32), sample_values({1}, 2, 5, DType::i32)}},
          {PRelu{}, {x, sample_values({3})}, "'slope' of shape [3] does not broadcast to [2, 3, 4]"},
          {PRelu{}, {sample_values({4}), x}, "'slope' of shape [2, 3, 4] does not broadcast to [4]"},
          {PRelu{}, {x, sample_values({}, 0, 1, DType::f64)}, "'X' and 'slope' must have one dtype"},
          {PRelu{},
           {sample_values({2}, 0, 2, DType::boolean), sample_values({1}, 0, 2, DType::boolean)},
           "input 'X' expects a numeric type, got bool"}};
}

ONEMODEL_OPERATOR(PRelu)

}  // namespace onemodel

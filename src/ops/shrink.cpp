#include "ops/shrink.h"

#include "ops/declare.h"
#include "ops/dtype_set.h"
#include "ops/formula.h"

namespace onemodel {
namespace {

// `below` where x < -lambd, `above` where x > lambd, else 0.
Var beyond(const Var& x, float lambd, const Var& below, const Var& above) {
  const auto limit = static_cast<double>(lambd);
  const Var inner = where(less(x.constant(limit), x), above, x.constant(0));
  return where(less(x, x.constant(-limit)), below, inner);
}

}  // namespace

void Shrink::infer(InferContext& context) const {
  check_in(context, 0, kNumeric);
  context.output(context.dtype(0), context.shape(0));
}

void Shrink::evaluate(EvalContext& context) const {
  evaluate_formula(info.name, context, [this](std::span<const Var> inputs) {
    const DType dtype = inputs[0].dtype();
    const Var x = is_integer(dtype) ? cast(inputs[0], DType::f64) : inputs[0];
    const Var shift = x.constant(static_cast<double>(bias));
    return cast(beyond(x, lambd, x + shift, x - shift), dtype);
  });
}

Gradients Shrink::vjp(GradContext& context) const {
  return {beyond(context.input(0), lambd, context.grad(), context.grad())};
}

std::vector<Sample> Shrink::samples() {
  const Tensor x = sample_values({3, 5});
  return {{Shrink{}, {x}},
          {Shrink{.bias = 0.75f, .lambd = 1.1f}, {x}},
          {Shrink{.bias = -1, .lambd = 0}, {sample_values({}, -2, 2, DType::f64)}},
          {Shrink{.bias = 1.5f, .lambd = 2.5f}, {sample_values({9}, -9, 9, DType::i64)}},
          {Shrink{.bias = 1, .lambd = 2}, {sample_values({9}, 0, 9, DType::u8)}},
          {Shrink{}, {x.cast(DType::boolean)}, "input 'input' expects a numeric type, got bool"}};
}

ONEMODEL_OPERATOR(Shrink)

}  // namespace onemodel

#include "ops/variadic.h"

#include "ops/declare.h"
#include "ops/dtype_set.h"
#include "ops/evaluate_binary.h"
#include "ops/strided.h"

namespace onemodel {
namespace {

template <class T>
constexpr bool kIsExtremum = T::kPortable != kernels::Binary::add;

// The gradient of an extremum goes to the inputs that equal it, in equal parts.
Gradients share(GradContext& context) {
  const Var y = context.output();
  std::vector<Var> chosen;
  Var count = y.constant(0);
  for (size_t i = 0; i < context.input_count(); ++i) {
    chosen.push_back(cast(equal(context.input(i), y), y.dtype()));
    count = count + chosen.back();
  }
  const Var part = context.grad() / count;
  Gradients out;
  for (size_t i = 0; i < context.input_count(); ++i)
    out.push_back(context.needs(i) ? reduce_to(part * chosen[i], context.input(i).dims()) : Var());
  return out;
}

Gradients to_all(GradContext& context, const Var& g) {
  Gradients out;
  for (size_t i = 0; i < context.input_count(); ++i)
    out.push_back(context.needs(i) ? reduce_to(g, context.input(i).dims()) : Var());
  return out;
}

}  // namespace

template <class T>
void Elementwise<T>::infer(InferContext& context) const {
  check_in(context, 0, kIsExtremum<T> ? kNumeric : kFloating);
  Shape shape = context.shape(0);
  for (size_t i = 1; i < context.input_count(); ++i) {
    context.check<DTypeError>(context.dtype(i) == context.dtype(0), "input ", i, " is ", context.dtype(i),
                              ", expected ", context.dtype(0), " as the first");
    shape = context.broadcast(shape, context.shape(i));
  }
  context.output(context.dtype(0), std::move(shape));
}

template <class T>
void Elementwise<T>::evaluate(EvalContext& context) const {
  const Tensor& y = context.output();
  const Tensor& first = context.input(0);
  copy_view(first, {y.dims(), broadcast_strides(first.dims(), first.strides(), y.dims())}, y);
  for (size_t i = 1; i < context.input_count(); ++i) evaluate_binary(T::kPortable, y, context.input(i), y);
}

template <class T>
std::vector<Sample> Elementwise<T>::samples() {
  const Tensor a = sample_values({2, 3}), b = sample_values({3}, -2, 2, DType::f32, 2);
  std::vector<Sample> out = {{T{}, {a, b, sample_values({2, 1}, -2, 2, DType::f32, 3)}},
                             {T{}, {b, sample_values({4, 1, 3}, -2, 2, DType::f32, 3)}},
                             {T{}, {a}},
                             {T{}, {a, sample_values({2})}, "shapes [2, 3] and [2] do not broadcast"},
                             {T{}, {a, b.cast(DType::f64)}, "input 1 is float64, expected float32"}};
  const Tensor whole = sample_values({5}, -9, 9, DType::i64), other = sample_values({5}, -9, 9, DType::i64, 2);
  out.push_back({T{}, {whole, other}, kIsExtremum<T> ? "" : "expects a floating-point type, got int64"});
  return out;
}

Gradients Max::vjp(GradContext& context) const { return share(context); }

Gradients Min::vjp(GradContext& context) const { return share(context); }

Gradients Sum::vjp(GradContext& context) const { return to_all(context, context.grad()); }

void Mean::evaluate(EvalContext& context) const {
  Elementwise::evaluate(context);
  const Tensor& y = context.output();
  const double count = static_cast<double>(context.input_count());
  evaluate_binary(kernels::Binary::div, y, Tensor::full({}, count, y.dtype()), y);
}

Gradients Mean::vjp(GradContext& context) const {
  return to_all(context, context.grad() * (1.0 / static_cast<double>(context.input_count())));
}

ONEMODEL_OPERATOR(Max)
ONEMODEL_OPERATOR(Min)
ONEMODEL_OPERATOR(Sum)
ONEMODEL_OPERATOR(Mean)

}  // namespace onemodel

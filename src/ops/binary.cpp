#include "ops/binary.h"

#include "ops/declare.h"
#include "ops/dtype_set.h"
#include "ops/evaluate_binary.h"
#include "ops/fast_checks.h"
#include "ops/prepared_kernel.h"
#include "ops/strided.h"

namespace onemodel {
namespace {

std::unique_ptr<Kernel> make_fast(kernels::xnn::Binary function, const KernelRequest& request, std::string& refusal) {
  if (!accepts_f32(request, refusal)) return nullptr;
  const Clamp clamp = clamp_of(request);
  return wrap_kernel(kernels::xnn::binary(function, request.dims(0), request.dims(1), clamp.min, clamp.max, refusal),
                     {0, 1});
}

std::vector<Sample> binary_samples(const Op& op) {
  return {
      {op, {sample_values({2, 3}), sample_values({2, 3}, 0.4, 2, DType::f32, 2)}},
      {op, {sample_values({3, 1}), sample_values({2, 1, 5}, 0.4, 2, DType::f32, 2)}},
      {op, {sample_values({4, 3}, -2, 2, DType::f64), sample_values({}, 0.4, 2, DType::f64, 3)}},
      {op, {sample_values({5}, -99, 99, DType::i32), sample_values({5}, 1, 9, DType::i32, 2)}},
      {op, {sample_values({2, 3}), sample_values({2, 4})}, "shapes [2, 3] and [2, 4] do not broadcast"},
      {op, {sample_values({2}), sample_values({2}, 0, 9, DType::i64)}, "must have one dtype, got float32 and int64"},
      {op,
       {sample_values({2}, 0, 2, DType::boolean), sample_values({2}, 0, 2, DType::boolean)},
       "input 'A' expects a numeric type, got bool"}};
}

}  // namespace

template <class T>
void ElementwiseBinary<T>::infer(InferContext& context) const {
  check_in(context, 0, kNumeric);
  context.check_same_dtype(0, 1);
  context.output(context.dtype(0), context.broadcast(context.shape(0), context.shape(1)));
  combine_shape_data(context, T::kShapeArithmetic);
}

template <class T>
void ElementwiseBinary<T>::evaluate(EvalContext& context) const {
  evaluate_binary(T::kPortable, context.input(0), context.input(1), context.output());
}

template <class T>
std::span<const FastKernel<T>> ElementwiseBinary<T>::fast_kernels() {
  static constexpr FastKernel<T> kernels[] = {
      {"simd.binary", [](const T&, const KernelRequest& request, std::string& refusal) {
         return make_fast(T::kFast, request, refusal);
       }}};
  return kernels;
}

template <class T>
std::vector<Sample> ElementwiseBinary<T>::samples() {
  return binary_samples(T{});
}

Gradients Add::vjp(GradContext& context) const {
  const Var g = context.grad();
  return {context.needs(0) ? reduce_to(g, context.input(0).dims()) : Var(),
          context.needs(1) ? reduce_to(g, context.input(1).dims()) : Var()};
}

Gradients Sub::vjp(GradContext& context) const {
  const Var g = context.grad();
  return {context.needs(0) ? reduce_to(g, context.input(0).dims()) : Var(),
          context.needs(1) ? reduce_to(-g, context.input(1).dims()) : Var()};
}

Gradients Mul::vjp(GradContext& context) const {
  const Var a = context.input(0), b = context.input(1), g = context.grad();
  return {context.needs(0) ? reduce_to(g * b, a.dims()) : Var(), context.needs(1) ? reduce_to(g * a, b.dims()) : Var()};
}

Gradients Div::vjp(GradContext& context) const {
  const Var a = context.input(0), b = context.input(1);
  const Var quotient = context.grad() / b;
  return {context.needs(0) ? reduce_to(quotient, a.dims()) : Var(),
          context.needs(1) ? reduce_to(-(quotient * context.output()), b.dims()) : Var()};
}

void Pow::infer(InferContext& context) const {
  check_in(context, 0, kNumeric);
  check_in(context, 1, kNumeric);
  context.output(context.dtype(0), context.broadcast(context.shape(0), context.shape(1)));
}

void Pow::evaluate(EvalContext& context) const {
  const Dims& dims = context.output().dims();
  const Tensor &a = context.input(0), &b = context.input(1);
  const Dims a_strides = broadcast_strides(a.dims(), a.strides(), dims);
  const Dims b_strides = broadcast_strides(b.dims(), b.strides(), dims);
  visit_dtype(a.dtype(), [&](auto tag) {
    using T = typename decltype(tag)::type;
    kernels::pow(dims, a.raw_as<T>(), a_strides, b.dtype(), b.raw(), b_strides, context.output().mutable_raw_as<T>());
  });
}

std::span<const FastKernel<Pow>> Pow::fast_kernels() {
  static constexpr FastKernel<Pow> kernels[] = {
      {"simd.unary", [](const Pow&, const KernelRequest& request, std::string& refusal) -> std::unique_ptr<Kernel> {
         if (request.clamp) return refusal = "no fused bound", nullptr;
         if (request.inputs[0].dtype != DType::f32) return refusal = "the dtype is not float32", nullptr;
         const Tensor& exponent = request.inputs[1].constant;
         const bool square =
             exponent.defined() && exponent.numel() == 1 && exponent.cast(DType::f64).item<double>() == 2;
         if (!square) return refusal = "the exponent is not the constant 2", nullptr;
         if (request.dims(0) != request.outputs[0].dims) return refusal = "the base is broadcast", nullptr;
         return wrap_kernel(kernels::xnn::unary(kernels::xnn::Unary::square, numel(request.dims(0)), 0, 0, refusal),
                            {0});
       }}};
  return kernels;
}

Gradients Pow::vjp(GradContext& context) const {
  const Var x = context.input(0), g = context.grad(), zero = x.constant(0);
  const Var y = context.input(1).dtype() == x.dtype() ? context.input(1) : cast(context.input(1), x.dtype());
  Gradients out(2);
  if (context.needs(0)) {
    // At y = 0 the formula would be 0 * x^-1, which is NaN for x = 0.
    const Var slope = y * apply(Pow{}, {x, y + -1.0});
    out[0] = reduce_to(g * where(equal(y, zero), zero, slope), x.dims());
  }
  if (context.needs(1)) {
    const Var steep = context.output() * log(x);  // NaN for 0^y of a positive y
    const Var slope = where(equal(x, zero), where(less(y, zero), steep, zero), steep);
    const Var total = reduce_to(g * slope, y.dims());
    out[1] = context.input(1).dtype() == x.dtype() ? total : cast(total, context.input(1).dtype());
  }
  return out;
}

std::vector<Sample> Pow::samples() {
  const Tensor base = sample_values({2, 3}, 0.3, 2);
  return {{Pow{}, {base, sample_values({2, 3}, -2, 2, DType::f32, 2)}},
          {Pow{}, {base, Tensor::scalar(2.0f)}},
          {Pow{}, {base, Tensor::scalar(int64_t{3})}},
          {Pow{}, {sample_values({4, 1}, 0.3, 2), sample_values({3}, -1, 2, DType::f64, 2)}},
          {Pow{}, {sample_values({5}, -4, 4, DType::i32), sample_values({5}, 0, 4, DType::i32, 2)}},
          {Pow{}, {base, sample_values({4}, -2, 2)}, "shapes [2, 3] and [4] do not broadcast"},
          {Pow{}, {base, sample_values({3}, 0, 2, DType::boolean)}, "input 'Y' expects a numeric type, got bool"}};
}

ONEMODEL_OPERATOR(Add)
ONEMODEL_OPERATOR(Sub)
ONEMODEL_OPERATOR(Mul)
ONEMODEL_OPERATOR(Div)
ONEMODEL_OPERATOR(Pow)

}  // namespace onemodel

#include "ops/clip.h"

#include <limits>

#include "kernels/portable/elementwise.h"
#include "kernels/xnn/elementwise.h"
#include "ops/conditions.h"
#include "ops/declare.h"
#include "ops/dtype_set.h"
#include "ops/fast_checks.h"
#include "ops/prepared_kernel.h"

namespace onemodel {
namespace {

// The largest finite number; infinity becomes the largest integer.
double largest(DType dtype) {
  switch (dtype) {
    case DType::f16: return 65504;
    case DType::bf16: return 0x1.fep127;
    case DType::f32: return static_cast<double>(std::numeric_limits<float>::max());
    case DType::f64: return std::numeric_limits<double>::max();
    default: return std::numeric_limits<double>::infinity();
  }
}

template <class T>
T bound(const EvalContext& context, size_t i, double absent) {
  return context.has(i) ? *context.input(i).raw_as<T>() : convert<T>(absent);
}

Var as_scalar(const Var& v) { return v.rank() == 0 ? v : reshape(v, Dims{}); }

}  // namespace

void Clip::infer(InferContext& context) const {
  check_in(context, 0, kNumeric);
  for (size_t i : {1, 2}) {
    if (!context.has(i)) continue;
    context.check_same_dtype(0, i);
    const Shape& shape = context.shape(i);
    context.check(shape.rank() <= 1 && shape.numel() == Extent(1), "'", inputs[i].name,
                  "' expects one element, got shape ", shape);
  }
  context.output(context.dtype(0), context.shape(0));
}

void Clip::evaluate(EvalContext& context) const {
  const Tensor& x = context.input(0);
  const double most = largest(x.dtype());
  visit_dtype(x.dtype(), [&](auto tag) {
    using T = typename decltype(tag)::type;
    kernels::clip(x.dims(), x.raw_as<T>(), x.strides(), bound<T>(context, 1, -most), bound<T>(context, 2, most),
                  context.output().mutable_raw_as<T>());
  });
}

std::span<const FastKernel<Clip>> Clip::fast_kernels() {
  static constexpr FastKernel<Clip> kernels[] = {
      {"simd.unary", [](const Clip&, const KernelRequest& request, std::string& refusal) -> std::unique_ptr<Kernel> {
         if (!accepts_plain_f32(request, refusal)) return nullptr;
         constexpr float most = std::numeric_limits<float>::max();
         float bounds[] = {-most, most};
         for (size_t i : {1, 2}) {
           if (!request.has(i)) continue;
           if (!request.is_constant(i)) return refusal = "the bounds are not constant", nullptr;
           bounds[i - 1] = *request.inputs[i].constant.raw_as<float>();
         }
         return wrap_kernel(
             kernels::xnn::unary(kernels::xnn::Unary::clamp, numel(request.dims(0)), bounds[0], bounds[1], refusal),
             {0});
       }}};
  return kernels;
}

Gradients Clip::vjp(GradContext& context) const {
  const Var x = context.input(0), g = context.grad(), zero = x.constant(0);
  const Var low = context.has(1) ? as_scalar(context.input(1)) : Var();
  const Var high = context.has(2) ? as_scalar(context.input(2)) : Var();
  Gradients out(3);
  if (context.needs(0)) {
    out[0] = g;
    const auto outside = [&](const Var& a, const Var& b) {
      return is_open ? apply(LessOrEqual{}, {a, b}) : less(a, b);
    };
    if (low.defined()) out[0] = where(outside(x, low), zero, out[0]);
    if (high.defined()) out[0] = where(outside(high, x), zero, out[0]);
  }
  if (context.needs(1)) {
    out[1] = reduce_to(where(less(x, low), g, zero), context.input(1).dims());
    if (high.defined()) out[1] = where(less(high, low), zero, out[1]);
  }
  if (context.needs(2)) {
    Var passed = where(less(high, x), g, zero);
    if (low.defined()) passed = where(less(high, low), g, passed);
    out[2] = reduce_to(passed, context.input(2).dims());
  }
  return out;
}

std::vector<Sample> Clip::samples() {
  const Tensor x = sample_values({3, 5});
  const Tensor low = Tensor::scalar(-0.73f), high = Tensor::scalar(1.01f);
  return {
      {Clip{}, {x, low, high}},
      {Clip{}, {x, low}},
      {Clip{}, {x, Tensor(), high}},
      {Clip{}, {x, high, low}},
      {Clip{}, {sample_values({2, 3}), Tensor::from({-0.5f}, {1})}},
      {Clip{}, {sample_values({6}, -9, 9, DType::i8), Tensor::scalar(int8_t{-3}), Tensor::scalar(int8_t{4})}},
      {Clip{}, {x, sample_values({2})}, "'min' expects one element, got shape [2]"},
      {Clip{}, {x, Tensor(), Tensor::scalar(1.0)}, "'input' and 'max' must have one dtype, got float32 and float64"}};
}

ONEMODEL_OPERATOR(Clip)

}  // namespace onemodel

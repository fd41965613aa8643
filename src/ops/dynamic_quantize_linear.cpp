#include "ops/dynamic_quantize_linear.h"

#include "kernels/portable/quantise.h"
#include "kernels/portable/reduce.h"
#include "kernels/portable/rounding.h"
#include "ops/declare.h"
#include "ops/dtype_set.h"

namespace onemodel {
namespace {

constexpr DTypeSet kReal{[](DType d) { return d == DType::f32 || d == DType::f64; }, "float32 or float64"};

// Of the values and 0; NaN where one is.
template <class T>
T extreme(kernels::Reduce which, const Tensor& x) {
  T out = 0;
  if (x.numel() == 0) return out;
  const Dims all{x.numel()};
  kernels::reduce(which, kernels::ReduceShape::over(all, Dims{1}, Dims{0}), x.raw_as<T>(), &out);
  const bool beyond = which == kernels::Reduce::max ? out < 0 : out > 0;
  return beyond ? 0 : out;
}

template <class T>
void quantise(const Tensor& x, const Tensor& y, const Tensor& scale, const Tensor& zero) {
  const T low = extreme<T>(kernels::Reduce::min, x), high = extreme<T>(kernels::Reduce::max, x);
  const T step = high == low ? T(1) : (high - low) / 255;
  const int32_t level = kernels::round_within(-low / step, 0, 255);
  *scale.mutable_raw_as<T>() = step;
  *zero.mutable_raw_as<uint8_t>() = static_cast<uint8_t>(level);
  kernels::quantise({.count = x.numel(), .inner = x.numel()}, x.raw_as<T>(), &step, &level, dtype_of<T>, DType::u8,
                    true, y.mutable_raw());
}

}  // namespace

void DynamicQuantizeLinear::infer(InferContext& context) const {
  check_in(context, 0, kReal);
  context.output(0, DType::u8, context.shape(0));
  if (context.output_count() > 1) context.output(1, context.dtype(0), {});
  if (context.output_count() > 2) context.output(2, DType::u8, {});
}

void DynamicQuantizeLinear::evaluate(EvalContext& context) const {
  const Tensor& x = context.input(0);
  const Tensor scale = context.has_output(1) ? context.output(1) : Tensor::empty({}, x.dtype());
  const Tensor zero = context.has_output(2) ? context.output(2) : Tensor::empty({}, DType::u8);
  const Tensor y = context.has_output(0) ? context.output() : Tensor::empty(x.dims(), DType::u8);
  x.dtype() == DType::f64 ? quantise<double>(x, y, scale, zero) : quantise<float>(x, y, scale, zero);
}

std::vector<Sample> DynamicQuantizeLinear::samples() {
  const DynamicQuantizeLinear op;
  return {{op, {sample_values({2, 3, 4})}, {}, 3},
          {op, {sample_values({5}, 1, 4)}, {}, 3},
          {op, {sample_values({5}, -4, -1)}, {}, 2},
          {op, {Tensor::zeros({2, 2})}, {}, 3},
          {op, {sample_values({0, 3})}, {}, 3},
          {op, {sample_values({}, 1, 2)}},
          {op, {sample_values({2}, 0, 9, DType::i32)}, "input 'x' expects float32 or float64, got int32"}};
}

ONEMODEL_OPERATOR(DynamicQuantizeLinear)

}  // namespace onemodel

#include "ops/quantize_linear.h"

#include "ops/declare.h"
#include "ops/formula.h"
#include "ops/pad.h"
#include "ops/quantised_checks.h"

namespace onemodel {
namespace {

constexpr DTypeSet kQuantisable{[](DType d) { return is_floating(d) || d == DType::i32; },
                                "a floating-point type or int32"};
constexpr DTypeSet kLevels{[](DType d) { return kQuantised.has(d) || (is_small(d) && d != DType::f8e8m0); },
                           "int8, uint8, int16, uint16, a type of 2 or 4 bits or an 8-bit float with a sign"};
constexpr DTypeSet kDequantisable{
    [](DType d) { return kLevels.has(d) || d == DType::i32; },
    "int8, uint8, int16, uint16, int32, a type of 2 or 4 bits or an 8-bit float with a sign"};
constexpr DTypeSet kScale{[](DType d) { return is_floating(d) || d == DType::f8e8m0; },
                          "a floating-point type or float8e8m0"};

// `x` in the dtype `first`, then in the wider `second`.
Tensor as(const Tensor& x, DType first, DType second) {
  const Tensor narrow = x.dtype() == first ? x : x.cast(first);
  return narrow.dtype() == second ? narrow.contiguous() : narrow.cast(second);
}

// A number for each scale.
Tensor zeros_of(std::string_view op, const EvalContext& context) {
  if (!context.has(2)) return Tensor::zeros(context.input(1).dims(), DType::i32);
  const Tensor& zeros = context.input(2);
  if (is_small(zeros.dtype()) && !is_small_integer(zeros.dtype()))
    for (const float zero : zeros.to_vector<float>())
      check<ArgumentError>(zero == 0, op, ": the zero point of a ", zeros.dtype(), " expects 0, got ", zero);
  return zeros.cast(DType::i32);
}

DType wide_of(DType a, DType b) { return a == DType::f64 || b == DType::f64 ? DType::f64 : DType::f32; }

template <class F>
void in_float(DType dtype, const F& f) {
  dtype == DType::f64 ? f(TypeTag<double>{}) : f(TypeTag<float>{});
}

}  // namespace

void QuantizeLinear::infer(InferContext& context) const {
  check_in(context, 0, kQuantisable);
  check_in(context, 1, kScale);
  check_in(context, 2, kLevels);
  check_dtype_attribute(context, "output_dtype", output_dtype, kLevels);
  check_dtype_attribute(context, "precision", precision, kFloating);
  check_scale(context, "y_scale", axis, block_size.value_or(0));
  const DType given = context.has(2) ? context.dtype(2) : output_dtype;
  context.check<DTypeError>(output_dtype == DType::undefined || output_dtype == given, "output_dtype is ", output_dtype,
                            ", 'y_zero_point' ", given);
  context.output(given == DType::undefined ? DType::u8 : given, context.shape(0));
}

void QuantizeLinear::evaluate(EvalContext& context) const {
  const Tensor &x = context.input(0), &scale = context.input(1), &y = context.output();
  const DType quotient = precision != DType::undefined ? precision
                         : is_small(scale.dtype())     ? DType::f32
                                                       : scale.dtype();
  const DType wide = wide_of(quotient, quotient);
  const Tensor values = as(x, quotient, wide), steps = as(scale, quotient, wide), zeros = zeros_of(info.name, context);
  const auto layout = scale_layout(info.name, x.dims(), scale.dims(), axis, block_size.value_or(0));
  in_float(wide, [&]<class T>(TypeTag<T>) {
    kernels::quantise(layout, values.raw_as<T>(), steps.raw_as<T>(), zeros.raw_as<int32_t>(), quotient, y.dtype(),
                      saturate, y.mutable_raw());
  });
}

std::vector<Sample> QuantizeLinear::samples() {
  const Tensor x = sample_values({2, 3, 4}, -200, 200), step = Tensor::scalar(0.75f);
  const Tensor steps = sample_values({3}, 0.5, 2, DType::f32, 2);
  const Tensor ties = Tensor::from<float>({-3, -1, 0, 1, 3, 5, 600, -600}, {8}), two = Tensor::scalar(2.f);
  const Tensor zeros = Tensor::from<int8_t>({-5, 0, 7}, {3});
  const QuantizeLinear blocks{.axis = -1, .block_size = 3};
  return {
      {QuantizeLinear{}, {x, step}},
      {QuantizeLinear{}, {x, step, Tensor::scalar<uint8_t>(128)}},
      {QuantizeLinear{}, {ties, two, Tensor::scalar<int8_t>(-128)}},
      {QuantizeLinear{}, {ties, two.reshape({1}), Tensor::from<uint16_t>({32768}, {1})}},
      {QuantizeLinear{.output_dtype = DType::i16, .precision = DType::f16, .saturate = false}, {x, step}},
      {QuantizeLinear{.precision = DType::bf16}, {x.cast(DType::f16), step}},
      {QuantizeLinear{}, {x, steps, zeros}},
      {QuantizeLinear{.axis = -1}, {sample_values({2, 3}, -200, 200), steps, zeros}},
      {blocks, {x, sample_values({2, 3, 2}, 0.5, 2, DType::f32, 3)}},
      {QuantizeLinear{.axis = 0, .block_size = 2}, {sample_values({4, 3}), sample_values({2, 3}, 0.5, 2)}},
      {QuantizeLinear{}, {sample_values({2, 2}, -900, 900, DType::i32), two, Tensor::scalar<int16_t>(-9)}},
      {QuantizeLinear{}, {sample_values({0, 2}), step}},
      {QuantizeLinear{}, {sample_values({2}, 0, 9, DType::i64), step}, "'x' expects a floating-point type or int32"},
      {QuantizeLinear{},
       {x, step.cast(DType::i32)},
       "input 'y_scale' expects a floating-point type or float8e8m0, got int32"},
      {QuantizeLinear{.output_dtype = DType::f8e4m3fn, .saturate = false}, {x.reshape({24}), two}},
      {QuantizeLinear{.output_dtype = DType::f4e2m1}, {x, steps}},
      {QuantizeLinear{}, {x, steps, Tensor::zeros({3}, DType::f8e5m2fnuz)}},
      {QuantizeLinear{.axis = -1, .block_size = 3, .output_dtype = DType::u4},
       {x, sample_values({2, 3, 2}, 1, 8, DType::f32, 3).cast(DType::f8e8m0)}},
      {QuantizeLinear{}, {x, step, Tensor::full({}, -3, DType::i4)}},
      {QuantizeLinear{.output_dtype = DType::i2}, {ties, two}},
      {QuantizeLinear{}, {x, step, Tensor::scalar<int32_t>(0)}, "8-bit float with a sign, got int32"},
      {QuantizeLinear{.axis = 0},
       {x, steps},
       "'y_scale' has 3 scales, 'x' of shape [2, 3, 4] has 2 places along axis 0"},
      {QuantizeLinear{.axis = 3}, {x, steps}, "axis 3 is out of range for rank 3"},
      {QuantizeLinear{},
       {x, steps, zeros.reshape({3, 1})},
       "the zero point expects the shape of 'y_scale', [3], got [3, 1]"},
      {QuantizeLinear{}, {x, steps.reshape({3, 1})}, "expects one scale or, without block_size, a list of them"},
      {blocks, {x, sample_values({2, 3, 3}, 1, 2)}, "'y_scale' has 3 scales along axis 2 of size 4, expected 2"},
      {blocks, {x, steps}, "'y_scale' expects rank 3 as 'x' with block_size=3, got shape [3]"},
      {QuantizeLinear{.block_size = -1}, {x, step}, "block_size expects a number of 0 to 2147483647, got -1"},
      {QuantizeLinear{.output_dtype = DType::i8},
       {x, step, Tensor::scalar<uint8_t>(1)},
       "output_dtype is int8, 'y_zero_point' uint8"},
      {QuantizeLinear{.output_dtype = DType::f8e8m0}, {x, step}, "8-bit float with a sign, got float8e8m0"},
      {QuantizeLinear{.precision = DType::i32}, {x, step}, "attribute 'precision' expects a floating-point type"}};
}

void DequantizeLinear::infer(InferContext& context) const {
  check_in(context, 0, kDequantisable);
  check_in(context, 1, kScale);
  context.check_same_dtype(0, 2);
  check_dtype_attribute(context, "output_dtype", output_dtype, kFloating);
  context.check<DTypeError>(is_floating(context.dtype(1)) || output_dtype != DType::undefined,
                            "a scale of float8e8m0 expects the attribute 'output_dtype'");
  check_scale(context, "x_scale", axis, block_size.value_or(0));
  context.output(output_dtype == DType::undefined ? context.dtype(1) : output_dtype, context.shape(0));
}

void DequantizeLinear::evaluate(EvalContext& context) const {
  const Tensor &x = context.input(0), &scale = context.input(1);
  Tensor y = context.output();
  const DType wide = wide_of(scale.dtype(), y.dtype());
  const Tensor steps = as(scale, wide, wide), zeros = zeros_of(info.name, context);
  const Tensor values = y.dtype() == wide ? y : Tensor::empty(y.dims(), wide);
  const auto layout = scale_layout(info.name, x.dims(), scale.dims(), axis, block_size.value_or(0));
  in_float(wide, [&]<class T>(TypeTag<T>) {
    kernels::dequantise(layout, x.dtype(), x.raw(), steps.raw_as<T>(), zeros.raw_as<int32_t>(),
                        values.mutable_raw_as<T>());
  });
  if (y.dtype() != wide) y.copy_from(values);
}

Gradients DequantizeLinear::vjp(GradContext& context) const {
  Gradients out(2);
  if (!context.needs(1)) return out;
  const Var scale = context.input(1), g = context.grad();
  const Var ones = context.constant(Tensor::full(scale.dims(), 1, scale.dtype()));
  const Var levels = apply(*this, {context.input(0), ones, context.has(2) ? context.input(2) : Var()});
  Var product = g * levels;
  const auto rank = static_cast<int64_t>(product.rank());
  std::vector<int64_t> axes;
  if (const int64_t block = block_size.value_or(0); block > 0) {
    const size_t at = normalize_axis(info.name, axis, product.rank());
    std::vector<int64_t> pads(2 * product.rank(), 0);
    pads[product.rank() + at] = scale.dims()[at] * block - product.dims()[at];
    if (pads[product.rank() + at] != 0) product = apply(Pad{}, {product, ints_beside(product, pads)});
    Dims blocks = scale.dims();
    blocks.insert(at + 1, block);
    product = reshape(product, blocks);
    axes = {static_cast<int64_t>(at) + 1};
  } else {
    const bool one = scale.tensor().numel() == 1;
    for (int64_t i = 0; i < rank; ++i)
      if (one || i != static_cast<int64_t>(normalize_axis(info.name, axis, product.rank()))) axes.push_back(i);
  }
  const Var sum = axes.empty() ? product : reduce_sum(product, axes, false);
  const Var shaped = sum.dims() == scale.dims() ? sum : reshape(sum, scale.dims());
  out[1] = shaped.dtype() == scale.dtype() ? shaped : cast(shaped, scale.dtype());
  return out;
}

std::vector<Sample> DequantizeLinear::samples() {
  const Tensor x = sample_values({2, 3, 4}, -128, 127, DType::i8), step = Tensor::scalar(0.75f);
  const Tensor steps = sample_values({3}, 0.5, 2, DType::f32, 2), zeros = Tensor::from<int8_t>({-5, 0, 7}, {3});
  const DequantizeLinear blocks{.axis = -1, .block_size = 3};
  const Tensor wide = sample_values({2, 3}, 0, 65535, DType::u16);
  std::vector<Sample> out = {
      {DequantizeLinear{}, {x, step}},
      {DequantizeLinear{}, {x, step.reshape({1}), Tensor::from<int8_t>({-128}, {1})}},
      {DequantizeLinear{}, {x, steps, zeros}},
      {DequantizeLinear{.axis = -1}, {wide, steps, Tensor::from<uint16_t>({0, 32768, 65535}, {3})}},
      {DequantizeLinear{}, {sample_values({2, 2}, -99999, 99999, DType::i32), step}},
      {DequantizeLinear{}, {sample_values({4}, -900, 900, DType::i16), step, Tensor::scalar<int16_t>(-9)}},
      {blocks, {x, sample_values({2, 3, 2}, 0.5, 2, DType::f32, 3)}},
      {DequantizeLinear{.axis = 0, .block_size = 2},
       {sample_values({4, 3}, 0, 255, DType::u8), sample_values({2, 3}, 0.5, 2),
        sample_values({2, 3}, 0, 9, DType::u8)}},
      {DequantizeLinear{.output_dtype = DType::bf16}, {x, step}},
      {DequantizeLinear{}, {x, step.cast(DType::f16), Tensor::scalar<int8_t>(3)}},
      {DequantizeLinear{}, {sample_values({0, 2}, 0, 1, DType::u8), step}},
      {DequantizeLinear{}, {sample_values({}, 0, 255, DType::u8), step}},
      {DequantizeLinear{}, {sample_values({2, 3}, -8, 7).cast(DType::i4), steps, Tensor::full({3}, 2, DType::i4)}},
      {DequantizeLinear{.output_dtype = DType::f16}, {x.cast(DType::f8e5m2), step.cast(DType::f8e8m0)}},
      {DequantizeLinear{}, {sample_values({2, 3}, -6, 6).cast(DType::f4e2m1), steps}},
      {DequantizeLinear{}, {x, step.cast(DType::f8e8m0)}, "float8e8m0 expects the attribute 'output_dtype'"},
      {DequantizeLinear{}, {sample_values({2}), step}, "8-bit float with a sign, got float32"},
      {DequantizeLinear{}, {x, step, Tensor::scalar<uint8_t>(0)}, "must have one dtype, got int8 and uint8"},
      {DequantizeLinear{.axis = 2},
       {x, steps},
       "'x_scale' has 3 scales, 'x' of shape [2, 3, 4] has 4 places along axis 2"},
      {blocks, {x, sample_values({2, 1, 2})}, "'x_scale' has 1 scales along axis 1 of size 3, expected 3"},
      {DequantizeLinear{.output_dtype = DType::f4e2m1},
       {x, step},
       "attribute 'output_dtype' expects a floating-point type, got float4e2m1"}};
  out[8].check_gradient = false;  // differences do not survive the rounding of bfloat16
  return out;
}

ONEMODEL_OPERATOR(QuantizeLinear)
ONEMODEL_OPERATOR(DequantizeLinear)

}  // namespace onemodel

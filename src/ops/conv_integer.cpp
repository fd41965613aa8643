#include "ops/conv_integer.h"

#include "kernels/portable/integer_conv.h"
#include "ops/conv.h"
#include "ops/declare.h"
#include "ops/quantised_checks.h"

namespace onemodel {
namespace {

template <class T>
kernels::IntegerConv problem_of(const T& op, const Tensor& x, const Tensor& w, const Tensor& y, int32_t x_zero,
                                const Tensor& w_zero) {
  const kernels::Window window = concrete_window(op.window(), spatial_dims(x.dims()), spatial_dims(w.dims()));
  return {.shape = conv_shape(window, op.group, x.dims(), w.dims(), y.dims()),
          .x_dtype = x.dtype(),
          .w_dtype = w.dtype(),
          .x_zero = x_zero,
          .w_zero = line_values<int32_t>(w_zero),
          .target = {},
          .w_scale = {}};
}

void convolve(const kernels::IntegerConv& problem, const Tensor& x, const Tensor& w, const Tensor& y) {
  kernels::integer_conv(problem, x.raw(), kernels::PackedWeights(problem, w.raw()), y.mutable_raw());
}

}  // namespace

void ConvInteger::infer(InferContext& context) const {
  check_in(context, 0, kByte);
  check_in(context, 1, kByte);
  context.check_same_dtype(0, 2);
  context.check_same_dtype(1, 3);
  Shape out = conv_output(context, window(), group, 1);
  check_single(context, 2, "x_zero_point");
  check_lines(context, 3, "w_zero_point", context.shape(1)[0]);
  context.output(DType::i32, std::move(out));
}

void ConvInteger::evaluate(EvalContext& context) const {
  const auto zero = [&](size_t i) { return zero_points(context.has(i) ? context.input(i) : Tensor()); };
  const Tensor &x = context.input(0), &w = context.input(1), &y = context.output(), w_zero = zero(3);
  convolve(problem_of(*this, x, w, y, one_zero(zero(2)), w_zero), x, w, y);
}

std::vector<Sample> ConvInteger::samples() {
  const auto i8 = [](const Dims& dims, uint64_t seed) { return sample_values(dims, -128, 127, DType::i8, seed); };
  const auto u8 = [](const Dims& dims, uint64_t seed) { return sample_values(dims, 0, 255, DType::u8, seed); };
  const Tensor x = u8({1, 2, 5, 4}, 1), w = i8({3, 2, 3, 3}, 2), zero = Tensor::scalar<uint8_t>(128);
  return {
      {ConvInteger{}, {x, w}},
      {ConvInteger{.pads = {1, 1, 1, 1}}, {x, w, zero, Tensor::scalar<int8_t>(-3)}},
      {ConvInteger{.dilations = {2, 1}, .pads = {2, 0, 1, 1}, .strides = {1, 2}},
       {x, i8({5, 2, 3, 3}, 2), zero, i8({5}, 3)}},
      {ConvInteger{.auto_pad = "SAME_UPPER", .group = 2, .kernel_shape = {2, 2}}, {x, u8({8, 1, 2, 2}, 2), zero}},
      {ConvInteger{.group = 4, .pads = {1, 1}}, {i8({2, 4, 7}, 1), i8({4, 1, 3}, 2), Tensor::from<int8_t>({5}, {1})}},
      {ConvInteger{.pads = {1, 0, 0, 0, 1, 0}}, {u8({1, 1, 3, 3, 3}, 1), u8({4, 1, 2, 2, 2}, 2)}},
      {ConvInteger{.pads = {1, 1, 1, 1}}, {u8({1, 70, 5, 6}, 1), i8({130, 70, 3, 3}, 2), zero}},
      {ConvInteger{}, {x.cast(DType::f32), w}, "input 'x' expects int8 or uint8, got float32"},
      {ConvInteger{}, {x, w, Tensor::scalar<int8_t>(1)}, "must have one dtype, got uint8 and int8"},
      {ConvInteger{}, {x, w, u8({2}, 1)}, "'x_zero_point' expects one number, got shape [2]"},
      {ConvInteger{}, {x, w, zero, i8({2}, 1)}, "'w_zero_point' expects one number or a list of 3, got shape [2]"},
      {ConvInteger{},
       {x, i8({3, 1, 3, 3}, 2)},
       "'X' has 2 channels, 'W' of shape [3, 1, 3, 3] with group=1 expects 1"}};
}

void QLinearConv::infer(InferContext& context) const {
  for (size_t i : {0, 3, 7}) check_in(context, i, kByte);
  for (size_t i : {1, 4, 6}) check_in(context, i, kFloating);
  context.check_same_dtype(0, 2);
  context.check_same_dtype(3, 5);
  if (context.has(8)) context.check_dtype(context.dtype(8) == DType::i32, 8, "int32");
  Shape out = conv_output(context, window(), group, 3);
  check_conv_bias(context, 8, 3);
  const Extent& channels = context.shape(3)[0];
  check_single(context, 1, "x_scale");
  check_single(context, 2, "x_zero_point");
  check_lines(context, 4, "w_scale", channels);
  check_lines(context, 5, "w_zero_point", channels);
  check_single(context, 6, "y_scale");
  check_single(context, 7, "y_zero_point");
  context.output(context.dtype(7), std::move(out));
}

void QLinearConv::evaluate(EvalContext& context) const {
  const Tensor &x = context.input(0), &w = context.input(3), &y = context.output();
  const Tensor w_zero = zero_points(context.input(5)), w_scale = scales(context.input(4));
  kernels::IntegerConv problem = problem_of(*this, x, w, y, one_zero(context.input(2)), w_zero);
  problem.target = {y.dtype(), one_zero(context.input(7))};
  problem.x_scale = one_scale(context.input(1));
  problem.y_scale = one_scale(context.input(6));
  problem.w_scale = line_values<float>(w_scale);
  if (context.has(8)) problem.bias = context.input(8).raw_as<int32_t>();
  convolve(problem, x, w, y);
}

std::vector<Sample> QLinearConv::samples() {
  const Tensor w = sample_values({4, 2, 3, 3}, -128, 127, DType::i8, 2);
  const std::vector<Tensor> plain = {sample_values({1, 2, 5, 4}, 0, 255, DType::u8),
                                     Tensor::scalar(0.02f),
                                     Tensor::scalar<uint8_t>(120),
                                     w,
                                     Tensor::scalar(0.01f),
                                     Tensor::scalar<int8_t>(-3),
                                     Tensor::scalar(0.05f),
                                     Tensor::scalar<uint8_t>(110)};
  const auto with = [&](size_t i, const Tensor& tensor) {
    std::vector<Tensor> operands = plain;
    if (i == operands.size()) operands.emplace_back();
    operands[i] = tensor;
    return operands;
  };
  std::vector<Tensor> channels = with(8, sample_values({4}, -9999, 9999, DType::i32));
  channels[4] = sample_values({4}, 0.01, 0.02);
  channels[5] = Tensor::from<int8_t>({-128, 0, 1, 127}, {4});
  return {{QLinearConv{}, plain},
          {QLinearConv{.pads = {1, 1, 1, 1}, .strides = {2, 1}}, channels},
          {QLinearConv{.auto_pad = "SAME_LOWER"}, with(7, Tensor::from<int8_t>({-7}, {1}))},
          {QLinearConv{.group = 2}, with(3, sample_values({4, 1, 2, 2}, -128, 127, DType::i8, 2))},
          {QLinearConv{}, with(0, plain[0].cast(DType::f32)), "input 'x' expects int8 or uint8, got float32"},
          {QLinearConv{}, with(1, sample_values({2}, 1, 2)), "'x_scale' expects one number, got shape [2]"},
          {QLinearConv{}, with(4, sample_values({3}, 1, 2)), "'w_scale' expects one number or a list of 4"},
          {QLinearConv{}, with(5, Tensor::scalar<uint8_t>(1)), "'w' and 'w_zero_point' must have one dtype"},
          {QLinearConv{}, with(8, sample_values({4})), "input 'B' expects int32, got float32"},
          {QLinearConv{}, with(8, sample_values({3}, 0, 9, DType::i32)), "'B' has 3 elements, 'W' 4 output channels"},
          {QLinearConv{.kernel_shape = {2, 2}}, plain, "kernel_shape [2, 2] differs from the extents of 'W'"}};
}

ONEMODEL_OPERATOR(ConvInteger)
ONEMODEL_OPERATOR(QLinearConv)

}  // namespace onemodel

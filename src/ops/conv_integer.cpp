#include "ops/conv_integer.h"

#include <memory>

#include "kernels/portable/integer_conv.h"
#include "ops/conv.h"
#include "ops/declare.h"
#include "ops/packing_operands.h"
#include "ops/quantised_checks.h"

namespace onemodel {
namespace {

// A convolution and the tensors that it points to.
struct Convolution {
  Tensor w_zero, w_scale, bias;
  kernels::IntegerConv problem;
};

template <class T>
void set_operands(Convolution& out, const T& op, const Tensor& x, const Tensor& w, const Tensor& y) {
  const kernels::Window window = concrete_window(op.window(), spatial_dims(x.dims()), spatial_dims(w.dims()));
  out.problem.shape = conv_shape(window, op.group, x.dims(), w.dims(), y.dims());
  out.problem.x_dtype = x.dtype();
  out.problem.w_dtype = w.dtype();
  out.problem.target.dtype = y.dtype();
  out.problem.w_zero = line_values<int32_t>(out.w_zero);
}

Convolution convolution_of(const ConvInteger& op, const EvalContext& context) {
  const auto zero = [&](size_t i) { return zero_points(context.has(i) ? context.input(i) : Tensor()); };
  Convolution out{.w_zero = zero(3), .w_scale = {}, .bias = {}, .problem = {}};
  set_operands(out, op, context.input(0), context.input(1), context.output());
  out.problem.x_zero = one_zero(zero(2));
  return out;
}

Convolution convolution_of(const QLinearConv& op, const EvalContext& context) {
  Convolution out{.w_zero = zero_points(context.input(5)),
                  .w_scale = scales(context.input(4)),
                  .bias = context.has(8) ? context.input(8) : Tensor(),
                  .problem = {}};
  set_operands(out, op, context.input(0), context.input(3), context.output());
  kernels::IntegerConv& problem = out.problem;
  problem.x_zero = one_zero(context.input(2));
  problem.target.zero = one_zero(context.input(7));
  problem.x_scale = one_scale(context.input(1));
  problem.y_scale = one_scale(context.input(6));
  problem.w_scale = line_values<float>(out.w_scale);
  if (out.bias.defined()) problem.bias = out.bias.raw_as<int32_t>();
  return out;
}

void convolve(const kernels::IntegerConv& problem, const Tensor& x, const Tensor& w, const Tensor& y) {
  const auto levels = std::make_unique_for_overwrite<int16_t[]>(kernels::level_count(problem));
  kernels::integer_conv(problem, x.raw(), kernels::PackedWeights(problem, w.raw()), levels.get(), y.mutable_raw());
}

/// With the weights packed when it is made. All but x is constant, or of ConvInteger x and its zero point.
class PackedConvolution final : public Kernel {
 public:
  PackedConvolution(Convolution convolution, const Tensor& w, bool reads_zero)
      : convolution_(std::move(convolution)), w_(convolution_.problem, w.raw()), reads_zero_(reads_zero) {}
  void run(std::span<const Tensor> inputs, std::span<const Tensor> outputs, std::byte* workspace) override {
    kernels::IntegerConv& problem = convolution_.problem;
    if (reads_zero_) problem.x_zero = byte_of(inputs[2]);
    kernels::integer_conv(problem, inputs[0].raw(), w_, reinterpret_cast<int16_t*>(workspace),
                          outputs[0].mutable_raw());
  }
  size_t workspace_bytes() const override { return kernels::level_count(convolution_.problem) * sizeof(int16_t); }
  bool keeps_constant(size_t input) const override { return input != 0 && !(reads_zero_ && input == 2); }

 private:
  Convolution convolution_;
  kernels::PackedWeights w_;
  bool reads_zero_;
};

// `w`: the place of the weights; `zero`: that of x's zero point, when it may be given at run time.
template <class T>
std::unique_ptr<Kernel> make_packed(const T& op, const KernelRequest& request, size_t w, std::optional<size_t> zero,
                                    std::string& refusal) {
  const PackingOperands given(request, zero);
  if (!given.refusal().empty()) return refusal = given.refusal(), nullptr;
  const EvalContext context(given.inputs(), given.outputs());
  return std::make_unique<PackedConvolution>(convolution_of(op, context), context.input(w), given.reads_zero());
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
  convolve(convolution_of(*this, context).problem, context.input(0), context.input(1), context.output());
}

std::span<const FastKernel<ConvInteger>> ConvInteger::fast_kernels() {
  static constexpr FastKernel<ConvInteger> kernels[] = {
      {"packed.conv", [](const ConvInteger& op, const KernelRequest& request, std::string& refusal) {
         return make_packed(op, request, 1, 2, refusal);
       }}};
  return kernels;
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
  convolve(convolution_of(*this, context).problem, context.input(0), context.input(3), context.output());
}

std::span<const FastKernel<QLinearConv>> QLinearConv::fast_kernels() {
  static constexpr FastKernel<QLinearConv> kernels[] = {
      {"packed.conv", [](const QLinearConv& op, const KernelRequest& request, std::string& refusal) {
         return make_packed(op, request, 3, {}, refusal);
       }}};
  return kernels;
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

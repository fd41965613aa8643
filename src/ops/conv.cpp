#include "ops/conv.h"

#include "ops/conv_gradient.h"
#include "ops/declare.h"
#include "ops/dtype_set.h"
#include "ops/extent_checks.h"
#include "ops/fast_checks.h"
#include "ops/prepared_kernel.h"
#include "ops/wider.h"

namespace onemodel {
namespace {

kernels::ConvShape shape_of(const Conv& op, const Dims& x, const Dims& w, const Dims& y) {
  return conv_shape(concrete_window(op.window(), spatial_dims(x), spatial_dims(w)), op.group, x, w, y);
}

std::optional<kernels::xnn::Conv2d> accept(const Conv& op, const KernelRequest& request, std::string& refusal) {
  if (!accepts_f32(request, refusal)) return {};
  auto conv = conv2d_of(shape_of(op, request.dims(0), request.dims(1), request.outputs[0].dims), refusal);
  if (conv) {
    const Clamp clamp = clamp_of(request);
    conv->min = clamp.min;
    conv->max = clamp.max;
  }
  return conv;
}

std::unique_ptr<Kernel> make_conv2d(const Conv& op, const KernelRequest& request, std::string& refusal) {
  if (!request.is_constant(1)) return refusal = "the weights are not constant", nullptr;
  if (request.has(2) && !request.is_constant(2)) return refusal = "the bias is not constant", nullptr;
  const auto conv = accept(op, request, refusal);
  if (!conv) return nullptr;
  const Tensor weights = request.inputs[1].constant.contiguous();
  const Tensor bias = request.has(2) ? request.inputs[2].constant.contiguous() : Tensor();
  return wrap_kernel(
      kernels::xnn::conv2d(*conv, weights.raw_as<float>(), bias.defined() ? bias.raw_as<float>() : nullptr, refusal),
      {0});
}

std::unique_ptr<Kernel> make_conv2d_dynamic(const Conv& op, const KernelRequest& request, std::string& refusal) {
  const auto conv = accept(op, request, refusal);
  if (!conv) return nullptr;
  auto prepared = kernels::xnn::conv2d_dynamic(*conv, request.has(2), refusal);
  return request.has(2) ? wrap_kernel(std::move(prepared), {0, 1, 2}) : wrap_kernel(std::move(prepared), {0, 1});
}

}  // namespace

kernels::ConvShape conv_shape(const kernels::Window& window, int64_t group, const Dims& x, const Dims& w,
                              const Dims& y) {
  return {.batch = x[0],
          .in_channels = x[1],
          .out_channels = w[0],
          .groups = group,
          .input = spatial_dims(x),
          .output = spatial_dims(y),
          .window = window};
}

std::optional<kernels::xnn::Conv2d> conv2d_of(const kernels::ConvShape& shape, std::string& refusal) {
  const size_t spatial = shape.input.size();
  if (spatial == 3) return refusal = "three spatial axes", std::nullopt;
  const size_t last = spatial - 1;
  const auto& window = shape.window;
  kernels::xnn::Conv2d conv{.n = shape.batch,
                            .c = shape.in_channels,
                            .h = spatial == 2 ? shape.input[0] : 1,
                            .w = shape.input[last],
                            .m = shape.out_channels,
                            .kernel_h = spatial == 2 ? window.kernel[0] : 1,
                            .kernel_w = window.kernel[last],
                            .stride_w = window.strides[last],
                            .dilation_w = window.dilations[last],
                            .pad_left = window.pads_begin[last],
                            .pad_right = window.pads_end[last],
                            .groups = shape.groups};
  if (spatial == 2) {
    conv.stride_h = window.strides[0];
    conv.dilation_h = window.dilations[0];
    conv.pad_top = window.pads_begin[0];
    conv.pad_bottom = window.pads_end[0];
  }
  const bool fits = conv.out_w() == shape.output[last] && (spatial == 1 || conv.out_h() == shape.output[0]);
  if (!fits) return refusal = "the output has rows that the window does not give", std::nullopt;
  return conv;
}

Shape conv_output(const InferContext& context, const WindowAttributes& window, int64_t group, size_t w_index) {
  const size_t spatial = check_spatial_rank(context);
  check_window(context, window, spatial);
  const Shape &x = context.shape(0), &w = context.shape(w_index);
  context.check(w.rank() == x.rank(), "'W' expects rank ", x.rank(), " as 'X', got shape ", w);
  context.check<ArgumentError>(group >= 1, "group expects at least 1, got ", group);
  check_equal(context, x[1], w[1] * group, "'X' has ", x[1], " channels, 'W' of shape ", w, " with group=", group,
              " expects ", w[1] * group);
  context.check(!w[0].is_number() || w[0].number() % group == 0, "'W' has ", w[0],
                " output channels, which group=", group, " does not divide");
  const Extents kernel = spatial_extents(w);
  for (size_t i = 0; i < window.kernel_shape.size(); ++i)
    check_equal(context, kernel[i], window.kernel_shape[i], "kernel_shape ", Dims(window.kernel_shape),
                " differs from the extents of 'W', ", w);
  Shape out{x[0], w[0]};
  for (const Extent& extent : window_outputs(context, window, spatial_extents(x), kernel)) out.push_back(extent);
  return out;
}

void check_conv_bias(const InferContext& context, size_t i, size_t w) {
  if (!context.has(i)) return;
  const Extent& channels = context.shape(w)[0];
  context.check(context.rank(i) == 1, "'B' expects rank 1, got shape ", context.shape(i));
  check_equal(context, context.shape(i)[0], channels, "'B' has ", context.shape(i)[0], " elements, 'W' ", channels,
              " output channels");
}

void Conv::infer(InferContext& context) const {
  check_in(context, 0, kFloating);
  context.check_same_dtype(0, 1);
  context.check_same_dtype(0, 2);
  Shape out = conv_output(context, window(), group, 1);
  check_conv_bias(context, 2, 1);
  context.output(context.dtype(0), std::move(out));
}

void Conv::evaluate(EvalContext& context) const {
  in_float32(context, [this](EvalContext& c) {
    const Tensor &x = c.input(0), &w = c.input(1), &y = c.output();
    const auto shape = shape_of(*this, x.dims(), w.dims(), y.dims());
    visit_dtype(x.dtype(), [&](auto tag) {
      using T = typename decltype(tag)::type;
      kernels::conv(shape, x.raw_as<T>(), w.raw_as<T>(), c.has(2) ? c.input(2).raw_as<T>() : nullptr,
                    y.mutable_raw_as<T>());
    });
  });
}

std::span<const FastKernel<Conv>> Conv::fast_kernels() {
  static constexpr FastKernel<Conv> kernels[] = {{"xnn.conv2d", make_conv2d},
                                                 {"simd.conv2d_dynamic", make_conv2d_dynamic}};
  return kernels;
}

Gradients Conv::vjp(GradContext& context) const {
  const Var x = context.input(0), w = context.input(1), g = context.grad();
  const kernels::Window window = concrete_window(this->window(), spatial_dims(x.dims()), spatial_dims(w.dims()));
  Gradients out(3);
  if (context.needs(0)) out[0] = conv_input_gradient(window, group, x.dims(), g, w);
  if (context.needs(1)) out[1] = conv_weight_gradient(window, group, x, g);
  if (context.needs(2)) out[2] = sum_but_channels(g);
  return out;
}

std::vector<Sample> Conv::samples() {
  const auto values = [](const Dims& dims, uint64_t seed) { return sample_values(dims, -1, 1, DType::f32, seed); };
  const Tensor x = values({1, 2, 5, 4}, 1), w = values({3, 2, 3, 3}, 2);
  return {
      {Conv{.pads = {1, 1, 1, 1}}, {x, w, values({3}, 3)}},
      {Conv{.dilations = {2, 1}, .pads = {2, 0, 1, 1}, .strides = {1, 2}}, {x, w}},
      {Conv{.auto_pad = "SAME_UPPER", .strides = {2, 2}}, {x, values({2, 2, 2, 3}, 2), values({2}, 3)}},
      {Conv{.auto_pad = "SAME_LOWER"}, {x, values({1, 2, 2, 2}, 2)}},
      {Conv{.auto_pad = "VALID", .group = 2, .kernel_shape = {2, 2}}, {x, values({4, 1, 2, 2}, 2), values({4}, 3)}},
      {Conv{.group = 4, .pads = {1, 1}}, {values({2, 4, 7}, 1), values({4, 1, 3}, 2)}},
      {Conv{.dilations = {2}, .strides = {3}}, {values({1, 2, 9}, 1), values({2, 2, 2}, 2), values({2}, 3)}},
      {Conv{.pads = {1, 0, 0, 0, 1, 0}}, {values({1, 1, 3, 3, 3}, 1), values({2, 1, 2, 2, 2}, 2), values({2}, 3)}},
      {Conv{}, {x, values({3, 1, 3, 3}, 2)}, "'X' has 2 channels, 'W' of shape [3, 1, 3, 3] with group=1 expects 1"},
      {Conv{.group = 2}, {x, values({3, 1, 3, 3}, 2)}, "3 output channels, which group=2 does not divide"},
      {Conv{}, {x, values({3, 2, 6, 1}, 2)}, "a window that spans 6 does not fit axis 2 of size 5"},
      {Conv{.strides = {1}}, {x, w}, "strides expects 2 numbers, got 1"},
      {Conv{.pads = {0, 0, -1, 0}}, {x, w}, "pads expects numbers of at least 0, got -1"},
      {Conv{.auto_pad = "SAME"}, {x, w}, "auto_pad expects NOTSET, SAME_UPPER, SAME_LOWER or VALID"},
      {Conv{.auto_pad = "VALID", .pads = {1, 1, 1, 1}}, {x, w}, "pads and auto_pad=VALID exclude each other"},
      {Conv{.kernel_shape = {2, 2}}, {x, w}, "kernel_shape [2, 2] differs from the extents of 'W'"},
      {Conv{}, {x, w, values({2}, 3)}, "'B' has 2 elements, 'W' 3 output channels"},
      {Conv{},
       {values({2, 3}, 1), values({2, 3}, 2)},
       "'X' expects [batch, channels, 1 to 3 spatial axes], got shape [2, 3]"}};
}

ONEMODEL_OPERATOR(Conv)

}  // namespace onemodel

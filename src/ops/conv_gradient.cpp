#include "ops/conv_gradient.h"

#include "ops/conv.h"
#include "ops/conv_transpose.h"
#include "ops/declare.h"
#include "ops/dtype_set.h"
#include "ops/extent_checks.h"
#include "ops/fast_checks.h"
#include "ops/prepared_kernel.h"
#include "ops/wider.h"

namespace onemodel {
namespace {

kernels::ConvShape shape_of(const ConvWeightGradient& op, const Dims& x, const Dims& dy, const Dims& dw) {
  return conv_shape(concrete_window(op.window(), spatial_dims(x), spatial_dims(dw)), op.group, x, dw, dy);
}

}  // namespace

void ConvWeightGradient::infer(InferContext& context) const {
  check_in(context, 0, kFloating);
  context.check_same_dtype(0, 1);
  const size_t spatial = check_spatial_rank(context);
  check_window(context, window(), spatial);
  context.check<ArgumentError>(kernel_shape.size() == spatial, "kernel_shape expects ", spatial, " numbers, got ",
                               kernel_shape.size());
  const Shape &x = context.shape(0), &dy = context.shape(1);
  context.check(dy.rank() == x.rank(), "'dY' expects rank ", x.rank(), ", got shape ", dy);
  check_equal(context, dy[0], x[0], "'X' of shape ", x, " and 'dY' of shape ", dy, " have different batches");
  const Extents expected =
      window_outputs(context, window(), spatial_extents(x), Extents(kernel_shape.begin(), kernel_shape.end()));
  for (size_t i = 0; i < spatial; ++i)
    check_equal(context, dy[i + 2], expected[i], "'dY' of shape ", dy, " expects ", expected[i], " along axis ", i + 2);
  for (const Extent& channels : {x[1], dy[1]})
    context.check(group >= 1 && (!channels.is_number() || channels.number() % group == 0), "group=", group,
                  " does not divide ", channels, " channels");
  Shape out{dy[1], floor_div(x[1], group)};
  for (int64_t extent : kernel_shape) out.push_back(extent);
  context.output(context.dtype(0), std::move(out));
}

void ConvWeightGradient::evaluate(EvalContext& context) const {
  in_float32(context, [this](EvalContext& c) {
    const Tensor &x = c.input(0), &dy = c.input(1), &dw = c.output();
    const auto shape = shape_of(*this, x.dims(), dy.dims(), dw.dims());
    visit_dtype(x.dtype(), [&](auto tag) {
      using T = typename decltype(tag)::type;
      kernels::conv_weight_gradient(shape, x.raw_as<T>(), dy.raw_as<T>(), dw.mutable_raw_as<T>());
    });
  });
}

std::span<const FastKernel<ConvWeightGradient>> ConvWeightGradient::fast_kernels() {
  static constexpr FastKernel<ConvWeightGradient> kernels[] = {
      {"simd.conv2d_weight_gradient",
       [](const ConvWeightGradient& op, const KernelRequest& request, std::string& refusal) -> std::unique_ptr<Kernel> {
         if (!accepts_plain_f32(request, refusal)) return nullptr;
         const auto shape = shape_of(op, request.dims(0), request.dims(1), request.outputs[0].dims);
         const auto conv = conv2d_of(shape, refusal);
         return conv ? wrap_kernel(kernels::xnn::conv2d_weight_gradient(*conv, refusal), {0, 1}) : nullptr;
       }}};
  return kernels;
}

Gradients ConvWeightGradient::vjp(GradContext& context) const {
  const Var x = context.input(0), dy = context.input(1), g = context.grad();
  const kernels::Window window = concrete_window(this->window(), spatial_dims(x.dims()), Dims(kernel_shape));
  return {context.needs(0) ? conv_input_gradient(window, group, x.dims(), dy, g) : Var(),
          context.needs(1) ? convolve(window, group, x, g) : Var()};
}

std::vector<Sample> ConvWeightGradient::samples() {
  const auto values = [](const Dims& dims, uint64_t seed) { return sample_values(dims, -1, 1, DType::f32, seed); };
  const Tensor x = values({2, 2, 5, 4}, 1);
  return {{ConvWeightGradient{.kernel_shape = {3, 3}, .pads = {1, 1, 1, 1}}, {x, values({2, 3, 5, 4}, 2)}},
          {ConvWeightGradient{.group = 2, .kernel_shape = {2, 2}, .strides = {2, 1}}, {x, values({2, 4, 2, 3}, 2)}},
          {ConvWeightGradient{.dilations = {2}, .kernel_shape = {3}, .pads = {2, 1}, .strides = {2}},
           {values({1, 3, 6}, 1), values({1, 2, 3}, 2)}},
          {ConvWeightGradient{.kernel_shape = {2, 1, 2}}, {values({1, 1, 3, 2, 3}, 1), values({1, 2, 2, 2, 2}, 2)}},
          {ConvWeightGradient{.kernel_shape = {3, 3}}, {x, values({2, 3, 5, 4}, 2)}, "expects 3 along axis 2"},
          {ConvWeightGradient{.kernel_shape = {3, 3}}, {x, values({1, 3, 3, 2}, 2)}, "have different batches"},
          {ConvWeightGradient{}, {x, values({2, 3, 5, 4}, 2)}, "kernel_shape expects 2 numbers, got 0"},
          {ConvWeightGradient{.group = 2, .kernel_shape = {1, 1}},
           {x, values({2, 3, 5, 4}, 2)},
           "group=2 does not divide 3 channels"}};
}

Var conv_input_gradient(const kernels::Window& window, int64_t group, const Dims& x, const Var& grad,
                        const Var& weights) {
  ConvTranspose op{.dilations = window.dilations.vector(),
                   .group = group,
                   .pads = onnx_pads(window),
                   .strides = window.strides.vector()};
  for (size_t i = 0; i < window.kernel.size(); ++i) {
    const int64_t span = window.dilations[i] * (window.kernel[i] - 1) + 1;
    const int64_t reached = window.strides[i] * (grad.dims()[i + 2] - 1) + span;
    op.output_padding.push_back(x[i + 2] + window.pads_begin[i] + window.pads_end[i] - reached);
  }
  return apply(op, {grad, weights});
}

Var conv_weight_gradient(const kernels::Window& window, int64_t group, const Var& x, const Var& grad) {
  return apply(ConvWeightGradient{.dilations = window.dilations.vector(),
                                  .group = group,
                                  .kernel_shape = window.kernel.vector(),
                                  .pads = onnx_pads(window),
                                  .strides = window.strides.vector()},
               {x, grad});
}

Var convolve(const kernels::Window& window, int64_t group, const Var& x, const Var& weights) {
  return apply(Conv{.dilations = window.dilations.vector(),
                    .group = group,
                    .pads = onnx_pads(window),
                    .strides = window.strides.vector()},
               {x, weights});
}

Var sum_but_channels(const Var& grad) {
  std::vector<int64_t> axes{0};
  for (size_t i = 2; i < grad.rank(); ++i) axes.push_back(static_cast<int64_t>(i));
  return reduce_sum(grad, axes, false);
}

ONEMODEL_OPERATOR(ConvWeightGradient)

}  // namespace onemodel

#include "ops/conv_transpose.h"

#include "kernels/thread_pool.h"
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

// The window of the convolution from Y to X that this is the transpose of: `x` and `y` are spatial
// extents.
kernels::Window window_of(const ConvTranspose& op, const Dims& x, const Dims& kernel, const Dims& y) {
  WindowAttributes attributes = op.window();
  const std::string_view mode = attributes.auto_pad;
  attributes.auto_pad = "NOTSET";
  kernels::Window window = concrete_window(attributes, x, kernel);
  for (size_t i = 0; i < x.size(); ++i) {
    const int64_t reached = window.strides[i] * (x[i] - 1) + window.dilations[i] * (kernel[i] - 1) + 1;
    if (!op.output_shape.empty() || mode.starts_with("SAME")) {
      const int64_t extra = op.output_padding.empty() ? 0 : op.output_padding[i];
      const int64_t total = std::max<int64_t>(reached + extra - y[i], 0);
      window.pads_begin[i] = mode == "SAME_UPPER" ? total / 2 : total - total / 2;
    }
    // With output padding less is cut at the end, or nothing is and rows are left that no window
    // reaches.
    window.pads_end[i] = std::max<int64_t>(reached - y[i] - window.pads_begin[i], 0);
  }
  return window;
}

kernels::ConvShape shape_of(const ConvTranspose& op, const Dims& x, const Dims& w, const Dims& y) {
  return conv_shape(window_of(op, spatial_dims(x), spatial_dims(w), spatial_dims(y)), op.group, y, w, x);
}

// Adds a bias to what another kernel computes, and bounds it.
class WithBias final : public Kernel {
 public:
  WithBias(std::unique_ptr<Kernel> inner, const Dims& y, bool bias, Clamp clamp)
      : inner_(std::move(inner)), planes_(y[0] * y[1]), channels_(y[1]), bias_(bias), clamp_(clamp) {
    size_ = numel(spatial_dims(y));
  }

  void run(std::span<const Tensor> inputs, std::span<const Tensor> outputs, std::byte* workspace) override {
    inner_->run(inputs, outputs, workspace);
    float* y = outputs[0].mutable_raw_as<float>();
    const float* bias = bias_ ? inputs[2].raw_as<float>() : nullptr;
    thread_pool().parallel_for(static_cast<size_t>(planes_), 1, [&](size_t begin, size_t end) {
      for (size_t plane = begin; plane < end; ++plane) {
        const float shift = bias ? bias[static_cast<int64_t>(plane) % channels_] : 0;
        float* row = y + static_cast<int64_t>(plane) * size_;
        for (int64_t i = 0; i < size_; ++i) {
          const float value = row[i] + shift;
          row[i] = value < clamp_.min ? clamp_.min : value > clamp_.max ? clamp_.max : value;
        }
      }
    });
  }
  size_t workspace_bytes() const override { return inner_->workspace_bytes(); }

 private:
  std::unique_ptr<Kernel> inner_;
  int64_t planes_, channels_, size_;
  bool bias_;
  Clamp clamp_;
};

}  // namespace

void ConvTranspose::infer(InferContext& context) const {
  check_in(context, 0, kFloating);
  context.check_same_dtype(0, 1);
  context.check_same_dtype(0, 2);
  const size_t spatial = check_spatial_rank(context);
  const WindowAttributes window = this->window();
  check_window(context, window, spatial);
  const Shape &x = context.shape(0), &w = context.shape(1);
  context.check(w.rank() == x.rank(), "'W' expects rank ", x.rank(), " as 'X', got shape ", w);
  context.check<ArgumentError>(group >= 1, "group expects at least 1, got ", group);
  check_equal(context, x[1], w[0], "'X' has ", x[1], " channels, 'W' of shape ", w, " expects ", w[0]);
  context.check(!x[1].is_number() || x[1].number() % group == 0, "'X' has ", x[1], " channels, which group=", group,
                " does not divide");
  const Extent channels = w[1] * group;
  if (context.has(2)) {
    context.check(context.rank(2) == 1, "'B' expects rank 1, got shape ", context.shape(2));
    check_equal(context, context.shape(2)[0], channels, "'B' has ", context.shape(2)[0], " elements, expected ",
                channels);
  }
  const Extents kernel = spatial_extents(w);
  for (size_t i = 0; i < kernel_shape.size(); ++i)
    check_equal(context, kernel[i], kernel_shape[i], "kernel_shape ", Dims(kernel_shape),
                " differs from the extents of 'W', ", w);
  check_list(context, "output_padding", output_padding, spatial, 0);
  check_list(context, "output_shape", output_shape, spatial, 1);
  Shape out{x[0], channels};
  for (size_t i = 0; i < spatial; ++i) {
    const int64_t stride = window.stride(i), extra = output_padding.empty() ? 0 : output_padding[i];
    context.check<ArgumentError>(extra < stride, "output_padding expects numbers below the stride ", stride, ", got ",
                                 extra);
    context.check(x[i + 2] != Extent(0), "'X' of shape ", x, " has no rows along axis ", i + 2);
    const Extent span = kernel[i] * window.dilation(i) + Extent(1 - window.dilation(i));
    const Extent reached = x[i + 2] * stride + (span - stride);
    Extent size = x[i + 2] * stride + ((span - stride) + (extra - window.pad_begin(i) - window.pad_end(i)));
    if (window.is_same()) size = x[i + 2] * stride;
    if (!output_shape.empty()) size = output_shape[i];
    context.check(!size.is_number() || size.number() >= 1, "the result would have ", size, " rows along axis ", i + 2,
                  " (input ", x[i + 2], ", stride ", stride, ", span ", span, ", pads ", window.pad_begin(i), " and ",
                  window.pad_end(i), ")");
    if (size.is_number() && reached.is_number())
      context.check(size.number() - reached.number() < stride, "output_shape asks for ", size, " rows along axis ",
                    i + 2, ", of which windows reach ", reached, ": at most ", stride - 1, " may be left");
    out.push_back(size);
  }
  context.output(context.dtype(0), std::move(out));
}

void ConvTranspose::evaluate(EvalContext& context) const {
  in_float32(context, [this](EvalContext& c) {
    const Tensor &x = c.input(0), &w = c.input(1), &y = c.output();
    const auto shape = shape_of(*this, x.dims(), w.dims(), y.dims());
    visit_dtype(x.dtype(), [&](auto tag) {
      using T = typename decltype(tag)::type;
      kernels::conv_transpose(shape, x.raw_as<T>(), w.raw_as<T>(), c.has(2) ? c.input(2).raw_as<T>() : nullptr,
                              y.mutable_raw_as<T>());
    });
  });
}

std::span<const FastKernel<ConvTranspose>> ConvTranspose::fast_kernels() {
  static constexpr FastKernel<ConvTranspose> kernels[] = {
      {"simd.conv2d_input_gradient",
       [](const ConvTranspose& op, const KernelRequest& request, std::string& refusal) -> std::unique_ptr<Kernel> {
         if (!accepts_f32(request, refusal)) return nullptr;
         const Dims& y = request.outputs[0].dims;
         const auto conv = conv2d_of(shape_of(op, request.dims(0), request.dims(1), y), refusal);
         if (!conv) return nullptr;
         auto kernel = wrap_kernel(kernels::xnn::conv2d_input_gradient(*conv, refusal), {0, 1});
         if (!kernel || (!request.has(2) && !request.clamp)) return kernel;
         return std::make_unique<WithBias>(std::move(kernel), y, request.has(2), clamp_of(request));
       }}};
  return kernels;
}

Gradients ConvTranspose::vjp(GradContext& context) const {
  const Var x = context.input(0), w = context.input(1), g = context.grad();
  const kernels::Window window =
      window_of(*this, spatial_dims(x.dims()), spatial_dims(w.dims()), spatial_dims(g.dims()));
  Gradients out(3);
  if (context.needs(0)) out[0] = convolve(window, group, g, w);
  if (context.needs(1)) out[1] = conv_weight_gradient(window, group, g, x);
  if (context.needs(2)) out[2] = sum_but_channels(g);
  return out;
}

std::vector<Sample> ConvTranspose::samples() {
  const auto values = [](const Dims& dims, uint64_t seed) { return sample_values(dims, -1, 1, DType::f32, seed); };
  const Tensor x = values({1, 2, 3, 2}, 1), w = values({2, 3, 3, 3}, 2);
  return {{ConvTranspose{.pads = {1, 1, 1, 1}}, {x, w, values({3}, 3)}},
          {ConvTranspose{.output_padding = {1, 0}, .pads = {1, 0, 1, 1}, .strides = {2, 2}}, {x, w}},
          {ConvTranspose{.auto_pad = "SAME_UPPER", .strides = {2, 2}}, {x, w}},
          {ConvTranspose{.auto_pad = "SAME_LOWER", .strides = {3, 3}}, {x, values({2, 1, 2, 2}, 2)}},
          {ConvTranspose{.output_shape = {6, 5}, .strides = {2, 2}}, {x, w}},
          {ConvTranspose{.dilations = {2}, .group = 2, .strides = {2}},
           {values({2, 4, 3}, 1), values({4, 1, 2}, 2), values({2}, 3)}},
          {ConvTranspose{.strides = {2, 1, 1}}, {values({1, 1, 2, 2, 2}, 1), values({1, 2, 1, 2, 2}, 2)}},
          {ConvTranspose{}, {x, values({3, 2, 3, 3}, 2)}, "'X' has 2 channels, 'W' of shape [3, 2, 3, 3] expects 3"},
          {ConvTranspose{.output_padding = {1, 1}}, {x, w}, "output_padding expects numbers below the stride 1, got 1"},
          {ConvTranspose{.pads = {3, 0, 3, 0}}, {x, w}, "the result would have -1 rows along axis 2"},
          {ConvTranspose{.output_shape = {9, 4}},
           {x, w},
           "output_shape asks for 9 rows along axis 2, of which windows reach 5: at most 0 may be left"},
          {ConvTranspose{.output_shape = {9}}, {x, w}, "output_shape expects 2 numbers, got 1"},
          {ConvTranspose{}, {x, w, values({2}, 3)}, "'B' has 2 elements, expected 3"}};
}

ONEMODEL_OPERATOR(ConvTranspose)

}  // namespace onemodel

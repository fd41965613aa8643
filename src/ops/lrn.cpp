#include "ops/lrn.h"

#include <limits>

#include "ops/declare.h"
#include "ops/dtype_set.h"
#include "ops/formula.h"
#include "ops/pool.h"
#include "ops/pool_gradient.h"

namespace onemodel {
namespace {

// The channels as the rows of one image, so that their windows are those of a pool.
Var as_images(const Var& x) {
  const Dims& dims = x.dims();
  return reshape(x, Dims{dims[0], 1, dims[1], x.tensor().numel() / (dims[0] * dims[1])});
}

std::vector<int64_t> pads_of(int64_t size) { return {(size - 1) / 2, 0, size / 2, 0}; }

Var channel_means(const Var& x, int64_t size) {
  const AveragePool pool{.count_include_pad = true, .kernel_shape = {size, 1}, .pads = pads_of(size)};
  return reshape(apply(pool, {as_images(x)}), x.dims());
}

// The gradient of channel_means.
Var spread(const Var& g, int64_t size) {
  const AveragePoolGradient pool{.count_include_pad = true, .kernel_shape = {size, 1}, .pads = pads_of(size)};
  const Var images = as_images(g);
  return reshape(apply(pool, {images, images}), g.dims());
}

Var divisor_base(const LRN& op, const Var& x) {
  return channel_means(x * x, op.size) * static_cast<double>(op.alpha) + static_cast<double>(op.bias);
}

}  // namespace

void LRN::infer(InferContext& context) const {
  check_in(context, 0, kFloating);
  context.check(context.rank(0) >= 2, "'X' expects [batch, channels, spatial...], got shape ", context.shape(0));
  context.check<ArgumentError>(size >= 1 && size <= std::numeric_limits<int32_t>::max(),
                               "size expects a number from 1 up, got ", size);
  context.output(context.dtype(0), context.shape(0));
}

void LRN::evaluate(EvalContext& context) const {
  if (context.input(0).numel() == 0) return;
  evaluate_formula(info.name, context, [this](std::span<const Var> inputs) {
    const Var x = widen(inputs[0]);
    return x * pow(divisor_base(*this, x), -static_cast<double>(beta));
  });
}

Gradients LRN::vjp(GradContext& context) const {
  const Var x = context.input(0), g = context.grad();
  if (x.tensor().numel() == 0) return {g};
  const auto a = static_cast<double>(alpha), b = static_cast<double>(beta);
  const Var base = divisor_base(*this, x);
  return {g * pow(base, -b) - x * spread(g * x * pow(base, -b - 1), size) * (2 * a * b)};
}

std::vector<Sample> LRN::samples() {
  const Tensor x = sample_values({2, 5, 3, 2});
  return {{LRN{.alpha = 0.5f, .size = 3}, {x}},
          {LRN{.alpha = 0.9f, .beta = 0.5f, .bias = 2, .size = 4}, {x}},
          {LRN{.size = 1}, {sample_values({3, 4})}},
          {LRN{.alpha = 1, .size = 9}, {sample_values({1, 3, 4})}},
          {LRN{.size = 0}, {x}, "size expects a number from 1 up, got 0"},
          {LRN{.size = 3}, {sample_values({4})}, "'X' expects [batch, channels, spatial...], got shape [4]"},
          {LRN{.size = 3}, {x.cast(DType::i32)}, "input 'X' expects a floating-point type, got int32"}};
}

ONEMODEL_OPERATOR(LRN)

}  // namespace onemodel

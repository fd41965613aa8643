#include "ops/layer_normalization.h"

#include "kernels/portable/layer_norm.h"
#include "ops/conv_gradient.h"
#include "ops/declare.h"
#include "ops/dtype_set.h"
#include "ops/extent_checks.h"
#include "ops/reduce.h"

namespace onemodel {
namespace {

Dims axes_from(size_t first, size_t rank) {
  Dims axes;
  for (size_t i = first; i < rank; ++i) axes.push_back(static_cast<int64_t>(i));
  return axes;
}

Var mean_over(const Var& v, const Dims& axes) {
  if (!v.defined()) return v;
  return apply(ReduceMean{.keepdims = true, .noop_with_empty_axes = true},
               {v, Var(Tensor::from_ints(axes.vector()), &v.applier())});
}

// What the gradients are made of: half precision is widened.
struct Normalised {
  Dims axes;
  Var unit, inverse;  // (x - mean) * inverse, and 1 / sqrt(variance + epsilon)
};

DType wide(DType dtype) { return dtype == DType::f64 ? DType::f64 : DType::f32; }

Normalised normalised(const Var& x, const Dims& axes, double epsilon) {
  const Var values = cast(x, wide(x.dtype()));
  const Var centred = values - mean_over(values, axes);
  const Var inverse = values.constant(1) / sqrt(mean_over(centred * centred, axes) + epsilon);
  return {axes, centred * inverse, inverse};
}

// By x, from the gradient by `unit`: inverse * (g - mean(g) - unit * mean(g * unit)); Ba, Kiros and Hinton, "Layer
// normalization" (2016), differentiated.
Var input_gradient(const Normalised& n, const Var& g) {
  if (!g.defined()) return g;
  return n.inverse * (g - mean_over(g, n.axes) - n.unit * mean_over(g * n.unit, n.axes));
}

}  // namespace

void LayerNormalization::infer(InferContext& context) const {
  check_in(context, 0, kFloating);
  context.check_same_dtype(0, 1);
  context.check_same_dtype(0, 2);
  context.check<ArgumentError>(stash_type == DType::f32 || stash_type == DType::bf16,
                               "stash_type expects float32 (1) or bfloat16 (16), got ", stash_type);
  const Shape& x = context.shape(0);
  const size_t first = context.axis(axis, x.rank());
  Shape normal, statistics = x;
  for (size_t i = first; i < x.rank(); ++i) {
    normal.push_back(x[i]);
    statistics[i] = 1;
  }
  for (size_t i = 1; i < context.input_count(); ++i)
    if (context.has(i)) check_broadcasts_to(context, context.shape(i), normal, inputs[i].name);
  context.output(context.dtype(0), x);
  for (size_t i = 1; i < context.output_count(); ++i) context.output(i, stash_type, statistics);
}

void LayerNormalization::evaluate(EvalContext& context) const {
  const Tensor& x = context.input(0);
  const size_t first = normalize_axis(info.name, axis, x.rank());
  const Dims normal(std::span(x.dims().begin() + first, x.dims().end()));
  const int64_t rows = numel(Dims(std::span(x.dims().begin(), first))), length = numel(normal);
  const auto expanded = [&](size_t i) {
    if (!context.has(i)) return Tensor();
    return context.input(i).expand(normal).contiguous();
  };
  const Tensor scale = expanded(1), bias = expanded(2);
  const auto statistic = [&](size_t i) {
    return context.has_output(i) ? Tensor::empty(context.output(i).dims(), DType::f64) : Tensor();
  };
  const Tensor mean = statistic(1), inverse = statistic(2);
  visit_dtype(x.dtype(), [&](auto tag) {
    using T = typename decltype(tag)::type;
    kernels::layer_norm<T>(rows, length, x.raw_as<T>(),
                           {scale.raw_as<T>(), bias.defined() ? bias.raw_as<T>() : nullptr},
                           static_cast<double>(epsilon), context.output().mutable_raw_as<T>(),
                           mean.defined() ? mean.mutable_raw_as<double>() : nullptr,
                           inverse.defined() ? inverse.mutable_raw_as<double>() : nullptr);
  });
  if (mean.defined()) Tensor(context.output(1)).copy_from(mean);
  if (inverse.defined()) Tensor(context.output(2)).copy_from(inverse);
}

Gradients LayerNormalization::vjp(GradContext& context) const {
  const Var x = context.input(0), scale = context.input(1);
  const DType dtype = wide(x.dtype());
  const Dims axes = axes_from(normalize_axis(info.name, axis, x.rank()), x.rank());
  const Normalised n = normalised(x, axes, static_cast<double>(epsilon));
  const Var g = cast(context.grad(0), dtype);
  Gradients out(3);
  if (context.needs(0)) {
    Var dx = input_gradient(n, g * cast(scale, dtype));
    int64_t count = 1;
    for (const int64_t a : axes) count *= x.dims()[static_cast<size_t>(a)];
    const double share = 1.0 / static_cast<double>(count);
    dx = dx + expand(cast(context.grad(1), dtype) * share, x.dims());
    dx = dx - cast(context.grad(2), dtype) * n.inverse * n.inverse * n.unit * share;
    out[0] = cast(dx, x.dtype());
  }
  if (context.needs(1)) out[1] = cast(reduce_to(g * n.unit, scale.dims()), x.dtype());
  if (context.has(2) && context.needs(2)) out[2] = cast(reduce_to(g, context.input(2).dims()), x.dtype());
  return out;
}

std::vector<Sample> LayerNormalization::samples() {
  const auto values = [](const Dims& dims, uint64_t seed) { return sample_values(dims, -2, 2, DType::f32, seed); };
  const Tensor x = values({2, 3, 4}, 1), scale = values({4}, 2), bias = values({4}, 3);
  return {{LayerNormalization{}, {x, scale, bias}, {}, 1, 4e-6},
          {LayerNormalization{.epsilon = 0.1f}, {x, scale}, {}, 1, 4e-6},
          {LayerNormalization{.axis = 1}, {x, values({3, 4}, 2), values({4}, 3)}, {}, 1, 4e-6},
          {LayerNormalization{.axis = 0}, {values({5}, 1), values({1}, 2), values({}, 3)}, {}, 1, 4e-6},
          {LayerNormalization{.axis = -2}, {x, values({3, 1}, 2), bias}, {}, 3, 4e-6, false},
          {LayerNormalization{.stash_type = DType::bf16}, {x, scale, bias}, {}, 2, 1e-2, false},
          {LayerNormalization{.axis = 3}, {x, scale}, "axis 3 is out of range for rank 3"},
          {LayerNormalization{.stash_type = DType::f64}, {x, scale}, "stash_type expects float32 (1) or bfloat16 (16)"},
          {LayerNormalization{}, {x, values({3}, 2)}, "'Scale' of shape [3] does not broadcast to [4]"},
          {LayerNormalization{}, {x, scale, values({3, 4}, 3)}, "'B' of shape [3, 4] does not broadcast to [4]"},
          {LayerNormalization{}, {x, scale.cast(DType::f64)}, "must have one dtype, got float32 and float64"}};
}

void InstanceNormalization::infer(InferContext& context) const {
  check_in(context, 0, kFloating);
  const Shape& x = context.shape(0);
  context.check(x.rank() >= 3, "'input' expects [batch, channels, spatial...], got shape ", x);
  for (size_t i = 1; i < 3; ++i) {
    context.check_same_dtype(0, i);
    context.check(context.rank(i) == 1, "'", inputs[i].name, "' expects [channels], got shape ", context.shape(i));
    check_equal(context, context.shape(i)[0], x[1], "'", inputs[i].name, "' has ", context.shape(i)[0],
                " elements, 'input' ", x[1], " channels");
  }
  context.output(context.dtype(0), x);
}

void InstanceNormalization::evaluate(EvalContext& context) const {
  const Tensor& x = context.input(0);
  const Dims& dims = x.dims();
  const int64_t length = numel(Dims(std::span(dims.begin() + 2, dims.end())));
  visit_dtype(x.dtype(), [&](auto tag) {
    using T = typename decltype(tag)::type;
    kernels::layer_norm<T>(dims[0] * dims[1], length, x.raw_as<T>(),
                           {context.input(1).raw_as<T>(), context.input(2).raw_as<T>(), dims[1]},
                           static_cast<double>(epsilon), context.output().mutable_raw_as<T>(), nullptr, nullptr);
  });
}

Gradients InstanceNormalization::vjp(GradContext& context) const {
  const Var x = context.input(0);
  const DType dtype = wide(x.dtype());
  const Normalised n = normalised(x, axes_from(2, x.rank()), static_cast<double>(epsilon));
  const Var g = cast(context.grad(), dtype);
  Dims channel = Dims::filled(x.rank() - 1, 1);
  channel[0] = x.dims()[1];
  Gradients out(3);
  if (context.needs(0))
    out[0] = cast(input_gradient(n, g * reshape(cast(context.input(1), dtype), channel)), x.dtype());
  if (context.needs(1)) out[1] = cast(sum_but_channels(g * n.unit), x.dtype());
  if (context.needs(2)) out[2] = cast(sum_but_channels(g), x.dtype());
  return out;
}

std::vector<Sample> InstanceNormalization::samples() {
  const auto values = [](const Dims& dims, uint64_t seed) { return sample_values(dims, -2, 2, DType::f32, seed); };
  const Tensor x = values({2, 3, 2, 4}, 1), scale = values({3}, 2), bias = values({3}, 3);
  return {{InstanceNormalization{}, {x, scale, bias}, {}, 1, 4e-6},
          {InstanceNormalization{.epsilon = 0.1f}, {values({1, 2, 7}, 1), values({2}, 2), values({2}, 3)}, {}, 1, 4e-6},
          {InstanceNormalization{}, {values({2, 1, 2, 2, 3}, 1), values({1}, 2), values({1}, 3)}, {}, 1, 4e-6},
          {InstanceNormalization{}, {values({2, 3}, 1), scale, bias}, "'input' expects [batch, channels, spatial...]"},
          {InstanceNormalization{}, {x, values({4}, 2), bias}, "'scale' has 4 elements, 'input' 3 channels"},
          {InstanceNormalization{}, {x, scale, values({3, 1}, 3)}, "'B' expects [channels], got shape [3, 1]"}};
}

ONEMODEL_OPERATOR(LayerNormalization)
ONEMODEL_OPERATOR(InstanceNormalization)

}  // namespace onemodel

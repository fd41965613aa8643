#include "ops/pool_gradient.h"

#include "ops/declare.h"
#include "ops/dtype_set.h"
#include "ops/extent_checks.h"
#include "ops/gather.h"
#include "ops/pool.h"

namespace onemodel {
namespace {

void infer_gradient(InferContext& context, const WindowAttributes& window) {
  check_in(context, 0, kFloating);
  context.check_same_dtype(0, 1);
  const Shape expected = pool_shape(context, window);
  const Shape& dy = context.shape(1);
  context.check(dy.rank() == expected.rank(), "'dY' expects shape ", expected, ", got ", dy);
  for (size_t i = 0; i < dy.rank(); ++i)
    check_equal(context, dy[i], expected[i], "'dY' expects shape ", expected, ", got ", dy);
  context.output(context.dtype(0), context.shape(0));
}

Tensor sample_of(const Dims& dims, uint64_t seed) { return sample_values(dims, -2, 2, DType::f32, seed); }

}  // namespace

void MaxPoolGradient::infer(InferContext& context) const { infer_gradient(context, window()); }

void MaxPoolGradient::evaluate(EvalContext& context) const {
  const Tensor &x = context.input(0), &dy = context.input(1);
  const auto shape = pool_operands(window(), x.dims(), dy.dims());
  const Tensor maxima = Tensor::empty(dy.dims(), dy.dtype()), indices = Tensor::empty(dy.dims(), DType::i64);
  visit_dtype(x.dtype(), [&](auto tag) {
    using T = typename decltype(tag)::type;
    kernels::max_pool(shape, x.raw_as<T>(), maxima.mutable_raw_as<T>(), indices.mutable_raw_as<int64_t>());
    kernels::max_pool_gradient(shape, dy.raw_as<T>(), indices.raw_as<int64_t>(), context.output().mutable_raw_as<T>());
  });
}

Gradients MaxPoolGradient::vjp(GradContext& context) const {
  Gradients out(2);  // by X it is 0 wherever it is defined
  if (!context.needs(1)) return out;
  const Var x = context.input(0), g = context.grad();
  const MaxPool pool{.auto_pad = auto_pad,
                     .ceil_mode = ceil_mode,
                     .dilations = dilations,
                     .kernel_shape = kernel_shape,
                     .pads = pads,
                     .strides = strides};
  const Tensor inputs[] = {x.tensor()};
  const Var indices = context.constant(x.applier().apply(pool, inputs, 2)[1]);
  const Var flat = reshape(g, Dims{numel(g.dims())});
  const Var outside = less(indices, indices.constant(0));
  out[1] = where(outside, g.constant(0), apply(Gather{.axis = 0}, {flat, indices}));
  return out;
}

std::vector<Sample> MaxPoolGradient::samples() {
  const Tensor x = sample_of({1, 2, 5, 4}, 1);
  return {{MaxPoolGradient{.kernel_shape = {2, 2}, .strides = {2, 2}}, {x, sample_of({1, 2, 2, 2}, 2)}},
          {MaxPoolGradient{.ceil_mode = true, .kernel_shape = {3, 2}, .pads = {1, 0, 1, 1}, .strides = {2, 3}},
           {x, sample_of({1, 2, 3, 2}, 2)}},
          {MaxPoolGradient{.auto_pad = "SAME_UPPER", .dilations = {2}, .kernel_shape = {2}},
           {sample_of({2, 1, 7}, 1), sample_of({2, 1, 7}, 2)}},
          {MaxPoolGradient{.kernel_shape = {2, 2}},
           {x, sample_of({1, 2, 2, 2}, 2)},
           "'dY' expects shape [1, 2, 4, 3], got [1, 2, 2, 2]"}};
}

void AveragePoolGradient::infer(InferContext& context) const { infer_gradient(context, window()); }

void AveragePoolGradient::evaluate(EvalContext& context) const {
  const Tensor &x = context.input(0), &dy = context.input(1);
  const auto shape = pool_operands(window(), x.dims(), dy.dims());
  visit_dtype(x.dtype(), [&](auto tag) {
    using T = typename decltype(tag)::type;
    kernels::average_pool_gradient(shape, count_include_pad, dy.raw_as<T>(), context.output().mutable_raw_as<T>());
  });
}

Gradients AveragePoolGradient::vjp(GradContext& context) const {
  Gradients out(2);
  if (context.needs(1))
    out[1] = apply(AveragePool{.auto_pad = auto_pad,
                               .ceil_mode = ceil_mode,
                               .count_include_pad = count_include_pad,
                               .dilations = dilations,
                               .kernel_shape = kernel_shape,
                               .pads = pads,
                               .strides = strides},
                   {context.grad()});
  return out;
}

std::vector<Sample> AveragePoolGradient::samples() {
  const Tensor x = sample_of({1, 2, 5, 4}, 1);
  return {{AveragePoolGradient{.kernel_shape = {2, 2}, .strides = {2, 2}}, {x, sample_of({1, 2, 2, 2}, 2)}},
          {AveragePoolGradient{.count_include_pad = true, .kernel_shape = {3, 3}, .pads = {1, 1, 1, 1}},
           {x, sample_of({1, 2, 5, 4}, 2)}},
          {AveragePoolGradient{.ceil_mode = true, .kernel_shape = {3, 2}, .pads = {1, 0, 1, 1}, .strides = {2, 3}},
           {x, sample_of({1, 2, 3, 2}, 2)}},
          {AveragePoolGradient{.kernel_shape = {2, 2}},
           {x, sample_of({1, 2, 2, 2}, 2)},
           "'dY' expects shape [1, 2, 4, 3], got [1, 2, 2, 2]"}};
}

ONEMODEL_OPERATOR(MaxPoolGradient)
ONEMODEL_OPERATOR(AveragePoolGradient)

}  // namespace onemodel

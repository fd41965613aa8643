#include "ops/resize.h"

#include <cstring>

#include "kernels/portable/copy.h"
#include "kernels/portable/gather.h"
#include "ops/declare.h"
#include "ops/dtype_set.h"
#include "ops/extent_checks.h"
#include "ops/resize_plan.h"
#include "ops/wider.h"

namespace onemodel {
namespace {

int64_t product(const Dims& dims, size_t begin, size_t end) {
  return numel(Dims(std::span(dims.begin() + begin, dims.begin() + end)));
}

// Puts `value` at the output positions of `axis` that lie outside of X.
void fill_outside(const Tensor& y, const AxisTaps& axis, float value) {
  const int64_t outer = product(y.dims(), 0, axis.axis), inner = product(y.dims(), axis.axis + 1, y.rank());
  visit_dtype(y.dtype(), [&](auto tag) {
    using T = typename decltype(tag)::type;
    const T element = convert<T>(value);
    T* data = y.mutable_raw_as<T>();
    for (int64_t i = 0; i < outer; ++i)
      for (const int64_t o : axis.outside)
        kernels::fill(sizeof(T), inner, &element, data + (i * axis.taps.count + o) * inner);
  });
}

void resample_along(bool nearest, const AxisTaps& axis, const Tensor& x, const Tensor& y) {
  const int64_t outer = product(x.dims(), 0, axis.axis), inner = product(x.dims(), axis.axis + 1, x.rank());
  if (nearest) {
    const kernels::GatherShape shape{outer, axis.taps.extent, inner, axis.taps.count};
    kernels::gather(dtype_size(x.dtype()), shape, x.raw(), axis.taps.index.data(), y.mutable_raw());
    return;
  }
  visit_dtype(x.dtype(), [&](auto tag) {
    using T = typename decltype(tag)::type;
    kernels::resample(outer, inner, axis.taps, x.raw_as<T>(), y.mutable_raw_as<T>());
  });
}

// One axis after the other; the last writes y.
void run_forward(const ResizeAttributes& a, EvalContext& context) {
  Tensor x = context.input(0), y = context.output();
  const std::vector<AxisTaps> axes = resize_taps(a, x.dims(), context.inputs());
  if (axes.empty()) std::memcpy(y.mutable_raw(), x.raw(), x.bytes());
  for (size_t i = 0; i < axes.size(); ++i) {
    Dims dims = x.dims();
    dims[axes[i].axis] = axes[i].taps.count;
    const Tensor to = i + 1 == axes.size() ? y : Tensor::empty(dims, x.dtype());
    resample_along(a.mode == "nearest", axes[i], x, to);
    x = to;
  }
  for (const AxisTaps& axis : axes)
    if (!axis.outside.empty()) fill_outside(y, axis, a.extrapolation_value);
}

// The same backwards.
void run_gradient(const ResizeAttributes& a, EvalContext& context) {
  const Tensor& dx = context.output();
  const std::vector<AxisTaps> axes = resize_taps(a, dx.dims(), context.inputs());
  Tensor dy = context.input(0).clone();
  for (const AxisTaps& axis : axes)
    if (!axis.outside.empty()) fill_outside(dy, axis, 0);
  if (axes.empty()) std::memcpy(dx.mutable_raw(), dy.raw(), dy.bytes());
  for (size_t i = axes.size(); i-- > 0;) {
    const size_t axis = axes[i].axis;
    Dims dims = dy.dims();
    dims[axis] = axes[i].taps.extent;
    const Tensor to = i == 0 ? dx : Tensor::empty(dims, dy.dtype());
    visit_dtype(dy.dtype(), [&](auto tag) {
      using T = typename decltype(tag)::type;
      kernels::resample_gradient(product(dims, 0, axis), product(dims, axis + 1, dims.size()), axes[i].taps,
                                 dy.raw_as<T>(), to.mutable_raw_as<T>());
    });
    dy = to;
  }
}

std::vector<Tensor> operands_of(const GradContext& context) {
  std::vector<Tensor> out = {context.grad().tensor()};
  for (size_t i = 1; i < context.input_count(); ++i)
    out.push_back(context.has(i) ? context.input(i).tensor() : Tensor());
  return out;
}

}  // namespace

void Resize::infer(InferContext& context) const {
  if (mode != "nearest") check_in(context, 0, kFloating);
  Shape out = resized_shape(context, *this, context.shape(0));
  context.output(context.dtype(0), std::move(out));
}

void Resize::evaluate(EvalContext& context) const {
  if (mode == "nearest") return run_forward(*this, context);
  in_float32(context, [this](EvalContext& c) { run_forward(*this, c); });
}

Gradients Resize::vjp(GradContext& context) const {
  ResizeGradient op{*this, context.input(0).dims().vector()};
  Applier& applier = context.input(0).applier();
  return {Var(applier.apply(op, operands_of(context), 1).front(), &applier)};
}

void ResizeGradient::infer(InferContext& context) const {
  check_in(context, 0, kFloating);
  const Dims x(shape);
  const Shape expected = resized_shape(context, *this, x), &dy = context.shape(0);
  context.check(dy.rank() == expected.rank(), "'dY' expects shape ", expected, ", got ", dy);
  for (size_t i = 0; i < dy.rank(); ++i)
    check_equal(context, dy[i], expected[i], "'dY' expects shape ", expected, ", got ", dy);
  context.output(context.dtype(0), x);
}

void ResizeGradient::evaluate(EvalContext& context) const {
  in_float32(context, [this](EvalContext& c) { run_gradient(*this, c); });
}

Gradients ResizeGradient::vjp(GradContext& context) const {
  Applier& applier = context.input(0).applier();
  // Values beyond the edges do not depend on dX.
  Resize op{*this};
  op.extrapolation_value = 0;
  return {Var(applier.apply(op, operands_of(context), 1).front(), &applier)};
}

ONEMODEL_OPERATOR(Resize)
ONEMODEL_OPERATOR(ResizeGradient)

}  // namespace onemodel

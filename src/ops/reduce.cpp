#include "ops/reduce.h"

#include "ops/declare.h"
#include "ops/fast_checks.h"
#include "ops/prepared_kernel.h"
#include "ops/reduce_axes.h"
#include "ops/shape_data.h"

namespace onemodel {
namespace {

void evaluate_reduction(kernels::Reduce function, bool noop, EvalContext& context) {
  const Tensor& x = context.input(0);
  const Dims axes = reduced_axes(context.has(1) ? context.input(1) : Tensor(), x.rank(), noop);
  const auto shape = kernels::ReduceShape::over(x.dims(), x.strides(), axes);
  if (x.dtype() == DType::boolean) {  // extrema of bytes; the minimum of none is the largest byte
    auto* y = context.output().mutable_raw_as<uint8_t>();
    kernels::reduce(function, shape, x.raw_as<uint8_t>(), y);
    for (int64_t i = 0; i < context.output().numel(); ++i) y[i] = y[i] != 0;
    return;
  }
  visit_dtype(x.dtype(), [&](auto tag) {
    using T = typename decltype(tag)::type;
    kernels::reduce(function, shape, x.raw_as<T>(), context.output().mutable_raw_as<T>());
  });
}

std::unique_ptr<Kernel> make_fast(kernels::xnn::Reduce function, bool noop, const KernelRequest& request,
                                  std::string& refusal) {
  if (request.clamp) return refusal = "no fused bound", nullptr;
  if (request.inputs[0].dtype != DType::f32) return refusal = "the dtype is not float32", nullptr;
  if (request.has(1) && !request.is_constant(1)) return refusal = "the axes are not constant", nullptr;
  const Dims axes = reduced_axes(request.has(1) ? request.inputs[1].constant : Tensor(), request.dims(0).size(), noop);
  if (axes.empty()) return refusal = "no axis is reduced", nullptr;
  return wrap_kernel(kernels::xnn::reduce(function, request.dims(0), axes, refusal), {0});
}

Var sum(const Reduced& r, const Var& v) { return r.axes.empty() ? v : reduce_sum(v, r.axes, true); }

// The gradient of an extremum, shared evenly among the elements that equal it.
Gradients share(const Reduced& r) {
  const Var chosen = cast(equal(r.x, r.y), r.x.dtype());
  return {chosen * (r.g / sum(r, chosen))};
}

constexpr bool takes_bool(kernels::Reduce function) {
  return function == kernels::Reduce::max || function == kernels::Reduce::min;
}

}  // namespace

template <class T>
void Reduction<T>::infer(InferContext& context) const {
  const T& op = static_cast<const T&>(*this);
  infer_reduction(context, op.keepdims, op.noop_with_empty_axes, takes_bool(T::kPortable) ? kNumericOrBool : kNumeric);
}

template <class T>
void Reduction<T>::evaluate(EvalContext& context) const {
  evaluate_reduction(T::kPortable, static_cast<const T&>(*this).noop_with_empty_axes, context);
}

template <class T>
std::span<const FastKernel<T>> Reduction<T>::fast_kernels() {
  if constexpr (requires { T::kFast; }) {
    static constexpr FastKernel<T> kernels[] = {
        {"simd.reduce", [](const T& op, const KernelRequest& request, std::string& refusal) {
           return make_fast(T::kFast, op.noop_with_empty_axes, request, refusal);
         }}};
    return kernels;
  } else {
    return {};
  }
}

template <class T>
std::vector<Sample> Reduction<T>::samples() {
  return reduction_samples(
      [](bool keepdims, bool noop) { return Op(T{.keepdims = keepdims, .noop_with_empty_axes = noop}); },
      takes_bool(T::kPortable));
}

void ReduceProd::infer(InferContext& context) const {
  Reduction::infer(context);
  // How many elements a shape has, which exporters compute so.
  const auto data = context.rank(0) == 1 ? small_shape_data(context, 0) : std::nullopt;
  if (!data || context.outputs()[0].shape == context.shape(0)) return;
  Extent product = 1;
  for (const Extent& extent : *data) product = product * extent;
  context.output_shape_data(0, {product});
}

Gradients ReduceSum::vjp(GradContext& context) const {
  const Reduced r = reduced(context, noop_with_empty_axes);
  return {expand(r.g, r.x.dims())};
}

Gradients ReduceMean::vjp(GradContext& context) const {
  const Reduced r = reduced(context, noop_with_empty_axes);
  return {expand(r.g * (1.0 / static_cast<double>(r.count)), r.x.dims())};
}

Gradients ReduceMax::vjp(GradContext& context) const { return share(reduced(context, noop_with_empty_axes)); }

Gradients ReduceMin::vjp(GradContext& context) const { return share(reduced(context, noop_with_empty_axes)); }

Gradients ReduceProd::vjp(GradContext& context) const {
  // The product of the other elements, without dividing by zeros: with one zero only its own place
  // has any.
  const Reduced r = reduced(context, noop_with_empty_axes);
  const Var zero = r.x.constant(0), one = r.x.constant(1);
  const Var is_zero = equal(r.x, zero), nonzero = where(is_zero, one, r.x);
  const Var zeros = sum(r, cast(is_zero, r.x.dtype()));
  Var product = nonzero;
  if (!r.axes.empty()) product = apply(ReduceProd{}, {nonzero, context.constant(Tensor::from_ints(r.axes))});
  const Var others =
      where(is_zero, where(equal(zeros, one), product, zero), where(equal(zeros, zero), product / nonzero, zero));
  return {r.g * others};
}

ONEMODEL_OPERATOR(ReduceSum)
ONEMODEL_OPERATOR(ReduceMean)
ONEMODEL_OPERATOR(ReduceMax)
ONEMODEL_OPERATOR(ReduceMin)
ONEMODEL_OPERATOR(ReduceProd)

}  // namespace onemodel

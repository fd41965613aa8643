#include "ops/arg_reduce.h"

#include "kernels/portable/order.h"
#include "kernels/portable/pattern.h"
#include "ops/declare.h"
#include "ops/dtype_set.h"
#include "ops/formula.h"
#include "ops/one_integer.h"
#include "ops/scatter.h"

namespace onemodel {
namespace {

kernels::Lines lines_of(std::string_view op, const Dims& dims, int64_t axis) {
  return kernels::Lines::along(dims, normalize_axis(op, axis, dims.size()));
}

}  // namespace

template <class T>
void ArgReduction<T>::infer(InferContext& context) const {
  const T& op = static_cast<const T&>(*this);
  check_in(context, 0, kNumeric);
  Shape out = context.shape(0);
  const size_t at = context.axis(op.axis, out.rank());
  context.check(!(out[at] == Extent(0)), "axis ", at, " of shape ", out, " has no elements to choose from");
  if (op.keepdims)
    out[at] = 1;
  else
    out.erase(at);
  context.output(DType::i64, std::move(out));
}

template <class T>
void ArgReduction<T>::evaluate(EvalContext& context) const {
  const T& op = static_cast<const T&>(*this);
  const Tensor& x = context.input(0);
  kernels::arg_extremum(x.dtype(), lines_of(T::info.name, x.dims(), op.axis), T::kLargest, op.select_last_index,
                        x.raw(), context.output().mutable_raw_as<int64_t>());
}

template <class T>
std::vector<Sample> ArgReduction<T>::samples() {
  const Tensor x = sample_values({2, 3, 2});
  const Tensor equals = Tensor::from<int32_t>({1, 3, 3, 1, 3, 1}, {2, 3});
  return {{T{}, {x}},
          {T{.axis = -2, .keepdims = false}, {x}},
          {T{.axis = 1}, {equals}},
          {T{.axis = 1, .select_last_index = true}, {equals}},
          {T{.axis = 3}, {x}, "axis 3 is out of range for rank 3"},
          {T{}, {sample_values({})}, "a scalar has no axes"},
          {T{.axis = 1}, {sample_values({2, 0})}, "axis 1 of shape [2, 0] has no elements"},
          {T{}, {sample_values({2}, 0, 2, DType::boolean)}, "input 'data' expects a numeric type, got bool"}};
}

void TopK::infer(InferContext& context) const {
  check_in(context, 0, kNumeric);
  check_one_integer(context, 1);
  Shape out = context.shape(0);
  const size_t at = context.axis(axis, out.rank());
  const auto count = one_extent(context, 1);
  if (!count && context.tracing()) context.symbolic_error("K depends on values");
  if (count && count->is_number()) {
    const bool fits = count->number() >= 0 && (!out[at].is_number() || count->number() <= out[at].number());
    context.check<ArgumentError>(fits, "'K' is ", *count, ", expected 0 to ", out[at], ", the extent of axis ", at);
  }
  out[at] = count ? *count : context.unknown("K");
  if (context.output_count() > 1) context.output(1, DType::i64, out);
  context.output(context.dtype(0), std::move(out));
}

void TopK::evaluate(EvalContext& context) const {
  const Tensor& x = context.input(0);
  const kernels::Lines lines = lines_of(info.name, x.dims(), axis);
  const int64_t count = read_one(context.input(1));
  kernels::top_k(x.dtype(), lines, count, largest, x.raw(),
                 context.has_output(0) ? context.output(0).mutable_raw() : nullptr,
                 context.has_output(1) ? context.output(1).mutable_raw_as<int64_t>() : nullptr);
}

Gradients TopK::vjp(GradContext& context) const {
  const Var x = context.input(0), g = context.grad(0);
  if (!g.defined()) return {};
  Var places;
  if (context.output_count() > 1) {
    places = context.output(1);
  } else {  // only the values were asked for
    const Tensor operands[] = {x.tensor(), context.input(1).tensor()};
    places = Var(x.applier().apply(*this, operands, 2)[1], &x.applier());
  }
  return {apply(ScatterElements{.axis = axis, .reduction = "add"}, {zeros_beside(x, x.dims()), places, g})};
}

std::vector<Sample> TopK::samples() {
  const Tensor x = sample_values({2, 4, 3}), two = sample_ints({2});
  const Tensor equals = Tensor::from<int32_t>({1, 3, 3, 1, 3, 1}, {2, 3});
  return {{TopK{}, {x, two}, "", 2},
          {TopK{.axis = 1, .largest = false}, {x, two}},
          {TopK{.axis = 0, .sorted = false}, {x, sample_ints({1})}, "", 2},
          {TopK{}, {equals, two}, "", 2},
          {TopK{}, {x, sample_ints({0})}, "", 2},
          {TopK{}, {x, sample_ints({4})}, "'K' is 4, expected 0 to 3"},
          {TopK{}, {x, sample_ints({-1})}, "'K' is -1, expected 0 to 3"},
          {TopK{}, {x, sample_ints({1, 2})}, "input 1 expects one element, got shape [2]"},
          {TopK{}, {x, sample_values({1})}, "input 'K' expects int64, got float32"},
          {TopK{.axis = 3}, {x, two}, "axis 3 is out of range for rank 3"}};
}

void Hardmax::infer(InferContext& context) const {
  check_in(context, 0, kFloating);
  context.axis(axis, context.rank(0));
  context.output(context.dtype(0), context.shape(0));
}

void Hardmax::evaluate(EvalContext& context) const {
  const Tensor &x = context.input(0), &y = context.output();
  if (x.numel() == 0) return;
  const kernels::Lines lines = lines_of(info.name, x.dims(), axis);
  const Tensor places = Tensor::empty({lines.count()}, DType::i64);
  const Tensor off = Tensor::zeros({}, y.dtype()), on = Tensor::full({}, 1, y.dtype());
  kernels::arg_extremum(x.dtype(), lines, true, false, x.raw(), places.mutable_raw_as<int64_t>());
  kernels::one_hot(dtype_size(y.dtype()), lines, places.raw_as<int64_t>(), off.raw(), on.raw(), y.mutable_raw());
}

Gradients Hardmax::vjp(GradContext& context) const { return {zeros_beside(context.grad(), context.input(0).dims())}; }

std::vector<Sample> Hardmax::samples() {
  return {
      {Hardmax{}, {sample_values({2, 5})}},
      {Hardmax{.axis = 0}, {sample_values({3, 2})}},
      {Hardmax{.axis = 1}, {sample_values({2, 3, 2})}},
      {Hardmax{}, {Tensor::from<double>({1, 4, 4}, {3})}, "", 1, 1e-6, false},
      {Hardmax{.axis = 2}, {sample_values({2, 3})}, "axis 2 is out of range for rank 2"},
      {Hardmax{}, {sample_values({3}, 0, 9, DType::i32)}, "input 'input' expects a floating-point type, got int32"}};
}

ONEMODEL_OPERATOR(ArgMax)
ONEMODEL_OPERATOR(ArgMin)
ONEMODEL_OPERATOR(TopK)
ONEMODEL_OPERATOR(Hardmax)

}  // namespace onemodel

#include "ops/select_rows.h"

#include "core/strings.h"
#include "kernels/portable/copy.h"
#include "kernels/portable/find.h"
#include "kernels/portable/gather.h"
#include "kernels/portable/lines.h"
#include "ops/declare.h"
#include "ops/formula.h"
#include "ops/gather.h"
#include "ops/size_from_values.h"

namespace onemodel {
namespace {

std::vector<int64_t> nonzero(const Tensor& x) { return kernels::find_nonzero(x.dtype(), x.raw(), x.numel()); }

kernels::Lines lines_of(const Dims& dims, std::optional<int64_t> axis) {
  if (!axis) return {.length = numel(dims)};
  return kernels::Lines::along(dims, normalize_axis("axis", *axis, dims.size()));
}

void gather_rows(const Tensor& x, const kernels::Lines& lines, const std::vector<int64_t>& rows, const Tensor& y) {
  const kernels::GatherShape shape{lines.outer, lines.length, lines.inner, static_cast<int64_t>(rows.size())};
  kernels::gather(dtype_size(x.dtype()), shape, x.raw(), rows.data(), y.mutable_raw());
}

// The gradient of entries `rows` along `axis`.
Gradients back_to_rows(GradContext& context, std::optional<int64_t> axis, const std::vector<int64_t>& rows) {
  const Var x = context.input(0), places = ints_beside(x, rows);
  if (!context.grad().defined()) return {};
  if (axis) {
    const auto at = static_cast<int64_t>(normalize_axis("axis", *axis, x.rank()));
    return {apply(GatherGradient{at, x.dims().vector()}, {context.grad(), places})};
  }
  return {reshape(apply(GatherGradient{0, {x.tensor().numel()}}, {context.grad(), places}), x.dims())};
}

kernels::DistinctRows distinct(const Tensor& x, std::optional<int64_t> axis, bool sorted) {
  const Strings strings(x.dtype() == DType::string);
  const kernels::Lines lines = lines_of(x.dims(), axis);
  const int64_t width = lines.outer * lines.inner;
  const Tensor rows = Tensor::empty({lines.length, lines.outer, lines.inner}, x.dtype());
  kernels::copy(dtype_size(x.dtype()), rows.dims(), x.raw(), {lines.inner, lines.length * lines.inner, 1},
                rows.mutable_raw());
  return kernels::find_distinct(x.dtype(), rows.raw(), lines.length, width, sorted);
}

}  // namespace

void NonZero::infer(InferContext& context) const {
  const auto rank = static_cast<int64_t>(context.rank(0));
  context.output(DType::i64, {rank, counted(context, 0, [](const Tensor& x) { return nonzero(x).size(); })});
}

void NonZero::evaluate(EvalContext& context) const {
  const Tensor& x = context.input(0);
  const std::vector<int64_t> found = nonzero(x);
  const Dims strides = contiguous_strides(x.dims());
  auto* y = context.output().mutable_raw_as<int64_t>();
  for (size_t axis = 0; axis < x.rank(); ++axis)
    for (const int64_t place : found) *y++ = place / strides[axis] % x.dims()[axis];
}

std::vector<Sample> NonZero::samples() {
  return {{NonZero{}, {Tensor::from<float>({0, 1, 2, 0, 0, -3}, {2, 3})}},
          {NonZero{}, {Tensor::from<bool>({true, false, true}, {3})}},
          {NonZero{}, {Tensor::scalar(int64_t{2})}},
          {NonZero{}, {Tensor::zeros({2, 2})}},
          {NonZero{}, {}, "expects at least 1 inputs, got 0"}};
}

void Compress::infer(InferContext& context) const {
  const Shape& from = context.shape(0);
  context.check(from.rank() > 0, "'input' is a scalar, expected rank 1 or more");
  context.check_dtype(context.dtype(1) == DType::boolean, 1, "bool");
  context.check(context.rank(1) == 1, "'condition' has shape ", context.shape(1), ", expected one axis");
  const Extent whole = axis ? from[context.axis(*axis, from.rank())] : from.numel();
  const Extent& given = context.shape(1)[0];
  context.check(!whole.is_number() || !given.is_number() || given.number() <= whole.number(), "'condition' has ", given,
                " elements, expected at most ", whole);
  const Extent count = counted(context, 1, [](const Tensor& x) { return nonzero(x).size(); });
  if (!axis) return context.output(context.dtype(0), {count});
  Shape out = from;
  out[context.axis(*axis, from.rank())] = count;
  context.output(context.dtype(0), std::move(out));
}

void Compress::evaluate(EvalContext& context) const {
  const Tensor& x = context.input(0);
  gather_rows(x, lines_of(x.dims(), axis), nonzero(context.input(1)), context.output());
}

Gradients Compress::vjp(GradContext& context) const {
  return back_to_rows(context, axis, nonzero(context.input(1).tensor().contiguous()));
}

std::vector<Sample> Compress::samples() {
  const Tensor x = sample_values({3, 2});
  const Tensor condition = Tensor::from<bool>({false, true, true}, {3});
  return {{Compress{.axis = 0}, {x, condition}},
          {Compress{.axis = -1}, {x, Tensor::from<bool>({false, true}, {2})}},
          {Compress{}, {x, Tensor::from<bool>({false, true, false, false, true}, {5})}},
          {Compress{.axis = 0}, {x, Tensor::from<bool>({false}, {1})}},
          {Compress{.axis = 1}, {x, condition}, "'condition' has 3 elements, expected at most 2"},
          {Compress{.axis = 2}, {x, condition}, "axis 2 is out of range for rank 2"},
          {Compress{}, {sample_values({}), condition}, "'input' is a scalar, expected rank 1 or more"},
          {Compress{}, {x, sample_ints({1})}, "input 'condition' expects bool, got int64"}};
}

void Unique::infer(InferContext& context) const {
  context.check_dtype(!is_small(context.dtype(0)), 0, "a type of arithmetic or string");
  const Shape& from = context.shape(0);
  if (axis) context.axis(*axis, from.rank());
  const Extent whole = axis ? from[context.axis(*axis, from.rank())] : from.numel();
  const Extent count = counted(context, 0, [&](const Tensor& x) { return distinct(x, axis, sorted).first.size(); });
  Shape out{count};
  if (axis) {
    out = from;
    out[context.axis(*axis, from.rank())] = count;
  }
  context.output(context.dtype(0), std::move(out));
  for (size_t i = 1; i < context.output_count(); ++i) context.output(i, DType::i64, {i == 2 ? whole : count});
}

void Unique::evaluate(EvalContext& context) const {
  const Tensor& x = context.input(0);
  const kernels::DistinctRows rows = distinct(x, axis, sorted);
  if (context.has_output(0)) gather_rows(x, lines_of(x.dims(), axis), rows.first, context.output(0));
  const std::vector<int64_t>* lists[] = {&rows.first, &rows.inverse, &rows.counts};
  for (size_t i = 0; i < 3; ++i)
    if (context.has_output(i + 1))
      std::copy(lists[i]->begin(), lists[i]->end(), context.output(i + 1).mutable_raw_as<int64_t>());
}

Gradients Unique::vjp(GradContext& context) const {
  return back_to_rows(context, axis, distinct(context.input(0).tensor().contiguous(), axis, sorted).first);
}

std::vector<Sample> Unique::samples() {
  const Tensor x = Tensor::from<int32_t>({2, 1, 1, 3, 4, 3}, {6});
  const Tensor rows = Tensor::from<int64_t>({1, 0, 0, 1, 0, 0, 2, 3, 4}, {3, 3});
  return {{Unique{}, {x}, "", 4},
          {Unique{.sorted = false}, {x}, "", 4},
          {Unique{.axis = 0}, {rows}, "", 4},
          {Unique{.axis = -1, .sorted = false}, {rows}, "", 3},
          {Unique{}, {sample_values({2, 3})}},
          {Unique{}, {Tensor::from<std::string>({"b", "a", "", "b", "ab"}, {5})}, "", 4},
          {Unique{}, {Tensor::scalar(1.5)}, "", 2},
          {Unique{.axis = 2}, {rows}, "axis 2 is out of range for rank 2"}};
}

ONEMODEL_OPERATOR(NonZero)
ONEMODEL_OPERATOR(Compress)
ONEMODEL_OPERATOR(Unique)

}  // namespace onemodel

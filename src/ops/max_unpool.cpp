#include "ops/max_unpool.h"

#include <cstring>

#include "ops/declare.h"
#include "ops/dtype_set.h"
#include "ops/extent_checks.h"
#include "ops/formula.h"
#include "ops/gather.h"
#include "ops/shape_data.h"

namespace onemodel {
namespace {

// Places in a tensor of `from` as places in a larger one of `to`.
std::vector<int64_t> moved_places(const Tensor& places, const Dims& from, const Dims& to) {
  const int64_t bound = numel(from);
  const Dims strides = contiguous_strides(from), wide = contiguous_strides(to);
  std::vector<int64_t> out(static_cast<size_t>(places.numel()));
  for (size_t i = 0; i < out.size(); ++i) {
    const int64_t place = places.raw_as<int64_t>()[i];
    check<ShapeError>(place >= 0 && place < bound, MaxUnpool::info.name, ": place ", place,
                      " is out of range for shape ", from, " of ", bound, " elements");
    for (size_t axis = 0; axis < from.size(); ++axis) out[i] += place / strides[axis] % from[axis] * wide[axis];
  }
  return out;
}

// 1 where nothing later was put at the same place, else 0.
Tensor survivors(const std::vector<int64_t>& places, int64_t bound, const Dims& dims, DType dtype) {
  std::vector<bool> taken(static_cast<size_t>(bound));
  std::vector<float> out(places.size());
  for (size_t i = places.size(); i-- > 0;) {
    const auto place = static_cast<size_t>(places[i]);
    out[i] = taken[place] ? 0.0f : 1.0f;
    taken[place] = true;
  }
  return Tensor::from(std::span<const float>(out), dims).cast(dtype);
}

}  // namespace

Shape MaxUnpool::pooled_from(const Shape& x) const {
  Shape out = x;
  const WindowAttributes w = window();
  for (size_t i = 0; i < kernel_shape.size(); ++i)
    out[i + 2] = x[i + 2] * w.stride(i) + Extent(kernel_shape[i] - w.stride(i) - w.pad_begin(i) - w.pad_end(i));
  return out;
}

void MaxUnpool::infer(InferContext& context) const {
  check_in(context, 0, kFloating);
  const size_t spatial = check_spatial_rank(context);
  context.check<ArgumentError>(!kernel_shape.empty(), "kernel_shape is required: expected ", spatial, " numbers");
  check_window(context, window(), spatial);
  context.check_dtype(context.dtype(1) == DType::i64, 1, "int64");
  const Shape &x = context.shape(0), &places = context.shape(1);
  context.check(places.rank() == x.rank(), "'I' expects shape ", x, ", got ", places);
  for (size_t i = 0; i < x.rank(); ++i)
    check_equal(context, places[i], x[i], "'I' expects shape ", x, ", got ", places);
  const Shape least = pooled_from(x);
  for (const Extent& extent : least)
    context.check(!extent.is_number() || extent.number() >= 0, "the result would have shape ", least);
  if (!context.has(2)) return context.output(context.dtype(0), least);
  check_ints(context, 2);
  const auto wanted = context.shape_data(2);
  if (!wanted) return context.output(context.dtype(0), unknown_shape(context, x.rank()));
  const Shape out(*wanted);
  context.check(out.rank() == x.rank(), "'output_shape' expects ", x.rank(), " numbers, got ", out.rank());
  for (size_t i = 0; i < x.rank(); ++i)
    context.check(!out[i].is_number() || !least[i].is_number() || out[i].number() >= least[i].number(),
                  "'output_shape' expects at least ", least, ", got ", out);
  context.output(context.dtype(0), out);
}

void MaxUnpool::evaluate(EvalContext& context) const {
  const Tensor &x = context.input(0), &y = context.output();
  const size_t item = dtype_size(x.dtype());
  const auto places = moved_places(context.input(1), pooled_from(x.dims()).dims(), y.dims());
  std::byte* to = y.mutable_raw();
  if (y.bytes()) std::memset(to, 0, y.bytes());
  for (size_t i = 0; i < places.size(); ++i)
    std::memcpy(to + static_cast<size_t>(places[i]) * item, x.raw() + i * item, item);
}

Gradients MaxUnpool::vjp(GradContext& context) const {
  const Var x = context.input(0), g = context.grad();
  const Dims& from = x.dims();
  const auto places = moved_places(context.input(1).tensor().contiguous(), pooled_from(from).dims(), g.dims());
  const Var taken = apply(Gather{.axis = 0}, {reshape(g, Dims{numel(g.dims())}), ints_beside(x, places)});
  return {reshape(taken, from) * context.constant(survivors(places, numel(g.dims()), from, g.dtype()))};
}

std::vector<Sample> MaxUnpool::samples() {
  const Tensor x = sample_values({1, 1, 2, 2});
  const Tensor places = Tensor::from<int64_t>({5, 7, 13, 15}, {1, 1, 2, 2});
  const MaxUnpool op{.kernel_shape = {2, 2}, .strides = {2, 2}};
  return {
      {op, {x, places}},
      {op, {x, places, sample_ints({1, 1, 5, 6})}},
      {op, {x, Tensor::from<int64_t>({0, 3, 0, 2}, {1, 1, 2, 2})}},
      {MaxUnpool{.kernel_shape = {3}, .pads = {1, 0}, .strides = {2}},
       {sample_values({2, 1, 2}), Tensor::from<int64_t>({0, 3, 5, 7}, {2, 1, 2})}},
      {op, {x, sample_ints({1, 2})}, "'I' expects shape [1, 1, 2, 2], got [2]"},
      {op, {x, places.cast(DType::i32)}, "input 'I' expects int64, got int32"},
      {op, {x, places, sample_ints({1, 1, 3, 4})}, "'output_shape' expects at least [1, 1, 4, 4], got [1, 1, 3, 4]"},
      {op, {x, places, sample_ints({4, 4})}, "'output_shape' expects 4 numbers, got 2"},
      {MaxUnpool{.kernel_shape = {2}}, {x, places}, "kernel_shape expects 2 numbers, got 1"}};
}

ONEMODEL_OPERATOR(MaxUnpool)

}  // namespace onemodel

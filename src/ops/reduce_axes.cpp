#include "ops/reduce_axes.h"

#include "ops/shape_data.h"

namespace onemodel {

Dims reduced_axes(const Tensor& given, size_t rank, bool noop) {
  const Dims list = given.defined() ? read_ints(given) : Dims();
  unsigned chosen = list.empty() && !noop ? ~0u : 0u;
  for (int64_t axis : list) chosen |= 1u << normalize_axis("Reduce", axis, rank);
  Dims axes;
  for (size_t i = 0; i < rank; ++i)
    if (chosen >> i & 1u) axes.push_back(static_cast<int64_t>(i));
  return axes;
}

void infer_reduction(InferContext& context, bool keepdims, bool noop, const DTypeSet& types) {
  check_in(context, 0, types);
  const size_t rank = context.rank(0);
  std::vector<int64_t> given;
  if (context.has(1)) {
    check_ints(context, 1);
    if (keepdims && !knows_count(context, 1)) return context.output(context.dtype(0), unknown_shape(context, rank));
    const size_t count = count_ints(context, 1);
    const auto known = context.ints(1);
    if (count > 0 && !known) {
      context.check(count <= rank, count, " axes are given for rank ", rank);
      return context.output(context.dtype(0), unknown_shape(context, keepdims ? rank : rank - count));
    }
    if (count > 0) given = *known;
  }
  const unsigned chosen = given.empty() && !noop ? ~0u : axis_set(context, given, rank);
  Shape out = context.shape(0);
  for (size_t i = rank; i-- > 0;) {
    if (!(chosen >> i & 1u)) continue;
    if (keepdims)
      out[i] = 1;
    else
      out.erase(i);
  }
  context.output(context.dtype(0), std::move(out));
}

Reduced reduced(GradContext& context, bool noop) {
  Reduced out{.x = context.input(0)};
  const Dims axes = reduced_axes(context.has(1) ? context.input(1).tensor() : Tensor(), out.x.rank(), noop);
  Dims kept = out.x.dims();
  for (int64_t axis : axes) {
    out.count *= kept[static_cast<size_t>(axis)];
    kept[static_cast<size_t>(axis)] = 1;
  }
  out.axes = axes.vector();
  const auto with_axes = [&](const Var& v) { return v.dims() == kept ? v : reshape(v, kept); };
  out.y = with_axes(context.output());
  out.g = with_axes(context.grad());
  return out;
}

std::vector<Sample> reduction_samples(Op (*make)(bool keepdims, bool noop), bool takes_bool) {
  const Tensor x = sample_values({2, 3, 4}, 0.5, 2);
  const Sample of_bools{make(false, false), {sample_values({2, 3}, 0, 2, DType::boolean), sample_ints({1})}};
  return {
      {make(true, false), {x}},
      {make(false, false), {x, sample_ints({1})}},
      {make(true, false), {x, sample_ints({-1, 0})}},
      {make(false, true), {x, sample_ints({})}},
      {make(false, false), {x, sample_ints({})}},
      {make(false, false), {sample_values({5}, -9, 9, DType::i32), sample_ints({0})}},
      {make(true, false), {sample_values({}, 0.5, 2, DType::f64)}},
      {make(true, false), {x, sample_ints({3})}, "axis 3 is out of range for rank 3"},
      {make(true, false), {x, sample_ints({0, -3})}, "axis -3 is named twice"},
      {make(true, false), {x, Tensor::from({0.0f}, {1})}, "input 'axes' expects int64, got float32"},
      takes_bool ? of_bools : Sample{of_bools.op, of_bools.inputs, "input 'data' expects a numeric type, got bool"}};
}

}  // namespace onemodel

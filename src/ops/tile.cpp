#include "ops/tile.h"

#include "kernels/portable/lines.h"
#include "kernels/portable/take.h"
#include "ops/declare.h"
#include "ops/extent_checks.h"
#include "ops/shape_data.h"

namespace onemodel {

void Tile::infer(InferContext& context) const {
  check_ints(context, 1);
  const Shape& from = context.shape(0);
  const Extent &given = context.shape(1)[0], rank = static_cast<int64_t>(from.rank());
  check_equal(context, given, rank, "'repeats' have ", given, " elements, expected ", rank, ", one for each axis of ",
              from);
  const auto repeats = context.shape_data(1);
  if (!repeats) {
    if (context.tracing()) context.symbolic_error("the repeats depend on values");
    return context.output(context.dtype(0), unknown_shape(context, from.rank()));
  }
  Shape out;
  for (size_t i = 0; i < from.rank(); ++i) {
    const Extent& count = (*repeats)[i];
    context.check<ArgumentError>(!count.is_number() || count.number() >= 0, "axis ", i, " is to be repeated ", count,
                                 " times");
    out.push_back(from[i] * count);
  }
  context.output(context.dtype(0), std::move(out));
}

void Tile::evaluate(EvalContext& context) const {
  const Tensor &x = context.input(0), &y = context.output();
  std::vector<std::vector<int64_t>> offsets(x.rank());
  for (size_t axis = 0; axis < x.rank(); ++axis)
    for (int64_t i = 0; i < y.dims()[axis]; ++i) offsets[axis].push_back(i % x.dims()[axis] * x.strides()[axis]);
  kernels::take(dtype_size(x.dtype()), offsets, x.raw(), y.mutable_raw());
}

Gradients Tile::vjp(GradContext& context) const {
  const Dims to = context.input(0).dims(), repeats = read_ints(context.input(1).tensor());
  Var g = context.grad();
  for (size_t axis = 0; axis < to.size(); ++axis) {
    if (repeats[axis] == 1) continue;
    Dims dims = g.dims();
    const auto lines = kernels::Lines::along(dims, axis);
    const int64_t copies[] = {1};
    dims[axis] = to[axis];
    g = reshape(reduce_sum(reshape(g, {lines.outer, repeats[axis], to[axis], lines.inner}), copies, false), dims);
  }
  return {g};
}

std::vector<Sample> Tile::samples() {
  const Tensor x = sample_values({2, 3});
  return {{Tile{}, {x, sample_ints({2, 3})}},
          {Tile{}, {x, sample_ints({1, 2})}},
          {Tile{}, {x, sample_ints({3, 1})}},
          {Tile{}, {x, sample_ints({0, 2})}},
          {Tile{}, {sample_values({3}, 0, 2, DType::boolean), sample_ints({2})}},
          {Tile{}, {sample_values({}), sample_ints({})}},
          {Tile{}, {x, sample_ints({2})}, "'repeats' have 1 elements, expected 2, one for each axis of [2, 3]"},
          {Tile{}, {x, sample_ints({2, -1})}, "axis 1 is to be repeated -1 times"},
          {Tile{}, {x, sample_values({2})}, "input 'repeats' expects int64, got float32"}};
}

ONEMODEL_OPERATOR(Tile)

}  // namespace onemodel

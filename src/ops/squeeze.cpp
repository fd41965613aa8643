#include "ops/declare.h"
#include "ops/reshape.h"
#include "ops/shape_data.h"
#include "ops/strided.h"

namespace onemodel {
namespace {

// Both kinds of sizes, extents and integers, go through these.
template <class Sizes>
Sizes without_axes(const Sizes& from, unsigned axes) {
  Sizes out;
  for (const auto& extent : from) {
    if (!(axes & 1u)) out.push_back(extent);
    axes >>= 1;
  }
  return out;
}

template <class Sizes>
Sizes with_axes(const Sizes& from, unsigned axes, size_t count) {
  Sizes out;
  auto next = from.begin();
  for (; count > 0; --count, axes >>= 1) {
    if (axes & 1u)
      out.push_back(1);
    else
      out.push_back(*next++);
  }
  return out;
}

template <class Sizes>
unsigned axes_of_one(const Sizes& from) {
  unsigned axes = 0, bit = 1;
  for (const auto& extent : from) {
    if (extent == 1) axes |= bit;
    bit <<= 1;
  }
  return axes;
}

unsigned checked_axes(const Dims& axes, size_t rank) {
  unsigned set = 0;
  for (int64_t axis : axes) set |= 1u << (axis < 0 ? axis + static_cast<int64_t>(rank) : axis);
  return set;
}

}  // namespace

void Squeeze::infer(InferContext& context) const {
  const Shape& from = context.shape(0);
  unsigned axes = axes_of_one(from);
  if (context.has(1)) {
    check_ints(context, 1);
    const auto list = context.ints(1);
    if (!list) {
      const size_t count = count_ints(context, 1);
      context.check(count <= from.rank(), "cannot remove ", count, " axes from shape ", from);
      return context.output(context.dtype(0), unknown_shape(context, from.rank() - count));
    }
    axes = axis_set(context, *list, from.rank());
  }
  for (size_t i = 0; i < from.rank(); ++i) {
    const bool removed = axes >> i & 1u;
    const bool maybe_one = !from[i].is_number() && from[i].example().value_or(1) == 1;
    if (context.tracing() && maybe_one && (removed || !context.has(1)))
      context.symbolic_error(concat("axis ", i, " of ", from, " has extent 1 in the example run only"));
    context.check(!removed || from[i] == 1 || maybe_one, "axis ", i, " of shape ", from, " has extent ", from[i],
                  ", expected 1");
  }
  context.output(context.dtype(0), without_axes(from, axes));
  keep_shape_data(context);
}

Tensor Squeeze::view(std::span<const Tensor> inputs) const {
  const Tensor& x = inputs[0];
  const bool named = inputs.size() > 1 && inputs[1].defined();
  const unsigned axes = named ? checked_axes(read_ints(inputs[1]), x.rank()) : axes_of_one(x.dims());
  return make_view(x, {without_axes(x.dims(), axes), without_axes(x.strides(), axes)});
}

std::vector<Sample> Squeeze::samples() {
  const Tensor x = sample_values({1, 3, 1});
  return {{Squeeze{}, {x}},
          {Squeeze{}, {x, sample_ints({-1})}},
          {Squeeze{}, {sample_values({2, 3}), sample_ints({})}},
          {Squeeze{}, {x, sample_ints({1})}, "axis 1 of shape [1, 3, 1] has extent 3, expected 1"},
          {Squeeze{}, {x, sample_ints({0, -3})}, "axis -3 is named twice"},
          {Squeeze{}, {x, sample_ints({3})}, "axis 3 is out of range for rank 3"}};
}

void Unsqueeze::infer(InferContext& context) const {
  check_ints(context, 1);
  const size_t rank = context.rank(0) + count_ints(context, 1);
  context.check(rank <= kMaxRank, "the result would have rank ", rank, ", above the largest supported, ", kMaxRank);
  const auto axes = context.ints(1);
  if (!axes) return context.output(context.dtype(0), unknown_shape(context, rank));
  context.output(context.dtype(0), with_axes(context.shape(0), axis_set(context, *axes, rank), rank));
  if (rank <= 1) keep_shape_data(context);
}

Tensor Unsqueeze::view(std::span<const Tensor> inputs) const {
  const Tensor& x = inputs[0];
  const Dims axes = read_ints(inputs[1]);
  const size_t rank = x.rank() + axes.size();
  const unsigned set = checked_axes(axes, rank);
  return make_view(x, {with_axes(x.dims(), set, rank), with_axes(x.strides(), set, rank)});
}

std::vector<Sample> Unsqueeze::samples() {
  const Tensor x = sample_values({2, 3});
  return {{Unsqueeze{}, {x, sample_ints({0, -1})}},
          {Unsqueeze{}, {x, sample_ints({1})}},
          {Unsqueeze{}, {sample_values({}), sample_ints({0})}},
          {Unsqueeze{}, {x, sample_ints({3})}, "axis 3 is out of range for rank 3"},
          {Unsqueeze{}, {x, sample_ints({1, 1})}, "axis 1 is named twice"}};
}

ONEMODEL_OPERATOR(Squeeze)
ONEMODEL_OPERATOR(Unsqueeze)

}  // namespace onemodel

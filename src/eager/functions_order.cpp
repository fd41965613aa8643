#include "eager/functions_order.h"

#include <algorithm>
#include <limits>

#include "eager/apply.h"
#include "eager/functions.h"
#include "ops/arg_reduce.h"
#include "ops/cum_sum.h"
#include "ops/einsum.h"
#include "ops/gather_elements.h"
#include "ops/one_hot.h"
#include "ops/scatter.h"
#include "ops/slice.h"
#include "ops/split.h"
#include "ops/tile.h"
#include "ops/triangle.h"

namespace onemodel {
namespace {

Tensor one(int64_t value) { return Tensor::from_ints(std::span(&value, 1)); }

template <class Op>
Tensor place_of(const Tensor& x, std::optional<int64_t> axis, bool keepdims) {
  if (axis) return apply(Op{.axis = *axis, .keepdims = keepdims}, {x});
  const Tensor place = apply(Op{.keepdims = false}, {reshape(x, {-1})});
  return keepdims ? reshape(place, Dims::filled(x.rank(), 1)) : place;
}

Ordered ordered(const Tensor& x, const Tensor& count, int64_t axis, bool largest) {
  const Tensor inputs[] = {x, count};
  const std::vector<Tensor> found = apply(TopK{.axis = axis, .largest = largest}, inputs, 2);
  return {found[0], found[1]};
}

}  // namespace

Tensor argmax(const Tensor& x, std::optional<int64_t> axis, bool keepdims) {
  return place_of<ArgMax>(x, axis, keepdims);
}

Tensor argmin(const Tensor& x, std::optional<int64_t> axis, bool keepdims) {
  return place_of<ArgMin>(x, axis, keepdims);
}

Ordered topk(const Tensor& x, int64_t k, int64_t axis, bool largest) { return ordered(x, one(k), axis, largest); }

Ordered sort(const Tensor& x, int64_t axis, bool descending) {
  const auto at = static_cast<int64_t>(normalize_axis("sort", axis, x.rank()));
  return ordered(x, reshape(dim(x, at), {1}), at, descending);
}

Tensor flip(const Tensor& x, const Dims& axes) {
  const Dims ones = Dims::filled(axes.size(), -1);
  const Dims ends = Dims::filled(axes.size(), std::numeric_limits<int64_t>::min());
  const Tensor back = Tensor::from_ints(ones.vector());
  return apply(Slice{}, {x, back, Tensor::from_ints(ends.vector()), Tensor::from_ints(axes.vector()), back});
}

Tensor one_hot(const Tensor& indices, int64_t num_classes) {
  check(num_classes >= 1, "one_hot: num_classes must be at least 1, got ", num_classes);
  const int64_t values[] = {0, 1};
  return apply(OneHot{}, {indices, one(num_classes), Tensor::from_ints(values)});
}

Tensor cumsum(const Tensor& x, int64_t axis) { return apply(CumSum{}, {x, Tensor::scalar(axis)}); }

Tensor tril(const Tensor& x, int64_t diagonal) { return apply(Trilu{.upper = false}, {x, Tensor::scalar(diagonal)}); }

Tensor triu(const Tensor& x, int64_t diagonal) { return apply(Trilu{}, {x, Tensor::scalar(diagonal)}); }

Tensor tile(const Tensor& x, const std::vector<int64_t>& repeats) {
  std::vector<int64_t> all = repeats;
  if (all.size() < x.rank()) all.insert(all.begin(), x.rank() - all.size(), 1);
  Dims front;
  for (size_t i = x.rank(); i < all.size(); ++i) front.push_back(static_cast<int64_t>(front.size()));
  return apply(Tile{}, {front.empty() ? x : unsqueeze(x, front), Tensor::from_ints(all)});
}

std::vector<Tensor> split(const Tensor& x, const std::vector<int64_t>& split_sizes, int64_t axis) {
  const Tensor inputs[] = {x, Tensor::from_ints(split_sizes)};
  return apply(Split{.axis = axis}, inputs, split_sizes.size());
}

std::vector<Tensor> split(const Tensor& x, int64_t split_size, int64_t axis) {
  check(split_size >= 1, "split: split_size must be at least 1, got ", split_size);
  const int64_t extent = x.dims()[normalize_axis("split", axis, x.rank())];
  std::vector<int64_t> sizes(static_cast<size_t>(std::max<int64_t>(extent / split_size, 1)),
                             std::min(split_size, extent));
  if (extent > split_size && extent % split_size != 0) sizes.push_back(extent % split_size);
  return split(x, sizes, axis);
}

Tensor gather_elements(const Tensor& x, const Tensor& indices, int64_t axis) {
  return apply(GatherElements{.axis = axis}, {x, indices});
}

Tensor scatter(const Tensor& x, int64_t axis, const Tensor& indices, const Tensor& src, std::string_view reduction) {
  return apply(ScatterElements{.axis = axis, .reduction = std::string(reduction)}, {x, indices, src});
}

Tensor einsum(std::string_view equation, const std::vector<Tensor>& operands) {
  return apply(Einsum{.equation = std::string(equation)}, operands, 1).front();
}

}  // namespace onemodel

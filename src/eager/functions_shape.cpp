#include <algorithm>
#include <numeric>

#include "eager/apply.h"
#include "eager/functions.h"
#include "eager/scalar.h"
#include "ops/concat.h"
#include "ops/expand.h"
#include "ops/gather.h"
#include "ops/range.h"
#include "ops/reshape.h"
#include "ops/shape.h"
#include "ops/slice.h"
#include "ops/transpose.h"

namespace onemodel {
namespace {

Tensor ints(const Dims& values) { return Tensor::from_ints(values.vector()); }

}  // namespace

Tensor full(const Sizes& sizes, double value, DType dtype) {
  check_in_range(value, dtype, "full");
  return apply(ConstantOfShape{.value = Tensor::full({1}, value, dtype)}, {sizes.operand("full")});
}

Tensor zeros(const Sizes& sizes, DType dtype) { return full(sizes, 0, dtype); }
Tensor ones(const Sizes& sizes, DType dtype) { return full(sizes, 1, dtype); }

Tensor arange(const ShapeEntry& start, const ShapeEntry& end, const ShapeEntry& step, DType dtype) {
  const auto bound = [](const ShapeEntry& size) {
    return size.handle().defined() ? size.handle() : Tensor::scalar(size.number());
  };
  const Tensor range = apply(Range{}, {bound(start), bound(end), bound(step)});
  return dtype == DType::i64 ? range : cast(range, dtype);
}

Tensor reshape(const Tensor& x, const Sizes& sizes) {
  return apply(Reshape{.allowzero = true}, {x, sizes.operand("reshape")});
}

Tensor flatten(const Tensor& x, int64_t start_axis, int64_t end_axis) {
  if (x.rank() == 0) return reshape(x, {1});
  const size_t start = normalize_axis("flatten", start_axis, x.rank());
  const size_t end = normalize_axis("flatten", end_axis, x.rank());
  check<ShapeError>(start <= end, "flatten: the first axis, ", start_axis, ", is after the last, ", end_axis);
  Dims dims;
  for (size_t i = 0; i < x.rank(); ++i) {
    if (i > start && i <= end)
      dims[start] *= x.dims()[i];
    else
      dims.push_back(x.dims()[i]);
  }
  return reshape(x, dims);
}

Tensor permute(const Tensor& x, const Dims& axes) {
  std::vector<int64_t> perm;
  for (const int64_t axis : axes) perm.push_back(static_cast<int64_t>(normalize_axis("permute", axis, x.rank())));
  check<ShapeError>(perm.size() == x.rank(), "permute: ", axes, " must name every axis of ", x.dims(), " once");
  return apply(Transpose{.perm = std::move(perm)}, {x});
}

Tensor transpose(const Tensor& x, int64_t axis_a, int64_t axis_b) {
  std::vector<int64_t> perm(x.rank());
  std::iota(perm.begin(), perm.end(), 0);
  std::swap(perm[normalize_axis("transpose", axis_a, x.rank())], perm[normalize_axis("transpose", axis_b, x.rank())]);
  return apply(Transpose{.perm = std::move(perm)}, {x});
}

Tensor squeeze(const Tensor& x, const Dims& axes) {
  return apply(Squeeze{}, {x, axes.empty() ? Tensor() : ints(axes)});
}

Tensor unsqueeze(const Tensor& x, const Dims& axes) { return apply(Unsqueeze{}, {x, ints(axes)}); }

Tensor expand(const Tensor& x, const Sizes& sizes) { return apply(Expand{}, {x, sizes.operand("expand")}); }

Tensor cat(const std::vector<Tensor>& parts, int64_t axis) { return apply(Concat{.axis = axis}, parts, 1).front(); }

Tensor slice(const Tensor& x, int64_t axis, int64_t start, int64_t end, int64_t step) {
  return apply(Slice{}, {x, ints({start}), ints({end}), ints({axis}), ints({step})});
}

Tensor select(const Tensor& x, int64_t axis, int64_t index) {
  return apply(Gather{.axis = axis}, {x, Tensor::scalar(index)});
}

Tensor gather(const Tensor& x, const Tensor& indices, int64_t axis) {
  return apply(Gather{.axis = axis}, {x, indices});
}

}  // namespace onemodel

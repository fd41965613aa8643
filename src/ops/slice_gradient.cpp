#include <limits>

#include "kernels/portable/copy.h"
#include "ops/declare.h"
#include "ops/slice.h"

namespace onemodel {

void SliceGradient::infer(InferContext& context) const {
  const size_t rank = context.rank(0);
  context.check<ArgumentError>(shape.size() == rank && starts.size() == rank && steps.size() == rank,
                               "shape, starts and steps need one entry per axis of dY, which has shape ",
                               context.shape(0));
  for (size_t i = 0; i < rank; ++i) {
    const Extent& extent = context.shape(0)[i];
    context.check<ArgumentError>(steps[i] != 0, "the step along axis ", i, " is 0");
    if (!extent.is_number() || extent == 0) continue;
    const int64_t last = starts[i] + (extent.number() - 1) * steps[i];
    context.check(starts[i] >= 0 && starts[i] < shape[i] && last >= 0 && last < shape[i], "places ", starts[i], " to ",
                  last, " along axis ", i, " do not lie in extent ", shape[i]);
  }
  context.output(context.dtype(0), Dims(shape));
}

void SliceGradient::evaluate(EvalContext& context) const {
  const Tensor& dy = context.input(0);
  kernels::slice_gradient(dtype_size(dy.dtype()), dy.dims(), dy.raw(), dy.strides(), shape, starts, steps,
                          context.output().mutable_raw());
}

Gradients SliceGradient::vjp(GradContext& context) const {
  std::vector<int64_t> axes, ends;
  const Dims& dims = context.input(0).dims();
  for (size_t i = 0; i < dims.size(); ++i) {
    axes.push_back(static_cast<int64_t>(i));
    const int64_t end = starts[i] + dims[i] * steps[i];
    ends.push_back(end < 0 ? std::numeric_limits<int64_t>::min() : end);
  }
  const auto list = [&](std::span<const int64_t> values) { return context.constant(Tensor::from_ints(values)); };
  return {apply(Slice{}, {context.grad(), list(starts), list(ends), list(axes), list(steps)})};
}

Var slice(const Var& a, int64_t axis, int64_t start, int64_t end) {
  if (!a.defined()) return a;
  const auto one = [&](int64_t value) { return Var(Tensor::from_ints(std::span(&value, 1)), &a.applier()); };
  return apply(Slice{}, {a, one(start), one(end), one(axis)});
}

std::vector<Sample> SliceGradient::samples() {
  const Tensor dy = sample_values({2, 3});
  return {{SliceGradient{{5, 4}, {1, 3}, {2, -1}}, {dy}},
          {SliceGradient{{2, 3}, {0, 0}, {1, 1}}, {dy}},
          {SliceGradient{{3}, {0}, {1}}, {sample_values({0})}},
          {SliceGradient{{}, {}, {}}, {sample_values({})}},
          {SliceGradient{{5}, {1}, {2}}, {dy}, "need one entry per axis of dY, which has shape [2, 3]"},
          {SliceGradient{{5, 4}, {1, 2}, {1, 1}}, {dy}, "places 2 to 4 along axis 1 do not lie in extent 4"}};
}

ONEMODEL_OPERATOR(SliceGradient)

}  // namespace onemodel

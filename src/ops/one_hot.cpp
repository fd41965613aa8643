#include "ops/one_hot.h"

#include "kernels/portable/pattern.h"
#include "ops/concat.h"
#include "ops/declare.h"
#include "ops/dtype_set.h"
#include "ops/extent_checks.h"
#include "ops/one_integer.h"

namespace onemodel {

void OneHot::infer(InferContext& context) const {
  check_in(context, 0, kNumeric);
  check_in(context, 1, kNumeric);
  check_one(context, 1);
  context.check(context.rank(2) == 1, "'values' have shape ", context.shape(2), ", expected [2]");
  check_equal(context, context.shape(2)[0], 2, "'values' have shape ", context.shape(2), ", expected [2]");
  Shape out = context.shape(0);
  const size_t at = context.axis(axis, out.rank() + 1);
  context.check(out.rank() < kMaxRank, "the result would have rank ", out.rank() + 1, ", above the largest supported, ",
                kMaxRank);
  const auto depth = one_extent(context, 1);
  if (!depth && context.tracing()) context.symbolic_error("the depth depends on values");
  context.check<ArgumentError>(!depth || !depth->is_number() || depth->number() >= 0, "'depth' is ", depth.value_or(0),
                               ", expected 0 or more");
  out.insert(at, depth ? *depth : context.unknown("depth"));
  context.output(context.dtype(2), std::move(out));
}

void OneHot::evaluate(EvalContext& context) const {
  const Tensor &values = context.input(2), &y = context.output();
  const Tensor indices = context.input(0).cast(DType::i64);
  const size_t item = dtype_size(y.dtype());
  const auto lines = kernels::Lines::along(y.dims(), normalize_axis(info.name, axis, y.rank()));
  kernels::one_hot(item, lines, indices.raw_as<int64_t>(), values.raw(), values.raw() + item, y.mutable_raw());
}

Gradients OneHot::vjp(GradContext& context) const {
  // How much of each value is in every element.
  const Var g = context.grad();
  const auto weights = [&](float off, float on) {
    return context.constant(Tensor::from<float>({off, on}, {2}).cast(g.dtype()));
  };
  const auto sum = [&](const Var& weight) {
    const Var chosen = apply(*this, {context.input(0), context.input(1), weight});
    std::vector<int64_t> axes;
    for (size_t i = 0; i < g.rank(); ++i) axes.push_back(static_cast<int64_t>(i));
    return reshape(reduce_sum(g * chosen, axes, false), Dims{1});
  };
  return {Var(), Var(), apply(Concat{.axis = 0}, {sum(weights(1, 0)), sum(weights(0, 1))})};
}

std::vector<Sample> OneHot::samples() {
  const Tensor indices = Tensor::from<int64_t>({0, 2, -1, 7, -4, 1}, {2, 3});
  const Tensor depth = Tensor::scalar(int64_t{4}), values = sample_values({2});
  return {{OneHot{}, {indices, depth, values}},
          {OneHot{.axis = 0}, {indices, sample_ints({3}), values}},
          {OneHot{.axis = 1}, {indices.cast(DType::i32), depth, Tensor::from<int64_t>({0, 1}, {2})}},
          {OneHot{}, {Tensor::scalar(int64_t{1}), Tensor::scalar(3.0), values.cast(DType::boolean)}},
          {OneHot{}, {Tensor::from<double>({1.7, -0.5, 2.2}, {3}), depth, values}},
          {OneHot{}, {indices, Tensor::scalar(int64_t{0}), values}},
          {OneHot{.axis = 3}, {indices, depth, values}, "axis 3 is out of range for rank 3"},
          {OneHot{}, {indices, Tensor::scalar(int64_t{-1}), values}, "'depth' is -1, expected 0 or more"},
          {OneHot{}, {indices, sample_ints({1, 2}), values}, "input 1 expects one element, got shape [2]"},
          {OneHot{}, {indices, depth, sample_values({3})}, "'values' have shape [3], expected [2]"}};
}

ONEMODEL_OPERATOR(OneHot)

}  // namespace onemodel

#include "ops/cum_sum.h"

#include "kernels/portable/scan.h"
#include "ops/declare.h"
#include "ops/dtype_set.h"
#include "ops/one_integer.h"

namespace onemodel {

void CumSum::infer(InferContext& context) const {
  check_in(context, 0, kNumeric);
  check_one_integer(context, 1, true);
  context.check(context.rank(0) > 0, "'x' is a scalar, expected rank 1 or more");
  const auto axis = one_extent(context, 1);
  if (axis && axis->is_number()) context.axis(axis->number(), context.rank(0));
  context.output(context.dtype(0), context.shape(0));
}

void CumSum::evaluate(EvalContext& context) const {
  const Tensor& x = context.input(0);
  const size_t axis = normalize_axis(info.name, read_one(context.input(1)), x.rank());
  visit_dtype(x.dtype(), [&](auto tag) {
    using T = typename decltype(tag)::type;
    kernels::cumulative_sum(kernels::Lines::along(x.dims(), axis), exclusive, reverse, x.raw_as<T>(),
                            context.output().mutable_raw_as<T>());
  });
}

Gradients CumSum::vjp(GradContext& context) const {
  return {apply(CumSum{.exclusive = exclusive, .reverse = !reverse}, {context.grad(), context.input(1)})};
}

std::vector<Sample> CumSum::samples() {
  const Tensor x = sample_values({2, 3, 2});
  const Tensor axis = Tensor::scalar(int64_t{1});
  return {{CumSum{}, {x, axis}},
          {CumSum{.exclusive = true}, {x, sample_ints({-1})}},
          {CumSum{.reverse = true}, {x, Tensor::scalar(int32_t{-3})}},
          {CumSum{.exclusive = true, .reverse = true}, {x, axis}},
          {CumSum{}, {sample_values({5}, -9, 9, DType::i32), Tensor::scalar(int64_t{0})}},
          {CumSum{}, {x, Tensor::scalar(int64_t{3})}, "axis 3 is out of range for rank 3"},
          {CumSum{}, {sample_values({}), axis}, "'x' is a scalar, expected rank 1 or more"},
          {CumSum{}, {x, sample_ints({0, 1})}, "input 1 expects one element, got shape [2]"},
          {CumSum{}, {x, sample_values({})}, "input 'axis' expects int64 or int32, got float32"},
          {CumSum{}, {x.cast(DType::boolean), axis}, "input 'x' expects a numeric type, got bool"}};
}

ONEMODEL_OPERATOR(CumSum)

}  // namespace onemodel

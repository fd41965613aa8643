#include "ops/triangle.h"

#include "kernels/portable/pattern.h"
#include "ops/declare.h"
#include "ops/one_integer.h"

namespace onemodel {

void Trilu::infer(InferContext& context) const {
  context.check(context.rank(0) >= 2, "'input' has shape ", context.shape(0), ", expected rank 2 or more");
  if (context.has(1)) check_one_integer(context, 1);
  context.output(context.dtype(0), context.shape(0));
}

void Trilu::evaluate(EvalContext& context) const {
  const Tensor& x = context.input(0);
  const size_t rank = x.rank();
  const int64_t rows = x.dims()[rank - 2], columns = x.dims()[rank - 1];
  if (x.numel() == 0) return;
  const int64_t k = context.has(1) ? read_one(context.input(1)) : 0;
  kernels::triangle(dtype_size(x.dtype()), x.numel() / (rows * columns), rows, columns, k, upper, x.raw(),
                    context.output().mutable_raw());
}

Gradients Trilu::vjp(GradContext& context) const {
  if (context.has(1)) return {apply(*this, {context.grad(), context.input(1)})};
  return {apply(*this, {context.grad()})};
}

std::vector<Sample> Trilu::samples() {
  const Tensor x = sample_values({2, 3, 4});
  return {{Trilu{}, {x}},
          {Trilu{.upper = false}, {x}},
          {Trilu{}, {x, Tensor::scalar(int64_t{-1})}},
          {Trilu{.upper = false}, {x, sample_ints({2})}},
          {Trilu{}, {sample_values({4, 2}, -9, 9, DType::i64), Tensor::scalar(int64_t{9})}},
          {Trilu{}, {sample_values({3})}, "'input' has shape [3], expected rank 2 or more"},
          {Trilu{}, {x, sample_ints({1, 2})}, "input 1 expects one element, got shape [2]"},
          {Trilu{}, {x, sample_values({})}, "input 'k' expects int64, got float32"}};
}

void EyeLike::infer(InferContext& context) const {
  context.check(context.rank(0) == 2, "'input' has shape ", context.shape(0), ", expected rank 2");
  context.check<ArgumentError>(!dtype || dtype_size(*dtype) > 0, "attribute 'dtype' is not an element type");
  context.output(dtype.value_or(context.dtype(0)), context.shape(0));
}

void EyeLike::evaluate(EvalContext& context) const {
  const Tensor& y = context.output();
  const Tensor one = Tensor::full({}, 1, y.dtype());
  kernels::diagonal(dtype_size(y.dtype()), y.dims()[0], y.dims()[1], k, one.raw(), y.mutable_raw());
}

std::vector<Sample> EyeLike::samples() {
  const Tensor x = sample_values({3, 4});
  return {{EyeLike{}, {x}},
          {EyeLike{.k = 2}, {x}},
          {EyeLike{.dtype = DType::i64, .k = -1}, {x}},
          {EyeLike{.k = -3}, {x.cast(DType::i32)}},
          {EyeLike{.dtype = DType::boolean, .k = 9}, {x}},
          {EyeLike{}, {sample_values({3})}, "'input' has shape [3], expected rank 2"}};
}

ONEMODEL_OPERATOR(Trilu)
ONEMODEL_OPERATOR(EyeLike)

}  // namespace onemodel

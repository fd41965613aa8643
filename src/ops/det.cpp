#include "ops/det.h"

#include "kernels/portable/determinant.h"
#include "ops/declare.h"
#include "ops/dtype_set.h"
#include "ops/extent_checks.h"
#include "ops/wider.h"

namespace onemodel {
namespace {

void check_square(const InferContext& context) {
  check_in(context, 0, kFloating);
  const Shape& x = context.shape(0);
  const size_t rank = x.rank();
  context.check(rank >= 2, "'X' expects square matrices, got shape ", x);
  check_equal(context, x[rank - 2], x[rank - 1], "'X' expects square matrices, got shape ", x);
}

// Calls `f(n, x, i)` with each matrix and its number; x has no elements where n is 0.
template <class F>
void each_matrix(const Tensor& x, int64_t count, const F& f) {
  const int64_t n = x.dims().back();
  for (int64_t i = 0; i < count; ++i) f(n, x.raw_as<double>() + i * n * n, i);
}

}  // namespace

void Det::infer(InferContext& context) const {
  check_square(context);
  Shape out = context.shape(0);
  out.erase(out.rank() - 1);
  out.erase(out.rank() - 1);
  context.output(context.dtype(0), std::move(out));
}

void Det::evaluate(EvalContext& context) const {
  in_float64(context, [](EvalContext& c) {
    auto* y = c.output().mutable_raw_as<double>();
    each_matrix(c.input(0), c.output().numel(),
                [&](int64_t n, const double* x, int64_t i) { y[i] = kernels::determinant(n, x); });
  });
}

Gradients Det::vjp(GradContext& context) const {
  const Var g = context.grad();
  Dims dims = g.dims();
  dims.push_back(1);
  dims.push_back(1);
  return {reshape(g, dims) * apply(Cofactors{}, {context.input(0)})};
}

std::vector<Sample> Det::samples() {
  const Tensor singular = Tensor::from<float>({1, 2, 3, 2, 4, 6, 1, 0, 1}, {3, 3});
  return {{Det{}, {sample_values({3, 3})}},
          {Det{}, {sample_values({2, 3, 4, 4})}},
          {Det{}, {sample_values({2, 1, 1})}},
          {Det{}, {Tensor::from<float>({0, 1, 2, 0}, {2, 2})}},
          {Det{}, {singular}},
          {Det{}, {Tensor::zeros({2, 2})}},
          {Det{}, {Tensor::zeros({3, 0, 0})}},
          {Det{}, {sample_values({2, 3})}, "'X' expects square matrices, got shape [2, 3]"},
          {Det{}, {sample_values({3})}, "'X' expects square matrices, got shape [3]"},
          {Det{}, {sample_values({2, 2}, 0, 9, DType::i32)}, "input 'X' expects a floating-point type, got int32"}};
}

void Cofactors::infer(InferContext& context) const {
  check_square(context);
  context.output(context.dtype(0), context.shape(0));
}

void Cofactors::evaluate(EvalContext& context) const {
  if (context.input(0).numel() == 0) return;
  in_float64(context, [](EvalContext& c) {
    auto* y = c.output().mutable_raw_as<double>();
    const Tensor& x = c.input(0);
    each_matrix(x, x.numel() / (x.dims().back() * x.dims().back()),
                [&](int64_t n, const double* from, int64_t i) { kernels::cofactors(n, from, y + i * n * n); });
  });
}

std::vector<Sample> Cofactors::samples() {
  return {{Cofactors{}, {sample_values({2, 3, 3})}},
          {Cofactors{}, {sample_values({1, 1})}},
          {Cofactors{}, {Tensor::from<float>({1, 2, 2, 4}, {2, 2})}},
          {Cofactors{}, {sample_values({2, 3})}, "'X' expects square matrices, got shape [2, 3]"}};
}

ONEMODEL_OPERATOR(Det)
ONEMODEL_OPERATOR(Cofactors)

}  // namespace onemodel

#include "ops/softmax.h"

#include "kernels/portable/softmax.h"
#include "kernels/xnn/softmax.h"
#include "ops/declare.h"
#include "ops/dtype_set.h"
#include "ops/fast_checks.h"
#include "ops/prepared_kernel.h"

namespace onemodel {
namespace {

struct Rows {
  int64_t outer = 1, length = 1, inner = 1;
};

Rows rows_along(const Dims& dims, int64_t axis) {
  const size_t a = normalize_axis("Softmax", axis, dims.size());
  Rows rows{.length = dims[a]};
  for (size_t i = 0; i < dims.size(); ++i)
    if (i != a) (i < a ? rows.outer : rows.inner) *= dims[i];
  return rows;
}

void infer_softmax(InferContext& context, int64_t axis) {
  check_in(context, 0, kFloating);
  context.axis(axis, context.rank(0));
  context.output(context.dtype(0), context.shape(0));
}

Var sum_along(const Var& v, int64_t axis) { return reduce_sum(v, std::span(&axis, 1), true); }

std::vector<Sample> softmax_samples(Op (*make)(int64_t axis)) {
  return {{make(-1), {sample_values({2, 5})}},
          {make(0), {sample_values({3, 2})}},
          {make(1), {sample_values({2, 3, 2}, -4, 4)}},
          {make(-1), {sample_values({4}, -30, 30, DType::f64)}},
          {make(2), {sample_values({2, 3})}, "axis 2 is out of range for rank 2"},
          {make(-1), {sample_values({})}, "axis -1 is out of range for rank 0"},
          {make(-1), {sample_values({3}, 0, 9, DType::i32)}, "input 'input' expects a floating-point type, got int32"}};
}

}  // namespace

void Softmax::infer(InferContext& context) const { infer_softmax(context, axis); }

void Softmax::evaluate(EvalContext& context) const {
  const Tensor& x = context.input(0);
  const Rows rows = rows_along(x.dims(), axis);
  visit_dtype(x.dtype(), [&](auto tag) {
    using T = typename decltype(tag)::type;
    kernels::softmax(rows.outer, rows.length, rows.inner, x.raw_as<T>(), context.output().mutable_raw_as<T>());
  });
}

std::span<const FastKernel<Softmax>> Softmax::fast_kernels() {
  static constexpr FastKernel<Softmax> kernels[] = {
      {"xnn.softmax",
       [](const Softmax& op, const KernelRequest& request, std::string& refusal) -> std::unique_ptr<Kernel> {
         if (!accepts_plain_f32(request, refusal)) return nullptr;
         const Rows rows = rows_along(request.dims(0), op.axis);
         if (rows.inner != 1) return refusal = "the axis is not the last", nullptr;
         return wrap_kernel(kernels::xnn::softmax(rows.outer, rows.length, refusal), {0});
       }}};
  return kernels;
}

Gradients Softmax::vjp(GradContext& context) const {
  const Var y = context.output(), weighted = context.grad() * y;
  return {weighted - y * sum_along(weighted, axis)};
}

std::vector<Sample> Softmax::samples() {
  return softmax_samples([](int64_t axis) { return Op(Softmax{.axis = axis}); });
}

void LogSoftmax::infer(InferContext& context) const { infer_softmax(context, axis); }

void LogSoftmax::evaluate(EvalContext& context) const {
  const Tensor& x = context.input(0);
  const Rows rows = rows_along(x.dims(), axis);
  visit_dtype(x.dtype(), [&](auto tag) {
    using T = typename decltype(tag)::type;
    kernels::log_softmax(rows.outer, rows.length, rows.inner, x.raw_as<T>(), context.output().mutable_raw_as<T>());
  });
}

Gradients LogSoftmax::vjp(GradContext& context) const {
  const Var g = context.grad();
  return {g - exp(context.output()) * sum_along(g, axis)};
}

std::vector<Sample> LogSoftmax::samples() {
  return softmax_samples([](int64_t axis) { return Op(LogSoftmax{.axis = axis}); });
}

ONEMODEL_OPERATOR(Softmax)
ONEMODEL_OPERATOR(LogSoftmax)

}  // namespace onemodel

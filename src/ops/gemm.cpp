#include "ops/gemm.h"

#include "kernels/portable/matmul.h"
#include "kernels/xnn/matmul.h"
#include "ops/declare.h"
#include "ops/dtype_set.h"
#include "ops/extent_checks.h"
#include "ops/fast_checks.h"
#include "ops/prepared_kernel.h"
#include "ops/strided.h"

namespace onemodel {
namespace {

struct Sizes {
  int64_t m, k, n;
};

Sizes sizes_of(const Gemm& op, const Dims& a, const Dims& b) {
  return {a[op.transA ? 1 : 0], a[op.transA ? 0 : 1], b[op.transB ? 0 : 1]};
}

// [n] or [1, n]: the only bias XNNPACK adds.
bool is_row(const Dims& dims, int64_t n) { return numel(dims) == n && !dims.empty() && dims.back() == n; }

std::unique_ptr<Kernel> make_fully_connected_gemm(const Gemm& op, const KernelRequest& request, std::string& refusal) {
  if (!accepts_f32(request, refusal)) return nullptr;
  if (!request.is_constant(1)) return refusal = "B is not constant", nullptr;
  if (op.transA) return refusal = "A is transposed", nullptr;
  const bool bias = request.has(2);
  if (op.alpha != 1 || (bias && op.beta != 1)) return refusal = "alpha or beta is not 1", nullptr;
  if (bias && !request.is_constant(2)) return refusal = "C is not constant", nullptr;
  const auto [m, k, n] = sizes_of(op, request.dims(0), request.dims(1));
  Tensor row;
  if (bias) {
    const Dims& dims = request.dims(2);
    if (dims.size() == 2 && dims[0] != 1) return refusal = "C is not one row", nullptr;
    row = request.inputs[2].constant.expand(dims.size() == 2 ? Dims{1, n} : Dims{n}).contiguous();
  }
  const Clamp clamp = clamp_of(request);
  const Tensor b = request.inputs[1].constant.contiguous();
  return wrap_kernel(kernels::xnn::fully_connected(
                         {.m = m, .k = k, .n = n, .transposed_b = op.transB, .min = clamp.min, .max = clamp.max},
                         b.raw_as<float>(), bias ? row.raw_as<float>() : nullptr, refusal),
                     {0});
}

std::unique_ptr<Kernel> make_batch_matmul_gemm(const Gemm& op, const KernelRequest& request, std::string& refusal) {
  if (!accepts_plain_f32(request, refusal)) return nullptr;
  const bool bias = request.has(2);
  if (op.alpha != 1 || (bias && op.beta != 1)) return refusal = "alpha or beta is not 1", nullptr;
  const auto [m, k, n] = sizes_of(op, request.dims(0), request.dims(1));
  if (bias && !is_row(request.dims(2), n)) return refusal = "C is not one row", nullptr;
  auto prepared = kernels::xnn::batch_matmul(
      {.m = m, .k = k, .n = n, .transposed_a = op.transA, .transposed_b = op.transB, .bias = bias}, refusal);
  return bias ? wrap_kernel(std::move(prepared), {0, 1, 2}) : wrap_kernel(std::move(prepared), {0, 1});
}

}  // namespace

void Gemm::infer(InferContext& context) const {
  check_in(context, 0, kProduct);
  context.check_same_dtype(0, 1);
  context.check_same_dtype(0, 2);
  for (size_t i : {0, 1})
    context.check(context.rank(i) == 2, "'", inputs[i].name, "' expects rank 2, got shape ", context.shape(i));
  const Shape &a = context.shape(0), &b = context.shape(1);
  const Extent &inner_a = a[transA ? 0 : 1], &inner_b = b[transB ? 1 : 0];
  check_equal(context, inner_a, inner_b, "shapes ", a, transA ? " (transposed)" : "", " and ", b,
              transB ? " (transposed)" : "", " do not fit: the inner extents are ", inner_a, " and ", inner_b);
  const Shape out{a[transA ? 1 : 0], b[transB ? 0 : 1]};
  if (context.has(2)) check_broadcasts_to(context, context.shape(2), out, "C");
  context.output(context.dtype(0), out);
}

void Gemm::evaluate(EvalContext& context) const {
  const Tensor &a = context.input(0), &b = context.input(1), &y = context.output();
  const auto [m, k, n] = sizes_of(*this, a.dims(), b.dims());
  const kernels::MatMulShape shape{.m = m,
                                   .n = n,
                                   .k = k,
                                   .a_row = a.strides()[transA ? 1 : 0],
                                   .a_col = a.strides()[transA ? 0 : 1],
                                   .b_row = b.strides()[transB ? 1 : 0],
                                   .b_col = b.strides()[transB ? 0 : 1]};
  visit_dtype(a.dtype(), [&](auto tag) {
    using T = typename decltype(tag)::type;
    kernels::GemmBias<T> bias;
    if (context.has(2)) {
      const Tensor& c = context.input(2);
      const Dims strides = broadcast_strides(c.dims(), c.strides(), y.dims());
      bias = {c.raw_as<T>(), strides[0], strides[1]};
    }
    kernels::gemm(shape, a.raw_as<T>(), b.raw_as<T>(), alpha, beta, bias, y.mutable_raw_as<T>());
  });
}

std::span<const FastKernel<Gemm>> Gemm::fast_kernels() {
  static constexpr FastKernel<Gemm> kernels[] = {{"xnn.fully_connected", make_fully_connected_gemm},
                                                 {"simd.batch_matmul", make_batch_matmul_gemm}};
  return kernels;
}

Gradients Gemm::vjp(GradContext& context) const {
  const Var a = context.input(0), b = context.input(1), g = context.grad();
  const auto scaled = [](const Var& v, float factor) { return factor == 1 ? v : v * static_cast<double>(factor); };
  Gradients out(3);
  if (context.needs(0)) {
    const Var gradient =
        transA ? apply(Gemm{.transA = transB, .transB = true}, {b, g}) : apply(Gemm{.transB = !transB}, {g, b});
    out[0] = scaled(gradient, alpha);
  }
  if (context.needs(1)) {
    const Var gradient =
        transB ? apply(Gemm{.transA = true, .transB = transA}, {g, a}) : apply(Gemm{.transA = !transA}, {a, g});
    out[1] = scaled(gradient, alpha);
  }
  if (context.needs(2)) out[2] = scaled(reduce_to(g, context.input(2).dims()), beta);
  return out;
}

std::vector<Sample> Gemm::samples() {
  const auto matrix = [](const Dims& dims, uint64_t seed) { return sample_values(dims, -1, 1, DType::f32, seed); };
  return {
      {Gemm{}, {matrix({2, 3}, 1), matrix({3, 4}, 2), matrix({4}, 3)}},
      {Gemm{.transB = true}, {matrix({3, 5}, 1), matrix({2, 5}, 2), matrix({1, 2}, 3)}},
      {Gemm{.alpha = 0.5f, .beta = 2, .transA = true}, {matrix({3, 2}, 1), matrix({3, 4}, 2), matrix({2, 1}, 3)}},
      {Gemm{.alpha = -1.5f, .transA = true, .transB = true}, {matrix({3, 2}, 1), matrix({4, 3}, 2)}},
      {Gemm{.beta = 3}, {matrix({2, 1}, 1), matrix({1, 3}, 2), matrix({}, 3)}},
      {Gemm{}, {matrix({2, 3}, 1), matrix({4, 3}, 2)}, "the inner extents are 3 and 4"},
      {Gemm{}, {matrix({2, 3}, 1), matrix({3, 4}, 2), matrix({3}, 3)}, "'C' of shape [3] does not broadcast to [2, 4]"},
      {Gemm{}, {matrix({2, 3, 1}, 1), matrix({3, 4}, 2)}, "'A' expects rank 2, got shape [2, 3, 1]"},
      {Gemm{}, {matrix({2, 3}, 1), sample_values({3, 4}, -1, 1, DType::f64)}, "must have one dtype"}};
}

ONEMODEL_OPERATOR(Gemm)

}  // namespace onemodel

#include "ops/matmul.h"

#include "ops/declare.h"
#include "ops/dtype_set.h"
#include "ops/extent_checks.h"
#include "ops/fast_checks.h"
#include "ops/gemm.h"
#include "ops/prepared_kernel.h"
#include "ops/strided.h"

namespace onemodel {
namespace {

Dims without_last(const Dims& dims, size_t count) {
  return Dims(std::span(dims.data(), dims.size() - std::min(count, dims.size())));
}

// Operands as two-dimensional matrices with batch axes before.
struct Matrices {
  int64_t m, k, n;
  Dims a_batch, b_batch;
};

Matrices matrices(const Dims& a, const Dims& b) {
  return {a.size() > 1 ? a[a.size() - 2] : 1, a.back(), b.size() > 1 ? b.back() : 1, without_last(a, 2),
          without_last(b, 2)};
}

Dims append_dims(Dims dims, std::initializer_list<int64_t> tail) {
  for (int64_t extent : tail) dims.push_back(extent);
  return dims;
}

}  // namespace

Shape matmul_shape(const InferContext& context) {
  check_in(context, 0, kProduct);
  context.check_same_dtype(0, 1);
  return product_shape(context, 0, 1);
}

Shape product_shape(const InferContext& context, size_t a_index, size_t b_index) {
  const Shape &a = context.shape(a_index), &b = context.shape(b_index);
  context.check(a.rank() >= 1, "'A' is a scalar, expected rank 1 or more");
  context.check(b.rank() >= 1, "'B' is a scalar, expected rank 1 or more");
  const Extent& inner = b[b.rank() > 1 ? b.rank() - 2 : 0];
  check_equal(context, a[a.rank() - 1], inner, "shapes ", a, " and ", b, " do not fit: the last axis of A has ",
              a[a.rank() - 1], ", the ", b.rank() > 1 ? "last but one " : "only ", "axis of B ", inner);
  const auto batch = [](const Shape& shape) {
    return Shape(std::vector<Extent>(shape.begin(),
                                     shape.end() - static_cast<std::ptrdiff_t>(std::min<size_t>(2, shape.rank()))));
  };
  Shape out = context.broadcast(batch(a), batch(b));
  if (a.rank() > 1) out.push_back(a[a.rank() - 2]);
  if (b.rank() > 1) out.push_back(b[b.rank() - 1]);
  return out;
}

kernels::MatMulShape matmul_operands(const Tensor& a, const Tensor& b, const Dims& out) {
  const size_t a_rank = a.rank(), b_rank = b.rank();
  const Matrices sizes = matrices(a.dims(), b.dims());
  kernels::MatMulShape shape;
  shape.m = sizes.m, shape.k = sizes.k, shape.n = sizes.n;
  shape.a_row = a_rank > 1 ? a.strides()[a_rank - 2] : 0, shape.a_col = a.strides().back();
  shape.b_row = b.strides()[b_rank > 1 ? b_rank - 2 : 0], shape.b_col = b_rank > 1 ? b.strides().back() : 0;
  shape.batch = without_last(out, size_t(a_rank > 1) + size_t(b_rank > 1));
  shape.a_batch = broadcast_strides(sizes.a_batch, without_last(a.strides(), 2), shape.batch);
  shape.b_batch = broadcast_strides(sizes.b_batch, without_last(b.strides(), 2), shape.batch);
  return shape;
}

void MatMul::infer(InferContext& context) const { context.output(context.dtype(0), matmul_shape(context)); }

void MatMul::evaluate(EvalContext& context) const {
  const Tensor &a = context.input(0), &b = context.input(1), &y = context.output();
  const auto shape = matmul_operands(a, b, y.dims());
  visit_dtype(a.dtype(), [&](auto tag) {
    using T = typename decltype(tag)::type;
    kernels::matmul(shape, a.raw_as<T>(), b.raw_as<T>(), y.mutable_raw_as<T>());
  });
}

std::unique_ptr<Kernel> make_fully_connected(const KernelRequest& request, std::optional<size_t> bias,
                                             std::string& refusal) {
  if (!accepts_f32(request, refusal)) return nullptr;
  if (!request.is_constant(1)) return refusal = "B is not constant", nullptr;
  if (request.dims(1).size() != 2) return refusal = "B is not two-dimensional", nullptr;
  if (bias && !request.is_constant(*bias)) return refusal = "the bias is not constant", nullptr;
  const Clamp clamp = clamp_of(request);
  const int64_t k = request.dims(1)[0], n = request.dims(1)[1];
  if (k == 0) return refusal = "the inner extent is 0", nullptr;
  const Tensor b = request.inputs[1].constant.contiguous();
  const Tensor vector = bias ? request.inputs[*bias].constant.contiguous() : Tensor();
  return wrap_kernel(kernels::xnn::fully_connected(
                         {.m = numel(request.dims(0)) / k, .k = k, .n = n, .min = clamp.min, .max = clamp.max},
                         b.raw_as<float>(), bias ? vector.raw_as<float>() : nullptr, refusal),
                     {0});
}

std::unique_ptr<Kernel> make_batch_matmul(const KernelRequest& request, std::optional<size_t> bias,
                                          std::string& refusal) {
  if (!accepts_plain_f32(request, refusal)) return nullptr;
  Matrices sizes = matrices(request.dims(0), request.dims(1));
  if (request.dims(1).size() <= 2) {  // one B for all rows
    sizes.m *= numel(sizes.a_batch);
    sizes.a_batch = {};
  }
  auto prepared = kernels::xnn::batch_matmul({.a_batch = sizes.a_batch,
                                              .b_batch = sizes.b_batch,
                                              .m = sizes.m,
                                              .k = sizes.k,
                                              .n = sizes.n,
                                              .bias = bias.has_value()},
                                             refusal);
  return bias ? wrap_kernel(std::move(prepared), {0, 1, *bias}) : wrap_kernel(std::move(prepared), {0, 1});
}

std::span<const FastKernel<MatMul>> MatMul::fast_kernels() {
  static constexpr FastKernel<MatMul> kernels[] = {
      {"xnn.fully_connected", [](const MatMul&, const KernelRequest& request,
                                 std::string& refusal) { return make_fully_connected(request, {}, refusal); }},
      {"simd.batch_matmul", [](const MatMul&, const KernelRequest& request, std::string& refusal) {
         return make_batch_matmul(request, {}, refusal);
       }}};
  return kernels;
}

Gradients MatMul::vjp(GradContext& context) const {
  const Var a = context.input(0), b = context.input(1), g = context.grad();
  const Matrices sizes = matrices(a.dims(), b.dims());
  const Dims a_dims = append_dims(sizes.a_batch, {sizes.m, sizes.k});
  const Dims b_dims = append_dims(sizes.b_batch, {sizes.k, sizes.n});
  const Dims g_batch = without_last(g.dims(), size_t(a.rank() > 1) + size_t(b.rank() > 1));
  const auto as = [](const Var& v, const Dims& dims) { return v.dims() == dims ? v : reshape(v, dims); };

  Gradients out(2);
  if (sizes.b_batch.empty()) {  // B meets all rows of A: two plain products
    const int64_t rows = numel(sizes.a_batch) * sizes.m;
    const Var rows_a = as(a, {rows, sizes.k}), rows_g = as(g, {rows, sizes.n}), matrix_b = as(b, b_dims);
    if (context.needs(0)) out[0] = as(apply(Gemm{.transB = true}, {rows_g, matrix_b}), a.dims());
    if (context.needs(1)) out[1] = as(apply(Gemm{.transA = true}, {rows_a, rows_g}), b.dims());
    return out;
  }
  const Var all_g = as(g, append_dims(g_batch, {sizes.m, sizes.n}));
  if (context.needs(0)) out[0] = as(reduce_to(matmul(all_g, transpose(as(b, b_dims))), a_dims), a.dims());
  if (context.needs(1)) out[1] = as(reduce_to(matmul(transpose(as(a, a_dims)), all_g), b_dims), b.dims());
  return out;
}

std::vector<Sample> MatMul::samples() {
  const auto matrix = [](const Dims& dims, uint64_t seed) { return sample_values(dims, -1, 1, DType::f32, seed); };
  return {{MatMul{}, {matrix({2, 3}, 1), matrix({3, 4}, 2)}},
          {MatMul{}, {matrix({2, 3, 4}, 1), matrix({4, 5}, 2)}},
          {MatMul{}, {matrix({2, 1, 3, 4}, 1), matrix({3, 4, 2}, 2)}},
          {MatMul{}, {matrix({3}, 1), matrix({3}, 2)}},
          {MatMul{}, {matrix({3}, 1), matrix({2, 3, 4}, 2)}},
          {MatMul{}, {matrix({2, 2, 3}, 1), matrix({3}, 2)}},
          {MatMul{}, {sample_values({2, 3}, -9, 9, DType::i32), sample_values({3, 2}, -9, 9, DType::i32, 2)}},
          {MatMul{}, {matrix({2, 3}, 1), matrix({4, 5}, 2)}, "the last axis of A has 3, the last but one axis of B 4"},
          {MatMul{}, {matrix({2, 3, 4}, 1), matrix({3, 4, 5}, 2)}, "shapes [2] and [3] do not broadcast"},
          {MatMul{}, {matrix({}, 1), matrix({3}, 2)}, "'A' is a scalar"},
          {MatMul{},
           {sample_values({2, 2}, 0, 9, DType::i8), sample_values({2, 2}, 0, 9, DType::i8)},
           "input 'A' expects a floating-point, 32-bit or 64-bit integer type, got int8"}};
}

ONEMODEL_OPERATOR(MatMul)

}  // namespace onemodel

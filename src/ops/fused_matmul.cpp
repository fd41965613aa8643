#include "ops/fused_matmul.h"

#include "ops/declare.h"
#include "ops/extent_checks.h"
#include "ops/matmul.h"

namespace onemodel {

void FusedMatMul::infer(InferContext& context) const {
  Shape out = matmul_shape(context);
  context.check_same_dtype(0, 2);
  context.check(context.rank(1) >= 2, "'B' expects rank 2 or more, got shape ", context.shape(1));
  context.check(context.rank(2) == 1, "'bias' expects rank 1, got shape ", context.shape(2));
  const Extent &n = out[out.rank() - 1], &length = context.shape(2)[0];
  check_equal(context, length, n, "'bias' has ", length, " elements, the last axis of the product ", n);
  context.output(context.dtype(0), std::move(out));
}

void FusedMatMul::evaluate(EvalContext& context) const {
  const Tensor &a = context.input(0), &b = context.input(1), &bias = context.input(2), &y = context.output();
  const auto shape = matmul_operands(a, b, y.dims());
  visit_dtype(a.dtype(), [&](auto tag) {
    using T = typename decltype(tag)::type;
    kernels::gemm(shape, a.raw_as<T>(), b.raw_as<T>(), 1, 1, {bias.raw_as<T>(), 0, bias.strides()[0]},
                  y.mutable_raw_as<T>());
  });
}

std::span<const FastKernel<FusedMatMul>> FusedMatMul::fast_kernels() {
  static constexpr FastKernel<FusedMatMul> kernels[] = {
      {"xnn.fully_connected", [](const FusedMatMul&, const KernelRequest& request,
                                 std::string& refusal) { return make_fully_connected(request, 2, refusal); }},
      {"simd.batch_matmul", [](const FusedMatMul&, const KernelRequest& request, std::string& refusal) {
         return make_batch_matmul(request, 2, refusal);
       }}};
  return kernels;
}

std::vector<Sample> FusedMatMul::samples() {
  const auto matrix = [](const Dims& dims, uint64_t seed) { return sample_values(dims, -1, 1, DType::f32, seed); };
  return {{FusedMatMul{}, {matrix({2, 3}, 1), matrix({3, 4}, 2), matrix({4}, 3)}},
          {FusedMatMul{}, {matrix({2, 3, 4}, 1), matrix({4, 5}, 2), matrix({5}, 3)}},
          {FusedMatMul{}, {matrix({3, 1, 4}, 1), matrix({3, 4, 2}, 2), matrix({2}, 3)}},
          {FusedMatMul{}, {matrix({4}, 1), matrix({4, 3}, 2), matrix({3}, 3)}},
          {FusedMatMul{}, {matrix({2, 3}, 1), matrix({3, 4}, 2), matrix({3}, 3)}, "'bias' has 3 elements"},
          {FusedMatMul{}, {matrix({2, 3}, 1), matrix({3}, 2), matrix({1}, 3)}, "'B' expects rank 2 or more"},
          {FusedMatMul{}, {matrix({2, 3}, 1), matrix({3, 4}, 2), matrix({1, 4}, 3)}, "'bias' expects rank 1"}};
}

ONEMODEL_OPERATOR(FusedMatMul)

}  // namespace onemodel

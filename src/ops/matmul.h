#pragma once
// MatMul: the matrix product with numpy's rules for ranks.

#include <optional>

#include "kernels/portable/matmul.h"
#include "kernels/xnn/matmul.h"
#include "ops/grad.h"
#include "ops/infer.h"
#include "ops/kernel.h"
#include "ops/op_list.h"

namespace onemodel {

/// A[..., m, k] x B[..., k, n] gives [..., m, n]; leading axes broadcast. A one-dimensional A is a
/// row and a one-dimensional B a column, and that axis is left out of the result. Dtypes: kProduct,
/// both the same.
struct MatMul {
  static constexpr Input inputs[] = {{"A", "[..., m, k] or [k]"}, {"B", "[..., k, n] or [k]"}};
  static constexpr std::string_view outputs[] = {"Y"};
  static constexpr auto fields() { return std::tuple{}; }
  static constexpr OpInfo info{
      .name = "MatMul", .doc = "matrix product over the last two axes, numpy's matmul", .since = 13, .strided = true};
  void infer(InferContext& context) const;
  void evaluate(EvalContext& context) const;
  static std::span<const FastKernel<MatMul>> fast_kernels();
  Gradients vjp(GradContext&) const;
  static std::vector<Sample> samples();
};

/// The shape of the product of inputs 0 and 1; checks ranks, dtypes and inner extents.
Shape matmul_shape(const InferContext& context);
/// The shape of the product of inputs `a` and `b`, which errors call A and B; checks ranks and inner extents.
Shape product_shape(const InferContext& context, size_t a, size_t b);
/// What the portable kernel needs for operands with any strides.
kernels::MatMulShape matmul_operands(const Tensor& a, const Tensor& b, const Dims& out);
/// Constant two-dimensional B, and a bias vector when `bias` names an input; applies the clamp.
std::unique_ptr<Kernel> make_fully_connected(const KernelRequest& request, std::optional<size_t> bias,
                                             std::string& refusal);
/// Any operands, no clamp.
std::unique_ptr<Kernel> make_batch_matmul(const KernelRequest& request, std::optional<size_t> bias,
                                          std::string& refusal);

}  // namespace onemodel

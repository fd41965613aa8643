#pragma once
// FusedMatMul: a matrix product with a bias, made by a pass of MatMul and Add.

#include "ops/grad.h"
#include "ops/infer.h"
#include "ops/kernel.h"
#include "ops/op_list.h"

namespace onemodel {

/// As MatMul, with B of rank 2 or more, plus bias[n] along the last axis.
struct FusedMatMul {
  static constexpr Input inputs[] = {
      {"A", "[..., m, k] or [k]"}, {"B", "[..., k, n]"}, {"bias", "[n], added along the last axis"}};
  static constexpr std::string_view outputs[] = {"Y"};
  static constexpr auto fields() { return std::tuple{}; }
  static constexpr OpInfo info{.name = "FusedMatMul",
                               .doc = "MatMul(A, B) + bias",
                               .strided = true,
                               .internal = true,
                               .untraceable = "it is made by optimisation, after tracing"};
  void infer(InferContext& context) const;
  void evaluate(EvalContext& context) const;
  static std::span<const FastKernel<FusedMatMul>> fast_kernels();
  static constexpr NotDifferentiable vjp{"it is made by optimisation, after differentiation"};
  static std::vector<Sample> samples();
};

}  // namespace onemodel

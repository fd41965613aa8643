#pragma once
// Gemm: alpha A B + beta C with optional transpositions.

#include "ops/grad.h"
#include "ops/infer.h"
#include "ops/kernel.h"
#include "ops/op_list.h"

namespace onemodel {

/// A is [m, k] ([k, m] with transA), B [k, n] ([n, k] with transB); C, optional, broadcasts to the
/// result [m, n]. Dtypes: kProduct, all the same.
struct Gemm {
  float alpha = 1;
  float beta = 1;
  bool transA = false;
  bool transB = false;
  static constexpr auto fields() {
    return std::tuple{field("alpha", &Gemm::alpha, "factor of the product"), field("beta", &Gemm::beta, "factor of C"),
                      field("transA", &Gemm::transA, "A is given as [k, m]"),
                      field("transB", &Gemm::transB, "B is given as [n, k]")};
  }
  static constexpr Input inputs[] = {{"A", "[m, k], or [k, m] with transA"},
                                     {"B", "[k, n], or [n, k] with transB"},
                                     {"C", "broadcasts to [m, n]", Input::optional}};
  static constexpr std::string_view outputs[] = {"Y"};
  static constexpr OpInfo info{.name = "Gemm", .doc = "alpha * A B + beta * C", .since = 13, .strided = true};
  void infer(InferContext& context) const;
  void evaluate(EvalContext& context) const;
  static std::span<const FastKernel<Gemm>> fast_kernels();
  Gradients vjp(GradContext&) const;
  static std::vector<Sample> samples();
};

}  // namespace onemodel

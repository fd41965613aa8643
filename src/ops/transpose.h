#pragma once
// Permutation of axes.

#include "ops/grad.h"
#include "ops/infer.h"
#include "ops/kernel.h"
#include "ops/op_list.h"

namespace onemodel {

/// transposed.shape[i] = data.shape[perm[i]]; all axes reversed when `perm` is empty. Eager results
/// share storage. Errors: `perm` is not a permutation of the axes.
struct Transpose {
  std::vector<int64_t> perm;
  static constexpr auto fields() {
    return std::tuple{field("perm", &Transpose::perm, "the input's axes in order; reversed when empty")};
  }
  static constexpr Input inputs[] = {{"data", "values"}};
  static constexpr std::string_view outputs[] = {"transposed"};
  static constexpr OpInfo info{
      .name = "Transpose", .doc = "permutes the axes", .since = 13, .takes_stored = true, .strided = true};
  void infer(InferContext&) const;
  void evaluate(EvalContext&) const;
  Tensor view(std::span<const Tensor> inputs) const;
  static std::span<const FastKernel<Transpose>> fast_kernels();
  Gradients vjp(GradContext&) const;
  static std::vector<Sample> samples();

  /// `perm` with its default filled in.
  Dims axes(size_t rank) const;
};

}  // namespace onemodel

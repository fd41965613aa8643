#pragma once
// FusedAttention: scaled dot-product attention, made by a pass of the operators that it is written in.

#include <limits>

#include "ops/grad.h"
#include "ops/infer.h"
#include "ops/kernel.h"
#include "ops/op_list.h"

namespace onemodel {

/// Softmax(scale * Q K^T, masked) V with Q[..., L, E], K[..., S, E] and V[..., S, D], each after the permutation of its
/// axes that an attribute gives; Y[..., L, D] is permuted last. Leading axes of Q and K broadcast, and those of V to
/// theirs; with `groups` above 1, K and V have that many times fewer heads (the axis before the last two), and
/// consecutive heads of Q share one. A bool mask keeps the scores where it is true and puts `fill` elsewhere, another is
/// added; it broadcasts to the scores. Dtypes: float32 or float64, all the same.
struct FusedAttention {
  float scale = 1;
  float fill = -std::numeric_limits<float>::infinity();
  int64_t groups = 1;
  std::vector<int64_t> q_perm, k_perm, v_perm, y_perm;
  static constexpr auto fields() {
    return std::tuple{field("scale", &FusedAttention::scale, "factor of the scores"),
                      field("fill", &FusedAttention::fill, "score where a bool mask is false"),
                      field("groups", &FusedAttention::groups, "heads of Q that share one of K and V"),
                      field("q_perm", &FusedAttention::q_perm, "Q's axes in order; as they are when empty"),
                      field("k_perm", &FusedAttention::k_perm, "K's axes in order; as they are when empty"),
                      field("v_perm", &FusedAttention::v_perm, "V's axes in order; as they are when empty"),
                      field("y_perm", &FusedAttention::y_perm, "the result's axes in order; as they are when empty")};
  }
  static constexpr Input inputs[] = {{"Q", "queries"},
                                     {"K", "keys"},
                                     {"V", "values"},
                                     {"mask", "broadcasts to the scores [..., L, S]", Input::optional}};
  static constexpr std::string_view outputs[] = {"Y"};
  static constexpr OpInfo info{.name = "FusedAttention",
                               .doc = "Softmax(scale * Q K^T + mask) V",
                               .strided = true,
                               .internal = true,
                               .untraceable = "it is made by optimisation, after tracing"};
  void infer(InferContext& context) const;
  void evaluate(EvalContext& context) const;
  static std::span<const FastKernel<FusedAttention>> fast_kernels();
  static constexpr NotDifferentiable vjp{"it is made by optimisation, after differentiation"};
  static std::vector<Sample> samples();
};

}  // namespace onemodel

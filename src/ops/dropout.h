#pragma once
// Dropout: the identity or, while training, a product with a random mask.

#include "ops/grad.h"
#include "ops/infer.h"
#include "ops/kernel.h"
#include "ops/op_list.h"

namespace onemodel {

/// The output is `data`, the mask all true. With `training_mode` each element is dropped with the probability `ratio`
/// (0.5 when absent), its mask false, and the others are multiplied by 1 / (1 - ratio). With the attribute `seed` every
/// evaluation drops the same elements, else others each time. The gradient of dropping needs the mask as an output, or
/// a seed. Floating dtypes. Errors: a ratio outside [0, 1) while training.
struct Dropout {
  std::optional<int64_t> seed;
  static constexpr auto fields() {
    return std::tuple{field("seed", &Dropout::seed, "drops the same in every evaluation; others when absent")};
  }
  static constexpr Input inputs[] = {{"data", "values"},
                                     {"ratio", "probability of dropping, 0.5 when absent", Input::optional},
                                     {"training_mode", "whether to drop, false when absent", Input::optional}};
  static constexpr std::string_view outputs[] = {"output", "mask"};
  static constexpr OpInfo info{.name = "Dropout",
                               .doc = "the identity; in training mode a product with a random mask",
                               .since = 13,
                               .random = true};
  void infer(InferContext& context) const;
  void evaluate(EvalContext& context) const;
  Gradients vjp(GradContext&) const;
  static std::vector<Sample> samples();
};

}  // namespace onemodel

#pragma once
// Dropout as inference sees it: the identity.

#include "ops/grad.h"
#include "ops/infer.h"
#include "ops/kernel.h"
#include "ops/op_list.h"

namespace onemodel {

/// The output is `data`, the mask all true. A known `training_mode` of true is refused unless the ratio is 0; so is one
/// that turns out true when running. Floating dtypes.
struct Dropout {
  std::optional<int64_t> seed;
  static constexpr auto fields() { return std::tuple{field("seed", &Dropout::seed, "not read in inference")}; }
  static constexpr Input inputs[] = {{"data", "values"},
                                     {"ratio", "only 0 with training_mode", Input::optional},
                                     {"training_mode", "only false, unless ratio is 0", Input::optional}};
  static constexpr std::string_view outputs[] = {"output", "mask"};
  static constexpr OpInfo info{
      .name = "Dropout", .doc = "the identity: dropping is a product with a random mask while training", .since = 13};
  void infer(InferContext& context) const;
  void evaluate(EvalContext& context) const;
  Gradients vjp(GradContext&) const;
  static std::vector<Sample> samples();
};

}  // namespace onemodel

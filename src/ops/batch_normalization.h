#pragma once
// BatchNormalization with given statistics.

#include "ops/grad.h"
#include "ops/infer.h"
#include "ops/kernel.h"
#include "ops/op_list.h"

namespace onemodel {

/// X[n, c, ...] normalised per channel by mean and variance, then scaled and shifted. Floating
/// dtypes; those of the four vectors may differ from X's, of which the result is.
struct BatchNormalization {
  float epsilon = 1e-5f;
  float momentum = 0.9f;
  bool training_mode = false;
  static constexpr auto fields() {
    return std::tuple{field("epsilon", &BatchNormalization::epsilon, "added to the variance"),
                      field("momentum", &BatchNormalization::momentum, "of running statistics; not read in inference"),
                      field("training_mode", &BatchNormalization::training_mode, "only 0")};
  }
  static constexpr Input inputs[] = {{"X", "[batch, channels, ...]"},
                                     {"scale", "[channels]"},
                                     {"B", "bias [channels]"},
                                     {"input_mean", "[channels]"},
                                     {"input_var", "[channels]"}};
  static constexpr std::string_view outputs[] = {"Y"};
  static constexpr OpInfo info{
      .name = "BatchNormalization", .doc = "(x - mean) / sqrt(var + epsilon) * scale + bias per channel", .since = 15};
  void infer(InferContext& context) const;
  void evaluate(EvalContext& context) const;
  Gradients vjp(GradContext&) const;
  static std::vector<Sample> samples();
};

}  // namespace onemodel

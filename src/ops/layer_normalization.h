#pragma once
// LayerNormalization and InstanceNormalization: by the statistics of the input itself.

#include "ops/grad.h"
#include "ops/infer.h"
#include "ops/kernel.h"
#include "ops/op_list.h"

namespace onemodel {

/// X normalised over its axes from `axis` on by their mean and biased variance, then scaled and shifted; Scale and B
/// broadcast to those axes. Mean and InvStdDev (1 / sqrt(variance + epsilon)) have extent 1 along them and, by
/// `stash_type`, dtype float32 or bfloat16. Floating dtypes, X, Scale and B the same; computed in float32, for float64
/// in that.
struct LayerNormalization {
  int64_t axis = -1;
  float epsilon = 1e-5f;
  DType stash_type = DType::f32;
  static constexpr auto fields() {
    return std::tuple{field("axis", &LayerNormalization::axis, "first of the axes to normalise over"),
                      field("epsilon", &LayerNormalization::epsilon, "added to the variance"),
                      field("stash_type", &LayerNormalization::stash_type, "dtype of Mean and InvStdDev")};
  }
  static constexpr Input inputs[] = {{"X", "values"},
                                     {"Scale", "factors, broadcast to the normalised axes"},
                                     {"B", "bias, broadcast to the normalised axes", Input::optional}};
  static constexpr std::string_view outputs[] = {"Y", "Mean", "InvStdDev"};
  static constexpr OpInfo info{.name = "LayerNormalization",
                               .doc = "(x - mean) / sqrt(var + epsilon) * scale + bias over the last axes",
                               .since = 17};
  void infer(InferContext& context) const;
  void evaluate(EvalContext& context) const;
  Gradients vjp(GradContext&) const;
  static std::vector<Sample> samples();
};

/// input[n, c, spatial...] normalised over the spatial axes by their mean and biased variance, then scaled and shifted
/// per channel. Floating dtypes, all the same.
struct InstanceNormalization {
  float epsilon = 1e-5f;
  static constexpr auto fields() {
    return std::tuple{field("epsilon", &InstanceNormalization::epsilon, "added to the variance")};
  }
  static constexpr Input inputs[] = {
      {"input", "[batch, channels, spatial...]"}, {"scale", "[channels]"}, {"B", "bias [channels]"}};
  static constexpr std::string_view outputs[] = {"output"};
  static constexpr OpInfo info{.name = "InstanceNormalization",
                               .doc = "(x - mean) / sqrt(var + epsilon) * scale + bias per image and channel",
                               .since = 6};
  void infer(InferContext& context) const;
  void evaluate(EvalContext& context) const;
  Gradients vjp(GradContext&) const;
  static std::vector<Sample> samples();
};

}  // namespace onemodel

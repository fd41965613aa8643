#pragma once
// Local response normalisation.

#include "ops/grad.h"
#include "ops/infer.h"
#include "ops/kernel.h"
#include "ops/op_list.h"

namespace onemodel {

/// X[n, c, spatial...] / (bias + alpha / size * s)^beta, where s is the sum of squares over `size` neighbouring
/// channels, (size - 1) / 2 of them before (Krizhevsky, Sutskever and Hinton, "ImageNet classification with deep
/// convolutional neural networks", 2012). Rank 2 or more; floating dtypes. Errors: a size below 1.
struct LRN {
  float alpha = 0.0001f, beta = 0.75f, bias = 1;
  int64_t size = 1;
  static constexpr auto fields() {
    return std::tuple{field("alpha", &LRN::alpha, "scale of the mean square"),
                      field("beta", &LRN::beta, "exponent of the divisor"),
                      field("bias", &LRN::bias, "added to the scaled mean square"),
                      required_field("size", &LRN::size, "number of channels to sum over")};
  }
  static constexpr Input inputs[] = {{"X", "[batch, channels, spatial...]"}};
  static constexpr std::string_view outputs[] = {"Y"};
  static constexpr OpInfo info{.name = "LRN", .doc = "local response normalisation across channels", .since = 13};
  void infer(InferContext&) const;
  void evaluate(EvalContext&) const;
  Gradients vjp(GradContext&) const;
  static std::vector<Sample> samples();
};

}  // namespace onemodel

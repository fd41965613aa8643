#pragma once
// Shrink: values near zero become zero, the others move toward it.

#include "ops/grad.h"
#include "ops/infer.h"
#include "ops/kernel.h"
#include "ops/op_list.h"

namespace onemodel {

/// x + bias below -lambd, x - bias above lambd, 0 between. Any numeric dtype; integers are computed in float64 and cut
/// toward zero.
struct Shrink {
  float bias = 0;
  float lambd = 0.5f;
  static constexpr auto fields() {
    return std::tuple{field("bias", &Shrink::bias, "how far values move toward 0"),
                      field("lambd", &Shrink::lambd, "values up to it in magnitude become 0")};
  }
  static constexpr Input inputs[] = {{"input", "values"}};
  static constexpr std::string_view outputs[] = {"output"};
  static constexpr OpInfo info{
      .name = "Shrink", .doc = "x + bias below -lambd, x - bias above lambd, else 0", .since = 9};
  void infer(InferContext&) const;
  void evaluate(EvalContext&) const;
  Gradients vjp(GradContext&) const;
  static std::vector<Sample> samples();
};

}  // namespace onemodel

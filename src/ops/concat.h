#pragma once
// Joining along an axis.

#include "ops/grad.h"
#include "ops/infer.h"
#include "ops/kernel.h"
#include "ops/op_list.h"

namespace onemodel {

/// The inputs one after the other along `axis`; other extents and the dtype are the same for all.
struct Concat {
  int64_t axis = 0;
  static constexpr auto fields() { return std::tuple{required_field("axis", &Concat::axis, "axis to join along")}; }
  static constexpr Input inputs[] = {{"inputs", "tensors to join", Input::variadic}};
  static constexpr std::string_view outputs[] = {"concat_result"};
  static constexpr OpInfo info{
      .name = "Concat", .doc = "joins tensors along an axis", .since = 13, .takes_stored = true, .strided = true};
  void infer(InferContext&) const;
  void evaluate(EvalContext&) const;
  Gradients vjp(GradContext&) const;
  static std::vector<Sample> samples();
};

}  // namespace onemodel

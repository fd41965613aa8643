#pragma once
// Ranges with steps along axes, and the way back.

#include "ops/grad.h"
#include "ops/infer.h"
#include "ops/kernel.h"
#include "ops/op_list.h"

namespace onemodel {

/// Elements starts[k], starts[k] + steps[k], … before ends[k] along axes[k], clamped and counted
/// from the end when negative, as in Python; other axes whole. The four are int64 or int32. Without
/// axes: the first ones; without steps: 1. Eager results share storage. Errors: lists of different
/// lengths, an axis out of range or named twice, a step of 0; while tracing, less than all of a
/// symbolic axis.
struct Slice {
  static constexpr auto fields() { return std::tuple{}; }
  static constexpr Input inputs[] = {
      {"data", "values"},
      {"starts", "first indices; negative ones count from the end", Input::required, true},
      {"ends", "indices to stop before", Input::required, true},
      {"axes", "axes to cut; the first ones when absent", Input::optional, true},
      {"steps", "distances, not 0; 1 when absent", Input::optional, true}};
  static constexpr std::string_view outputs[] = {"output"};
  static constexpr OpInfo info{.name = "Slice",
                               .doc = "ranges with steps along axes, as Python's x[a:b:c]",
                               .since = 13,
                               .takes_stored = true,
                               .strided = true};
  void infer(InferContext&) const;
  void evaluate(EvalContext&) const;
  Tensor view(std::span<const Tensor> inputs) const;
  Gradients vjp(GradContext&) const;
  static std::vector<Sample> samples();
};

/// dX[shape] = 0, but dY[i] at starts + i * steps: the gradient of Slice. One entry per axis;
/// starts are not negative.
struct SliceGradient {
  std::vector<int64_t> shape, starts, steps;
  static constexpr auto fields() {
    return std::tuple{field("shape", &SliceGradient::shape, "extents of dX"),
                      field("starts", &SliceGradient::starts, "first index along each axis"),
                      field("steps", &SliceGradient::steps, "distance along each axis, not 0")};
  }
  static constexpr Input inputs[] = {{"dY", "gradient of the sliced tensor"}};
  static constexpr std::string_view outputs[] = {"dX"};
  static constexpr OpInfo info{.name = "SliceGradient",
                               .doc = "the gradient of Slice",
                               .strided = true,
                               .internal = true,
                               .untraceable = "it exists in gradients only"};
  void infer(InferContext&) const;
  void evaluate(EvalContext&) const;
  Gradients vjp(GradContext&) const;
  static std::vector<Sample> samples();
};

/// `a` from `start` to before `end` along one axis.
Var slice(const Var& a, int64_t axis, int64_t start, int64_t end);

}  // namespace onemodel

#pragma once
// Elements around a tensor: Pad.

#include <string>

#include "ops/grad.h"
#include "ops/infer.h"
#include "ops/kernel.h"
#include "ops/op_list.h"

namespace onemodel {

/// data with pads[k] elements before and pads[n + k] after the axis axes[k] (all axes in order without `axes`);
/// negative pads remove elements. New elements are, by `mode`: constant: constant_value, one element of data's dtype,
/// 0 without it; reflect: mirrored at the first and last element, which are not repeated; edge: the nearest element;
/// wrap: from the other end. pads is int64, axes int64 or int32. Any dtype. Errors: lists of wrong lengths, an axis out
/// of range or named twice, more elements removed than there are; nothing to reflect, repeat or wrap, and more to reflect (wrap) than the other (all) elements of the axis.
struct Pad {
  std::string mode = "constant";
  static constexpr auto fields() { return std::tuple{field("mode", &Pad::mode, "constant, reflect, edge or wrap")}; }
  static constexpr Input inputs[] = {
      {"data", "values"},
      {"pads", "elements before each axis, then after each; negative ones remove", Input::required, true},
      {"constant_value", "the new elements; 0 when absent", Input::optional},
      {"axes", "axes that pads count for; all when absent", Input::optional, true}};
  static constexpr std::string_view outputs[] = {"output"};
  static constexpr OpInfo info{.name = "Pad",
                               .doc = "adds or removes elements before and after each axis",
                               .since = 19,
                               .takes_stored = true,
                               .strided = true};
  void infer(InferContext&) const;
  void evaluate(EvalContext&) const;
  Gradients vjp(GradContext&) const;
  static std::vector<Sample> samples();
};

}  // namespace onemodel

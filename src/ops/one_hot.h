#pragma once
// Indices as vectors: OneHot.

#include "ops/grad.h"
#include "ops/infer.h"
#include "ops/kernel.h"
#include "ops/op_list.h"

namespace onemodel {

/// values[1] where the position along the new axis `axis` is the index, values[0] elsewhere. indices are of any numeric
/// dtype, truncated to integers, negative ones counted from the end; those out of [-depth, depth) give values[0]
/// throughout. depth is one number. values[2] have any dtype, which is the result's. Errors: `axis` outside
/// [-rank - 1, rank], a negative depth.
struct OneHot {
  int64_t axis = -1;
  static constexpr auto fields() { return std::tuple{field("axis", &OneHot::axis, "place of the new axis")}; }
  static constexpr Input inputs[] = {{"indices", "positions"},
                                     {"depth", "extent of the new axis", Input::required, true},
                                     {"values", "the value elsewhere, and at the position"}};
  static constexpr std::string_view outputs[] = {"output"};
  static constexpr OpInfo info{.name = "OneHot",
                               .doc = "one value at each index along a new axis, another elsewhere",
                               .since = 11,
                               .takes_stored = true};
  void infer(InferContext&) const;
  void evaluate(EvalContext&) const;
  Gradients vjp(GradContext&) const;
  static std::vector<Sample> samples();
};

}  // namespace onemodel

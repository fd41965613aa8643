#pragma once
// Repetition: Tile.

#include "ops/grad.h"
#include "ops/infer.h"
#include "ops/kernel.h"
#include "ops/op_list.h"

namespace onemodel {

/// input repeated repeats[i] times along each axis i; repeats is int64 with one entry for each axis. Any dtype.
/// Errors: another number of repeats, a negative one.
struct Tile {
  static constexpr auto fields() { return std::tuple{}; }
  static constexpr Input inputs[] = {{"input", "values"},
                                     {"repeats", "how often, for each axis", Input::required, true}};
  static constexpr std::string_view outputs[] = {"output"};
  static constexpr OpInfo info{
      .name = "Tile", .doc = "repeats a tensor along its axes", .since = 13, .takes_stored = true, .strided = true};
  void infer(InferContext&) const;
  void evaluate(EvalContext&) const;
  Gradients vjp(GradContext&) const;
  static std::vector<Sample> samples();
};

}  // namespace onemodel

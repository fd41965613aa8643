#pragma once
// Sequences of different lengths turned around: ReverseSequence.

#include "ops/grad.h"
#include "ops/infer.h"
#include "ops/kernel.h"
#include "ops/op_list.h"

namespace onemodel {

/// The first sequence_lens[b] elements along `time_axis` of batch entry b in reverse, the others as they are.
/// `time_axis` and `batch_axis` are 0 and 1 or 1 and 0; sequence_lens is int64[batch]. Any dtype. Errors: rank below 2,
/// other axes, another number of lengths; a length outside [0, time], at evaluation when it was not known before.
struct ReverseSequence {
  int64_t time_axis = 0;
  int64_t batch_axis = 1;
  static constexpr auto fields() {
    return std::tuple{field("time_axis", &ReverseSequence::time_axis, "axis along which sequences run, 0 or 1"),
                      field("batch_axis", &ReverseSequence::batch_axis, "axis of the sequences, the other one")};
  }
  static constexpr Input inputs[] = {{"input", "sequences, of rank 2 or more"}, {"sequence_lens", "their lengths"}};
  static constexpr std::string_view outputs[] = {"Y"};
  static constexpr OpInfo info{.name = "ReverseSequence",
                               .doc = "reverses the beginning of each sequence of a batch",
                               .since = 10,
                               .takes_stored = true};
  void infer(InferContext&) const;
  void evaluate(EvalContext&) const;
  Gradients vjp(GradContext&) const;
  static std::vector<Sample> samples();
};

}  // namespace onemodel

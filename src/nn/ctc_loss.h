#pragma once
// Connectionist temporal classification.

#include <span>
#include <string>
#include <tuple>

#include "core/tensor.h"
#include "ops/attribute.h"

namespace onemodel::nn {

struct CtcLossOptions {
  int64_t blank = 0;
  std::string reduction = "mean";
  bool zero_infinity = false;
  static constexpr auto fields() {
    using O = CtcLossOptions;
    return std::tuple{
        field("blank", &O::blank, "the class that stands for no label"),
        field("reduction", &O::reduction, "mean, sum or none"),
        field("zero_infinity", &O::zero_infinity, "whether a target that does not fit its input loses nothing")};
  }
};

/// The negative logarithm of the probability that log_probs [T, N, C], logarithms of probabilities over C classes at T
/// steps, spells each of N targets, int64 (or int32) [N, S] or all labels one after another [sum of target_lengths], with
/// blanks and repetitions, or log_probs [T, C] of one input: Graves et al., "Connectionist temporal classification"
/// (2006). `input_lengths` and `target_lengths` have N numbers. "none" gives [N]; "mean" divides each by its target's
/// length, at least 1, and takes the mean. A target that does not fit its input loses infinity with a gradient of 0
/// (PyTorch's is NaN), and nothing with `zero_infinity`. Other gradients are those of composed operators; through a
/// log_softmax they equal PyTorch's. Errors: ShapeError, DTypeError, and ArgumentError for lengths and classes out of
/// range. While tracing it throws TraceError(UnsupportedOperation).
Tensor ctc_loss(const Tensor& log_probs, const Tensor& targets, std::span<const int64_t> input_lengths,
                std::span<const int64_t> target_lengths, const CtcLossOptions& options = {});

}  // namespace onemodel::nn

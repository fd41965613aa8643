#pragma once
// What Adam and AdamW share: they differ in where the decay goes.

#include <cstdint>
#include <span>
#include <string_view>

#include "core/tensor.h"

namespace onemodel::nn {

struct AdamNumbers {
  double lr;
  std::span<const double> betas;
  double eps, weight_decay;
};
template <class Options>
AdamNumbers adam_numbers(const Options& options) {
  return {options.lr, options.betas, options.eps, options.weight_decay};
}

/// Throws ArgumentError naming `owner` for betas, eps or weight_decay out of range.
void check_adam(std::string_view owner, const AdamNumbers& numbers);

/// Step `number`, 1 at the first, of contiguous tensors; `moments` are the two running ones, and with amsgrad the
/// largest of the second. `decoupled`: the decay is apart
/// from the gradient.
void advance_adam(const AdamNumbers& numbers, bool decoupled, int64_t number, const Tensor& parameter,
                  const Tensor& gradient, std::span<const Tensor> moments);

}  // namespace onemodel::nn

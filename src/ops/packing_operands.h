#pragma once
// What kernels that pack integer weights ask of their operands.

#include <optional>
#include <string>
#include <vector>

#include "ops/kernel.h"

namespace onemodel {

/// The operands of a request of which only the first is given at run time, and perhaps its zero point when that is one
/// number: constants as they are, the others by their sizes.
class PackingOperands {
 public:
  /// `zero`: the place of the zero point of operand 0.
  PackingOperands(const KernelRequest& request, std::optional<size_t> zero);
  /// Why the weights cannot be packed; empty when they can.
  const std::string& refusal() const { return refusal_; }
  bool reads_zero() const { return reads_zero_; }
  std::span<const Tensor> inputs() const { return inputs_; }
  std::span<const Tensor> outputs() const { return outputs_; }

 private:
  std::vector<Tensor> inputs_, outputs_;
  std::string refusal_;
  bool reads_zero_ = false;
};

/// The number of a tensor of one int8 or uint8.
int32_t byte_of(const Tensor& tensor);

}  // namespace onemodel

#pragma once
// Operators applied without the eager layer: infer, allocate, evaluate with the portable kernel.

#include "ops/grad.h"
#include "ops/infer.h"
#include "ops/kernel.h"

namespace onemodel::test {

std::vector<TensorType> types_of(std::span<const Tensor> tensors);
/// What `infer` says of concrete inputs.
std::vector<TensorType> infer_types(const Op& op, std::span<const Tensor> inputs, size_t outputs = 1);
/// The outputs by the portable kernel.
std::vector<Tensor> run(const Op& op, std::span<const Tensor> inputs, size_t outputs = 1);
/// The first output.
Tensor run(const Op& op, std::initializer_list<Tensor> inputs);

class DirectApplier final : public Applier {
 public:
  std::vector<Tensor> apply(const Op& op, std::span<const Tensor> inputs, size_t output_count) override {
    return run(op, inputs, output_count);
  }
};

/// The message of the error that inferring these throws; empty when it throws none.
std::string infer_error(const Op& op, std::span<const Tensor> inputs, size_t outputs = 1);
std::string infer_error(const Op& op, std::initializer_list<Tensor> inputs);

}  // namespace onemodel::test

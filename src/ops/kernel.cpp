#include "ops/kernel.h"

#include <array>

namespace onemodel {

bool KernelRequest::all_f32() const {
  for (const Operand& operand : inputs)
    if (operand.dtype != DType::undefined && operand.dtype != DType::f32) return false;
  for (const Operand& operand : outputs)
    if (operand.dtype != DType::f32) return false;
  return true;
}

KernelChoice choose_kernel(const Op& op, const KernelRequest& request) {
  if (request.arithmetic == Arithmetic::exact) return {};
  return op.traits().choose(op.data(), request);
}

void evaluate(const Op& op, std::span<const Tensor> inputs, std::span<const Tensor> outputs) {
  const bool strided = op.traits().info.strided;
  bool copy = false;
  for (const Tensor& input : inputs) copy |= !strided && input.defined() && !input.is_contiguous();
  std::vector<Tensor> rows;
  if (copy) {
    for (const Tensor& input : inputs) rows.push_back(input.defined() ? input.contiguous() : input);
    inputs = rows;
  }
  EvalContext context(inputs, outputs);
  op.traits().evaluate(op.data(), context);
}

}  // namespace onemodel

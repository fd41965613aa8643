#include "ops/kernel.h"

#include <algorithm>
#include <array>

#include "core/strings.h"

namespace onemodel {

bool KernelRequest::all_f32() const {
  for (const Operand& operand : inputs)
    if (operand.dtype != DType::undefined && operand.dtype != DType::f32) return false;
  for (const Operand& operand : outputs)
    if (operand.dtype != DType::f32) return false;
  return true;
}

KernelChoice choose_kernel(const Op& op, const KernelRequest& request) {
  const bool moves_strings =
      std::ranges::any_of(request.inputs, [](const auto& x) { return x.dtype == DType::string; });
  if (request.arithmetic == Arithmetic::exact || moves_strings) return {};  // `evaluate` keeps the texts
  return op.traits().choose(op.data(), request);
}

namespace {
bool has_strings(std::span<const Tensor> tensors) {
  return std::ranges::any_of(tensors, [](const Tensor& t) { return t.defined() && t.dtype() == DType::string; });
}
}  // namespace

void evaluate(const Op& op, std::span<const Tensor> inputs, std::span<const Tensor> outputs) {
  const bool strided = op.traits().info.strided;
  bool copy = false;
  for (const Tensor& input : inputs) copy |= !strided && input.defined() && !input.is_contiguous();
  std::vector<Tensor> rows;
  if (copy) {
    for (const Tensor& input : inputs) rows.push_back(input.defined() ? input.contiguous() : input);
    inputs = rows;
  }
  const Strings strings(has_strings(inputs) || has_strings(outputs));
  EvalContext context(inputs, outputs);
  op.traits().evaluate(op.data(), context);
}

}  // namespace onemodel

#include "ops/packing_operands.h"

namespace onemodel {

PackingOperands::PackingOperands(const KernelRequest& request, std::optional<size_t> zero) {
  if (request.clamp) refusal_ = "no fused bound";
  for (size_t i = 1; i < request.inputs.size() && refusal_.empty(); ++i) {
    if (!request.has(i) || request.is_constant(i)) continue;
    if (i == zero && numel(request.dims(i)) == 1)
      reads_zero_ = true;
    else
      refusal_ = concat("operand ", i, " is not constant");
  }
  if (!refusal_.empty()) return;
  for (size_t i = 0; i < request.inputs.size(); ++i) {
    const KernelRequest::Operand& operand = request.inputs[i];
    const bool is_given = request.has(i) && !operand.constant.defined();
    inputs_.push_back(!is_given ? operand.constant
                      : i == 0  ? Tensor::empty(operand.dims, operand.dtype)
                                : Tensor::zeros(operand.dims, operand.dtype));
  }
  for (const KernelRequest::Operand& output : request.outputs)
    outputs_.push_back(Tensor::empty(output.dims, output.dtype));
}

int32_t byte_of(const Tensor& tensor) {
  return tensor.dtype() == DType::u8 ? int32_t{*tensor.raw_as<uint8_t>()} : int32_t{*tensor.raw_as<int8_t>()};
}

}  // namespace onemodel

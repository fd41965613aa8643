#include "support/fast_kernel.h"

#include "support/direct_applier.h"

namespace onemodel::test {

FastRun run_fast(const Op& op, const std::vector<Tensor>& inputs, const FastOptions& options) {
  std::vector<KernelRequest::Operand> in, out;
  for (const Tensor& input : inputs)
    in.push_back(input.defined() ? KernelRequest::Operand{input.dtype(), input.dims(), {}} : KernelRequest::Operand{});
  for (size_t i : options.constants) in[i].constant = inputs[i];
  FastRun result;
  for (const TensorType& type : infer_types(op, inputs, options.outputs)) {
    out.push_back({type.dtype, type.shape.dims(), {}});
    result.outputs.push_back(Tensor::empty(type.shape.dims(), type.dtype));
  }
  const KernelChoice choice = choose_kernel(op, {in, out, Arithmetic::fast, options.clamp});
  result.name = choice.name;
  result.refusals = choice.refusals;
  if (!choice.kernel) {
    evaluate(op, inputs, result.outputs);
    return result;
  }
  std::vector<Tensor> given = inputs;
  for (size_t i : options.constants)
    if (choice.kernel->keeps_constant(i)) given[i] = Tensor();
  const Tensor workspace = Tensor::empty({static_cast<int64_t>(choice.kernel->workspace_bytes())}, DType::u8);
  choice.kernel->run(given, result.outputs, workspace.mutable_raw());
  return result;
}

}  // namespace onemodel::test

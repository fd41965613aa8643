#pragma once
// Kernels without float16 and bfloat16, run in float32 for them.

#include "ops/kernel.h"

namespace onemodel {

/// Calls `run(context)`, with half-precision inputs and outputs replaced by float32 ones and the
/// results rounded once.
template <class F>
void in_float32(EvalContext& context, F&& run) {
  const auto is_half = [](const Tensor& t) {
    return t.defined() && (t.dtype() == DType::f16 || t.dtype() == DType::bf16);
  };
  std::vector<Tensor> inputs, outputs;
  bool any = false;
  for (const Tensor& input : context.inputs()) {
    inputs.push_back(is_half(input) ? input.cast(DType::f32) : input);
    any |= is_half(input);
  }
  if (!any) return run(context);
  for (size_t i = 0; i < context.output_count(); ++i) {
    const Tensor& out = context.output(i);
    outputs.push_back(is_half(out) ? Tensor::empty(out.dims(), DType::f32) : out);
  }
  EvalContext wide(inputs, outputs);
  run(wide);
  for (size_t i = 0; i < outputs.size(); ++i) {
    Tensor target = context.output(i);
    if (is_half(target)) target.copy_from(outputs[i]);
  }
}

}  // namespace onemodel

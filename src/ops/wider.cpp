#include "ops/wider.h"

#include <algorithm>

namespace onemodel {
namespace {

void run_wider(EvalContext& context, DType dtype, const std::function<void(EvalContext&)>& run) {
  const auto is_narrow = [dtype](const Tensor& t) {
    return t.defined() && is_floating(t.dtype()) && dtype_size(t.dtype()) < dtype_size(dtype);
  };
  if (std::ranges::none_of(context.inputs(), is_narrow)) return run(context);
  std::vector<Tensor> inputs, outputs;
  for (const Tensor& input : context.inputs()) inputs.push_back(is_narrow(input) ? input.cast(dtype) : input);
  for (size_t i = 0; i < context.output_count(); ++i) {
    const Tensor& out = context.output(i);
    outputs.push_back(is_narrow(out) ? Tensor::empty(out.dims(), dtype) : out);
  }
  EvalContext wide(inputs, outputs);
  run(wide);
  for (size_t i = 0; i < outputs.size(); ++i) {
    Tensor target = context.output(i);
    if (is_narrow(target)) target.copy_from(outputs[i]);
  }
}

}  // namespace

void in_float32(EvalContext& context, const std::function<void(EvalContext&)>& run) {
  run_wider(context, DType::f32, run);
}

void in_float64(EvalContext& context, const std::function<void(EvalContext&)>& run) {
  run_wider(context, DType::f64, run);
}

}  // namespace onemodel

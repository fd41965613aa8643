#include "ops/in_double.h"

namespace onemodel {

void in_float64(EvalContext& context, const std::function<void(EvalContext&)>& run) {
  const auto is_narrow = [](const Tensor& t) {
    return t.defined() && is_floating(t.dtype()) && t.dtype() != DType::f64;
  };
  std::vector<Tensor> inputs, outputs;
  for (const Tensor& input : context.inputs()) inputs.push_back(is_narrow(input) ? input.cast(DType::f64) : input);
  for (size_t i = 0; i < context.output_count(); ++i) {
    const Tensor& out = context.output(i);
    outputs.push_back(is_narrow(out) ? Tensor::empty(out.dims(), DType::f64) : out);
  }
  EvalContext wide(inputs, outputs);
  run(wide);
  for (size_t i = 0; i < outputs.size(); ++i) {
    Tensor target = context.output(i);
    if (is_narrow(target)) target.copy_from(outputs[i]);
  }
}

}  // namespace onemodel

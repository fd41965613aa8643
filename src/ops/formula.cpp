#include "ops/formula.h"

#include "kernels/portable/elementwise.h"

namespace onemodel {

std::vector<Tensor> PortableApplier::apply(const Op& op, std::span<const Tensor> inputs, size_t output_count) {
  std::vector<TensorType> types;
  for (const Tensor& input : inputs)
    types.push_back(input.defined() ? TensorType{input.dtype(), input.dims()} : TensorType{});
  InferContext context(op.traits(), types, inputs, output_count);
  infer(op, context);
  if (op.traits().has_view && output_count == 1)
    if (const Tensor view = op.traits().view(op.data(), inputs); view.defined()) return {view};
  std::vector<Tensor> outputs;
  for (const TensorType& type : context.outputs()) outputs.push_back(Tensor::empty(type.shape.dims(), type.dtype));
  evaluate(op, inputs, outputs);
  return outputs;
}

void evaluate_formula(std::string_view op_name, EvalContext& context,
                      const std::function<Var(std::span<const Var>)>& formula) {
  PortableApplier applier;
  std::vector<Var> inputs;
  for (const Tensor& input : context.inputs()) inputs.emplace_back(input, &applier);
  try {
    const Tensor result = formula(inputs).tensor();
    const Tensor& y = context.output();
    kernels::cast(y.dims(), result.dtype(), result.raw(), result.strides(), y.dtype(), y.mutable_raw());
  } catch (Error& error) {
    error.add_context(op_name);
    throw;
  }
}

Var widen(const Var& v) {
  if (is_integer(v.dtype())) return cast(v, DType::f64);
  return v.dtype() == DType::f16 || v.dtype() == DType::bf16 ? cast(v, DType::f32) : v;
}

Var ints_beside(const Var& v, std::span<const int64_t> values) { return {Tensor::from_ints(values), &v.applier()}; }

Var zeros_beside(const Var& v, const Dims& dims) { return {Tensor::zeros(dims, v.dtype()), &v.applier()}; }

}  // namespace onemodel

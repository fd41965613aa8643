#include "support/direct_applier.h"

namespace onemodel::test {

std::vector<TensorType> types_of(std::span<const Tensor> tensors) {
  std::vector<TensorType> types;
  for (const Tensor& tensor : tensors)
    types.push_back(tensor.defined() ? TensorType{tensor.dtype(), tensor.dims()} : TensorType{});
  return types;
}

std::vector<TensorType> infer_types(const Op& op, std::span<const Tensor> inputs, size_t outputs) {
  const std::vector<TensorType> types = types_of(inputs);
  InferContext context(op.traits(), types, inputs, outputs);
  return infer(op, context);
}

std::vector<Tensor> run(const Op& op, std::span<const Tensor> inputs, size_t outputs) {
  std::vector<Tensor> results;
  for (const TensorType& type : infer_types(op, inputs, outputs))
    results.push_back(Tensor::empty(type.shape.dims(), type.dtype));
  evaluate(op, inputs, results);
  return results;
}

Tensor run(const Op& op, std::initializer_list<Tensor> inputs) {
  return run(op, std::span(inputs.begin(), inputs.size())).front();
}

std::string infer_error(const Op& op, std::span<const Tensor> inputs, size_t outputs) {
  try {
    infer_types(op, inputs, outputs);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

std::string infer_error(const Op& op, std::initializer_list<Tensor> inputs) {
  return infer_error(op, std::span(inputs.begin(), inputs.size()));
}

}  // namespace onemodel::test

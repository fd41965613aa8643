#include "eager/prepared_call.h"

#include <algorithm>
#include <unordered_map>

#include "eager/call_key.h"
#include "eager/record.h"

namespace onemodel {
namespace {

struct Known {
  CallKey key;
  std::shared_ptr<const PreparedCall> call;
};

std::unordered_map<uint64_t, Known>& known_calls() {
  thread_local std::unordered_map<uint64_t, Known> calls;
  return calls;
}

void remember(uint64_t hash, const CallKey& key, const std::shared_ptr<const PreparedCall>& call) {
  auto& calls = known_calls();
  if (calls.size() == kMostPreparedCalls) calls.clear();
  calls[hash] = {key, call};
}

Tensor view_of(const Op& op, std::span<const Tensor> inputs, size_t output_count) {
  const OpTraits& traits = op.traits();
  return traits.has_view && output_count == 1 ? traits.view(op.data(), inputs) : Tensor();
}

std::vector<Tensor> shape_data_of(const Op& op, std::span<const Tensor> inputs) {
  std::vector<Tensor> out(inputs.size());
  for (size_t i = 0; i < inputs.size(); ++i)
    if (op.traits().input(i).is_shape_data) out[i] = inputs[i];
  return out;
}

KernelRequest::Operand operand(const Tensor& tensor, bool is_shape_data) {
  if (!tensor.defined()) return {};
  return {tensor.dtype(), tensor.dims(), is_shape_data ? tensor : Tensor()};
}

std::unique_ptr<Kernel> kernel_for(const Op& op, std::span<const Tensor> inputs,
                                   std::span<const PreparedCall::Output> outputs, Arithmetic arithmetic) {
  if (arithmetic == Arithmetic::exact) return nullptr;
  std::vector<KernelRequest::Operand> in, out;
  in.reserve(inputs.size());
  for (size_t i = 0; i < inputs.size(); ++i) in.push_back(operand(inputs[i], op.traits().input(i).is_shape_data));
  for (const auto& [dtype, dims] : outputs) out.push_back({dtype, dims, {}});
  return choose_kernel(op, {.inputs = in, .outputs = out}).kernel;
}

}  // namespace

size_t prepared_calls() { return known_calls().size(); }

std::shared_ptr<const PreparedCall> choose_call(const Op& op, std::span<const Tensor> inputs,
                                                std::span<const TensorType> outputs, Arithmetic arithmetic) {
  auto call = std::make_shared<PreparedCall>();
  for (const TensorType& type : outputs) {
    const auto dims = type.shape.example();
    if (!dims)  // of a trace: otherwise all values are known
      throw TraceError("SymbolicShape", concat(op.name(), " of ", type_of(inputs.front()), ": the size of the output ",
                                               type, " depends on values"));
    call->outputs.push_back({type.dtype, *dims});
  }
  if (!view_of(op, inputs, outputs.size()).defined()) call->kernel = kernel_for(op, inputs, call->outputs, arithmetic);
  return call;
}

std::shared_ptr<const PreparedCall> prepare_call(const Op& op, std::span<const Tensor> inputs, size_t output_count,
                                                 Arithmetic arithmetic) {
  thread_local CallKey key;
  const bool has_key = write_call_key(op, inputs, output_count, arithmetic, key);
  const uint64_t hash = has_key ? hash_of(key) : 0;
  if (has_key) {
    const auto found = known_calls().find(hash);
    if (found != known_calls().end() && found->second.key == key) return found->second.call;
  }
  std::vector<TensorType> types;
  types.reserve(inputs.size());
  for (const Tensor& input : inputs)
    types.push_back(input.defined() ? TensorType{input.dtype(), Shape(input.dims())} : TensorType{});
  if (has_key) {
    // Only what is in the key may decide the sizes.
    const std::vector<Tensor> known = shape_data_of(op, inputs);
    InferContext context(op.traits(), types, known, output_count);
    if (std::ranges::all_of(infer(op, context), [](const TensorType& type) { return type.shape.is_concrete(); })) {
      auto call = choose_call(op, inputs, context.outputs(), arithmetic);
      remember(hash, key, call);
      return call;
    }
  }
  InferContext context(op.traits(), types, inputs, output_count);
  return choose_call(op, inputs, infer(op, context), arithmetic);
}

std::vector<Tensor> run_call(const PreparedCall& call, const Op& op, std::span<const Tensor> inputs) {
  std::vector<Tensor> outputs;
  outputs.reserve(call.outputs.size());
  if (Tensor view = view_of(op, inputs, call.outputs.size()); view.defined()) {
    outputs.push_back(std::move(view));
    return outputs;
  }
  for (const auto& [dtype, dims] : call.outputs) outputs.push_back(Tensor::empty(dims, dtype));
  if (!call.kernel) {
    evaluate(op, inputs, outputs);
    return outputs;
  }
  std::vector<Tensor> rows;
  const auto is_strided = [](const Tensor& t) { return t.defined() && !t.is_contiguous(); };
  if (std::any_of(inputs.begin(), inputs.end(), is_strided)) {
    for (const Tensor& t : inputs) rows.push_back(t.defined() ? t.contiguous() : t);
    inputs = rows;
  }
  const size_t bytes = call.kernel->workspace_bytes();
  const auto workspace = bytes ? Storage::allocate(bytes) : nullptr;
  call.kernel->run(inputs, outputs, workspace ? workspace->data() : nullptr);
  return outputs;
}

}  // namespace onemodel

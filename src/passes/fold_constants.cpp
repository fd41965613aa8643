// A node whose inputs are all constant → constants. Shape of a value, or Slice or Gather of such a Shape, where the sizes
// are numbers → a constant.
// Does not apply when the results would be much larger than the inputs (Expand, ConstantOfShape), when
// the node cannot be evaluated (running it says why), when it draws numbers, or when its bound is fused.
// Keeps every bit of exact arithmetic: evaluates with the portable kernels.

#include <algorithm>

#include "graph/known_inputs.h"
#include "ops/gather.h"
#include "ops/infer.h"
#include "ops/kernel.h"
#include "ops/shape.h"
#include "ops/slice.h"
#include "passes/passes.h"

namespace onemodel {
namespace {

constexpr size_t kMaxGrowth = size_t{1} << 20;  // bytes

Patch replaced_by(const PassContext& context, NodeId id, std::span<const Tensor> outputs) {
  Patch patch(context.graph());
  const Node& node = context.node(id);
  patch.remove(id);
  for (size_t i = 0; i < outputs.size(); ++i)
    if (node.outputs[i] != kNone) patch.replace(node.outputs[i], patch.add_constant(node.name + "_folded", outputs[i]));
  return patch;
}

// Undefined where an output's size is not a number or the results are too large.
std::vector<Tensor> allocate_outputs(const Node& node, std::span<const Tensor> inputs) {
  std::vector<TensorType> types;
  size_t input_bytes = 0, output_bytes = 0;
  for (const Tensor& input : inputs) {
    types.push_back(input.defined() ? TensorType{input.dtype(), Shape(input.dims())} : TensorType{});
    if (input.defined()) input_bytes += input.bytes();
  }
  InferContext infer_context(node.op.traits(), types, inputs, node.outputs.size());
  infer(node.op, infer_context);
  for (const TensorType& type : infer_context.outputs()) {
    if (!type.shape.is_concrete()) return {};
    output_bytes += static_cast<size_t>(numel(type.shape.dims())) * dtype_size(type.dtype);
  }
  if (output_bytes > std::max(input_bytes, kMaxGrowth)) return {};
  std::vector<Tensor> outputs;
  for (const TensorType& type : infer_context.outputs())
    outputs.push_back(Tensor::empty(type.shape.dims(), type.dtype));
  return outputs;
}

// What is known of the integers that the node gives, from the sizes of a Shape at most one node before.
std::optional<ShapeData> integers_of(const PassContext& context, const Node& node) {
  const KnownInputs known = known_inputs(context.graph(), node.inputs);
  InferContext infer_context(node.op.traits(), known.types, known.constants, 1);
  if (const Node* shape_of = context.produced_by<ShapeOf>(node.inputs[0]))
    if (auto sizes = integers_of(context, *shape_of)) infer_context.set_shape_data(0, std::move(*sizes));
  infer(node.op, infer_context);
  return infer_context.output_shape_data(0);
}

std::optional<Patch> fold_sizes(const PassContext& context, NodeId id) {
  const Node& node = context.node(id);
  if (!node.op.is<ShapeOf>() && !node.op.is<Slice>() && !node.op.is<Gather>()) return {};
  if (context.value(node.outputs[0]).type.dtype != DType::i64) return {};
  const auto sizes = integers_of(context, node);
  if (!sizes) return {};
  std::vector<int64_t> numbers;
  for (const Extent& extent : *sizes) {
    if (!extent.is_number()) return {};
    numbers.push_back(extent.number());
  }
  const Shape& shape = context.value(node.outputs[0]).type.shape;
  if (!shape.is_concrete()) return {};
  const Tensor value = Tensor::from_ints(numbers).reshape(shape.dims());
  return replaced_by(context, id, {&value, 1});
}

}  // namespace

std::optional<Patch> fold_constants(const PassContext& context, NodeId id) {
  const Node& node = context.node(id);
  if (node.clamp || !node.bodies.empty() || node.op.traits().info.random) return {};
  try {
    if (auto folded = fold_sizes(context, id)) return folded;
    std::vector<Tensor> inputs;
    for (ValueId input : node.inputs) {
      if (input != kNone && !context.is_constant(input)) return {};
      inputs.push_back(input == kNone ? Tensor() : context.value(input).constant);
    }
    const std::vector<Tensor> outputs = allocate_outputs(node, inputs);
    if (outputs.empty()) return {};
    evaluate(node.op, inputs, outputs);
    return replaced_by(context, id, outputs);
  } catch (const Error&) {
    return {};
  }
}

}  // namespace onemodel

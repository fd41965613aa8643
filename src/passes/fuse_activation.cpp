// Relu(f(…)) and Clip(f(…), low, high) → f(…) with a bound, where f is Conv, MatMul, FusedMatMul, Gemm, Add,
// Sub, Mul or Div and the bounds are constant.
// Does not apply when f's result is read elsewhere or is a graph output, when it already has a bound, when
// the bounds are not constant or cross, or for other dtypes than float32.
// Keeps every bit: where a kernel cannot bound its result, the plan bounds it after the kernel.

#include "ops/binary.h"
#include "ops/conv.h"
#include "ops/fused_matmul.h"
#include "ops/gemm.h"
#include "ops/matmul.h"
#include "passes/activation_bounds.h"
#include "passes/passes.h"

namespace onemodel {
namespace {

bool takes_bound(const Op& op) {
  return op.is<Conv>() || op.is<MatMul>() || op.is<FusedMatMul>() || op.is<Gemm>() || op.is<Add>() || op.is<Sub>() ||
         op.is<Mul>() || op.is<Div>();
}

}  // namespace

std::optional<Patch> fuse_activation(const PassContext& context, NodeId id) {
  const Node& activation = context.node(id);
  const auto bounds = activation_bounds(context, activation);
  if (!bounds || activation.clamp) return {};
  const ValueId x = activation.inputs[0];
  const Node* producer = context.graph().producer(x);
  if (!producer || !takes_bound(producer->op) || producer->clamp || !context.used_once(x)) return {};
  if (context.value(x).type.dtype != DType::f32) return {};
  Patch patch(context.graph());
  patch.remove(context.value(x).producer);
  patch.remove(id);
  patch.replace(activation.outputs[0], patch.add_node(*producer, producer->op, producer->inputs, bounds));
  return patch;
}

}  // namespace onemodel

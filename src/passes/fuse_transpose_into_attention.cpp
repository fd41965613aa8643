// Transpose(FusedAttention(…)) → FusedAttention(…) with a permuted result.
// Does not apply when the result is read elsewhere or is a graph output, when a bound is fused, or when the last axis
// moves.
// Keeps every bit.

#include "ops/fused_attention.h"
#include "ops/transpose.h"
#include "passes/passes.h"
#include "passes/permutation.h"

namespace onemodel {

std::optional<Patch> fuse_transpose_into_attention(const PassContext& context, NodeId id) {
  const Node& node = context.node(id);
  const auto* transpose = node.op.as<Transpose>();
  if (!transpose || node.clamp) return {};
  const ValueId x = node.inputs[0];
  const Node* producer = context.produced_by<FusedAttention>(x);
  if (!producer || producer->clamp || !context.used_once(x)) return {};
  FusedAttention attention = *producer->op.as<FusedAttention>();
  const size_t rank = context.value(x).type.shape.rank();
  const Dims inner = attention.y_perm.empty() ? Dims(identity_permutation(rank)) : Dims(attention.y_perm);
  const std::vector<int64_t> perm = composed(inner, transpose->axes(rank).vector());
  if (perm.back() != static_cast<int64_t>(rank) - 1) return {};
  attention.y_perm = unless_identity(perm);
  Patch patch(context.graph());
  patch.remove(context.value(x).producer);
  patch.remove(id);
  patch.replace(node.outputs[0], patch.add_node(*producer, std::move(attention), producer->inputs));
  return patch;
}

}  // namespace onemodel

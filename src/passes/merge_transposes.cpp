// Transpose(Transpose(x, p), q) → Transpose(x, p[q]).
// Does not apply when a bound is fused. The inner one stays when something else reads it.
// Keeps every bit.

#include "ops/transpose.h"
#include "passes/passes.h"
#include "passes/permutation.h"

namespace onemodel {

std::optional<Patch> merge_transposes(const PassContext& context, NodeId id) {
  const Node& outer = context.node(id);
  const auto* second = outer.op.as<Transpose>();
  if (!second || outer.clamp) return {};
  const Node* inner = context.produced_by<Transpose>(outer.inputs[0]);
  if (!inner || inner->clamp) return {};
  const size_t rank = context.value(inner->inputs[0]).type.shape.rank();
  Transpose merged{.perm = composed(inner->op.as<Transpose>()->axes(rank), second->axes(rank).vector())};
  Patch patch(context.graph());
  patch.remove(id);
  patch.replace(outer.outputs[0], patch.add_node(outer, std::move(merged), {inner->inputs[0]}));
  return patch;
}

}  // namespace onemodel

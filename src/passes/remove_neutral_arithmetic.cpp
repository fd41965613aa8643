// x * 1, 1 * x, x / 1, x - 0, integer x + 0 and 0 + x → x.
// Does not apply when the constant broadcasts x to a larger shape, when x is floating and 0 is added
// (-0 + 0 is +0: see remove_added_zeros), when outputs would lose their names, or when a bound is fused.
// Keeps every bit.

#include "ops/binary.h"
#include "passes/neutral_operand.h"
#include "passes/passes.h"

namespace onemodel {

std::optional<Patch> remove_neutral_arithmetic(const PassContext& context, NodeId id) {
  const Node& node = context.node(id);
  const Op& op = node.op;
  if (op.is<Mul>())
    if (auto patch = drop_operand(context, id, 0, 1.0)) return patch;
  if (op.is<Mul>() || op.is<Div>()) return drop_operand(context, id, 1, 1.0);
  if (op.is<Sub>()) return drop_operand(context, id, 1, 0.0);
  if (!op.is<Add>() || is_floating(context.value(node.outputs[0]).type.dtype)) return {};
  if (auto patch = drop_operand(context, id, 0, 0.0)) return patch;
  return drop_operand(context, id, 1, 0.0);
}

}  // namespace onemodel

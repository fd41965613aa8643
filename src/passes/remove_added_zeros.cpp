// x + 0 and 0 + x → x, for floating x.
// Does not apply when the constant broadcasts x to a larger shape, when outputs would lose their names, or
// when a bound is fused.
// Does not keep every bit: -0 + 0 is +0.

#include "ops/binary.h"
#include "passes/neutral_operand.h"
#include "passes/passes.h"

namespace onemodel {

std::optional<Patch> remove_added_zeros(const PassContext& context, NodeId id) {
  if (!context.node(id).op.is<Add>()) return {};
  for (size_t operand : {0, 1})
    for (double zero : {0.0, -0.0})
      if (auto patch = drop_operand(context, id, operand, zero)) return patch;
  return {};
}

}  // namespace onemodel

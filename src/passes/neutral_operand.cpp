#include "passes/neutral_operand.h"

#include <cmath>

#include "passes/constants.h"

namespace onemodel {

std::optional<Patch> drop_operand(const PassContext& context, NodeId id, size_t neutral, double value) {
  const Node& node = context.node(id);
  const ValueId constant = node.inputs[neutral], x = node.inputs[1 - neutral], y = node.outputs[0];
  if (node.clamp || !context.is_constant(constant) || context.is_constant(x)) return {};
  if (!(context.value(x).type == context.value(y).type) || !context.can_replace(y, x)) return {};
  const auto uniform = uniform_value(context.value(constant).constant);
  if (!uniform || *uniform != value || std::signbit(*uniform) != std::signbit(value)) return {};
  Patch patch(context.graph());
  patch.remove(id);
  patch.replace(y, x);
  return patch;
}

}  // namespace onemodel

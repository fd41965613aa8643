// Two nodes with equal operators, attributes and inputs → one.
// Does not apply when outputs would lose their names, when all inputs are constant (those are folded), to operators
// that draw numbers, or to nodes of the same input beyond the first hundreds.
// Keeps every bit.

#include <algorithm>

#include "passes/constants.h"
#include "passes/passes.h"

namespace onemodel {
namespace {

// A value may be read by very many nodes; the work is to grow with their number alone.
constexpr size_t kMostCompared = 256;

bool same_operand(const PassContext& context, ValueId a, ValueId b) {
  if (a == b) return true;
  return context.is_constant(a) && context.is_constant(b) &&
         same_constant(context.value(a).constant, context.value(b).constant);
}

bool same_work(const PassContext& context, const Node& a, const Node& b) {
  return a.op == b.op && a.clamp == b.clamp && a.bodies.empty() && b.bodies.empty() &&
         a.inputs.size() == b.inputs.size() && a.outputs.size() == b.outputs.size() &&
         std::equal(a.inputs.begin(), a.inputs.end(), b.inputs.begin(),
                    [&](ValueId x, ValueId y) { return same_operand(context, x, y); });
}

bool covers(const PassContext& context, const Node& earlier, const Node& later) {
  for (size_t i = 0; i < later.outputs.size(); ++i) {
    if (later.outputs[i] == kNone) continue;
    if (earlier.outputs[i] == kNone || !context.can_replace(later.outputs[i], earlier.outputs[i])) return false;
  }
  return true;
}

}  // namespace

std::optional<Patch> merge_common_subexpressions(const PassContext& context, NodeId id) {
  const Node& node = context.node(id);
  if (node.op.traits().info.random) return {};
  const auto pivot = std::find_if(node.inputs.begin(), node.inputs.end(),
                                  [&](ValueId input) { return input != kNone && !context.is_constant(input); });
  if (pivot == node.inputs.end()) return {};
  size_t compared = 0;
  for (NodeId other : context.users(*pivot)) {
    if (other >= id) continue;
    if (++compared > kMostCompared) break;
    const Node& earlier = context.node(other);
    if (!same_work(context, earlier, node) || !covers(context, earlier, node)) continue;
    Patch patch(context.graph());
    patch.remove(id);
    for (size_t i = 0; i < node.outputs.size(); ++i)
      if (node.outputs[i] != kNone) patch.replace(node.outputs[i], earlier.outputs[i]);
    return patch;
  }
  return {};
}

}  // namespace onemodel

// A node whose outputs nothing reads → nothing.
// Does not apply when an output is read by a node or is a graph output.
// Keeps every bit.

#include <algorithm>

#include "passes/passes.h"

namespace onemodel {

std::optional<Patch> remove_dead_nodes(const PassContext& context, NodeId id) {
  const Node& node = context.node(id);
  const bool alive = std::any_of(node.outputs.begin(), node.outputs.end(), [&](ValueId output) {
    return output != kNone && (context.is_output(output) || !context.users(output).empty());
  });
  if (alive) return {};
  Patch patch(context.graph());
  patch.remove(id);
  return patch;
}

}  // namespace onemodel

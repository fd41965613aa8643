// B(A(x)) → Reshape(x, sizes of B's output), where A and B keep the elements and their order (Reshape,
// Squeeze, Unsqueeze, Flatten).
// Does not apply when more than one size of the result is symbolic, or one is beside an empty axis, since
// a constant shape with one -1 could not say it; or when a bound is fused. A stays when something else
// reads it.
// Keeps every bit.

#include "ops/reshape.h"
#include "passes/passes.h"

namespace onemodel {
namespace {

// The sizes with -1 for a symbolic one.
std::optional<std::vector<int64_t>> target_of(const Shape& shape) {
  std::vector<int64_t> target;
  int64_t symbols = 0, zeros = 0;
  for (const Extent& extent : shape) {
    symbols += !extent.is_number();
    zeros += extent == Extent(0);
    target.push_back(extent.is_number() ? extent.number() : -1);
  }
  if (symbols > 1 || (symbols == 1 && zeros > 0)) return {};
  return target;
}

bool keeps_elements(const Node& node) { return node.op.traits().info.keeps_elements && !node.clamp; }

}  // namespace

std::optional<Patch> merge_reshapes(const PassContext& context, NodeId id) {
  const Node& outer = context.node(id);
  if (!keeps_elements(outer)) return {};
  const Node* inner = context.graph().producer(outer.inputs[0]);
  if (!inner || !keeps_elements(*inner)) return {};
  const auto target = target_of(context.value(outer.outputs[0]).type.shape);
  if (!target) return {};
  Patch patch(context.graph());
  patch.remove(id);
  const ValueId shape = patch.add_constant(outer.name + "_shape", Tensor::from_ints(*target));
  patch.replace(outer.outputs[0], patch.add_node(outer, Reshape{.allowzero = true}, {inner->inputs[0], shape}));
  return patch;
}

}  // namespace onemodel

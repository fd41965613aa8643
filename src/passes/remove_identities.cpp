// Op(x, …) → x, where the operator changes nothing: Identity; Dropout; Cast to x's dtype; Transpose in the
// order of the axes; Concat of one; Reshape, Squeeze, Unsqueeze, Flatten, Expand to x's own shape; Slice of
// all.
// Does not apply when that is not known for all sizes, when a dropout's mask is read or it may
// drop, when the output is a graph output and x is an input, a constant or another output (outputs keep
// their names), or when a bound is fused.
// Keeps every bit.

#include <algorithm>

#include "ops/cast.h"
#include "ops/concat.h"
#include "ops/dropout.h"
#include "ops/expand.h"
#include "ops/slice.h"
#include "ops/transpose.h"
#include "passes/passes.h"

namespace onemodel {
namespace {

bool keeps_axes(const Transpose& op, size_t rank) {
  const Dims axes = op.axes(rank);
  return std::is_sorted(axes.begin(), axes.end());
}

// A slice as long as the axis is all of it unless it runs backward.
bool runs_forward(const PassContext& context, const Node& slice) {
  const ValueId steps = PassContext::operand(slice, 4);
  if (steps == kNone) return true;
  if (!context.is_constant(steps)) return false;
  const std::vector<int64_t> values = context.value(steps).constant.to_vector<int64_t>();
  return std::all_of(values.begin(), values.end(), [](int64_t step) { return step > 0; });
}

bool is_zero(const PassContext& context, ValueId id) {
  return context.is_constant(id) && context.value(id).constant.numel() == 1 &&
         context.value(id).constant.to_vector<double>()[0] == 0;
}

bool drops_nothing(const PassContext& context, const Node& dropout) {
  const ValueId ratio = PassContext::operand(dropout, 1), mode = PassContext::operand(dropout, 2);
  const bool trains = mode != kNone && !is_zero(context, mode);
  if (trains && (ratio == kNone || !is_zero(context, ratio))) return false;
  const ValueId mask = dropout.outputs.size() > 1 ? dropout.outputs[1] : kNone;
  return mask == kNone || (context.users(mask).empty() && !context.is_output(mask));
}

// Given that the output has the type of the input.
bool changes_nothing(const PassContext& context, const Node& node) {
  const Op& op = node.op;
  if (op.traits().info.keeps_elements || op.is<Cast>() || op.is<Expand>()) return true;
  if (const auto* transpose = op.as<Transpose>())
    return keeps_axes(*transpose, context.value(node.inputs[0]).type.shape.rank());
  if (op.is<Dropout>()) return drops_nothing(context, node);
  if (op.is<Slice>()) return runs_forward(context, node);
  return op.is<Concat>() && node.inputs.size() == 1;
}

}  // namespace

std::optional<Patch> remove_identities(const PassContext& context, NodeId id) {
  const Node& node = context.node(id);
  if (node.clamp || node.inputs.empty() || node.inputs[0] == kNone || node.outputs[0] == kNone) return {};
  const ValueId x = node.inputs[0], y = node.outputs[0];
  if (!(context.value(x).type == context.value(y).type) || !changes_nothing(context, node)) return {};
  if (!context.can_replace(y, x)) return {};
  Patch patch(context.graph());
  patch.remove(id);
  patch.replace(y, x);
  return patch;
}

}  // namespace onemodel

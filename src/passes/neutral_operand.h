#pragma once
// The step that the passes on neutral constants share.

#include "passes/patch.h"

namespace onemodel {

/// The two-operand node `id` → its other operand, when operand `neutral` is a constant full of `value`
/// (+0 and -0 differ) and the other has the type of the result. Nothing when that is not so, when an
/// output would lose its name, or when a bound is fused.
std::optional<Patch> drop_operand(const PassContext& context, NodeId id, size_t neutral, double value);

}  // namespace onemodel

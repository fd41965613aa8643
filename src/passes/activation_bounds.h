#pragma once
// Activations that are bounds.

#include <optional>

#include "passes/patch.h"

namespace onemodel {

/// What Relu, and Clip with constant bounds that do not cross, keep their input within; nothing for other nodes.
std::optional<Clamp> activation_bounds(const PassContext& context, const Node& node);

}  // namespace onemodel

#include "passes/activation_bounds.h"

#include <limits>

#include "ops/clip.h"
#include "ops/unary.h"
#include "passes/constants.h"

namespace onemodel {
namespace {

std::optional<float> bound(const PassContext& context, const Node& clip, size_t operand, float absent) {
  const ValueId id = PassContext::operand(clip, operand);
  if (id == kNone) return absent;
  if (!context.is_constant(id)) return {};
  const auto value = uniform_value(context.value(id).constant);
  return value ? std::optional(static_cast<float>(*value)) : std::nullopt;
}

}  // namespace

std::optional<Clamp> activation_bounds(const PassContext& context, const Node& node) {
  constexpr float most = std::numeric_limits<float>::max();
  if (node.op.is<Relu>()) return Clamp{0, std::numeric_limits<float>::infinity()};
  if (!node.op.is<Clip>()) return {};
  const auto low = bound(context, node, 1, -most), high = bound(context, node, 2, most);
  if (!low || !high || !(*low <= *high)) return {};
  return Clamp{*low, *high};
}

}  // namespace onemodel

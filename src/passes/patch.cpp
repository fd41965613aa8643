#include "passes/patch.h"

namespace onemodel {

bool PassContext::can_replace(ValueId old, ValueId replacement) const {
  if (!is_output(old)) return true;
  return value(replacement).producer != kNone && !is_output(replacement);
}

ValueId Patch::add_constant(std::string name, Tensor tensor, ConstantKind kind) {
  constants_.emplace_back(next_, Constant{std::move(name), std::move(tensor), kind});
  return next_++;
}

ValueId Patch::add_node(const Node& like, Op op, std::vector<ValueId> inputs, std::optional<Clamp> clamp) {
  nodes_.push_back({std::move(op), std::move(inputs), {next_}, like.name, like.module_path, clamp});
  return next_++;
}

}  // namespace onemodel

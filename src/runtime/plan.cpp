#include "runtime/plan.h"

namespace onemodel {
namespace {

std::string place(const Slot& slot) {
  switch (slot.home) {
    case Slot::constant: return "constant";
    case Slot::input: return concat("input ", slot.index);
    case Slot::output: return concat("output ", slot.index);
    case Slot::arena: return concat("arena+", slot.offset);
  }
  return {};
}

std::string line(const Plan& plan, const Step& step) {
  std::string out = concat(step.node, " = ", step.op, " [", step.kernel_name, "]");
  if (step.clamp) out += concat(" clamp[", step.clamp->min, ", ", step.clamp->max, "]");
  for (int32_t id : step.outputs) {
    if (id == Step::kAbsent) continue;
    const Slot& slot = plan.slot(id);
    out += concat(" -> ", slot.name, ' ', slot.dtype, slot.dims, ' ', slot.bytes(), " B, ", place(slot));
  }
  if (step.workspace_bytes) out += concat("; workspace ", step.workspace_bytes, " B, arena+", step.workspace_offset);
  for (const std::string& refusal : step.refusals) out += concat("; not ", refusal);
  if (!step.module_path.empty()) out += concat("  # ", step.module_path);
  return out + '\n';
}

}  // namespace

std::string to_string(const Plan& plan) {
  std::string out = "plan for";
  for (const Dims& dims : plan.signature().dims) out += concat(' ', dims);
  out += concat(": ", plan.steps().size(), " steps, arena ", plan.arena_bytes(), " B\n");
  for (const Step& step : plan.steps()) out += line(plan, step);
  return out;
}

}  // namespace onemodel

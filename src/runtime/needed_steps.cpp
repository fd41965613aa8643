#include "runtime/needed_steps.h"

#include <algorithm>
#include <unordered_set>

#include "runtime/plan.h"

namespace onemodel {

PlanSlice slice_of(const Plan& plan, const Wanted& wanted) {
  PlanSlice out{std::vector<bool>(plan.steps().size()), wanted};
  std::unordered_set<int32_t> memory;
  for (size_t i = 0; i < wanted.size(); ++i)
    if (wanted[i]) memory.insert(plan.slot(plan.outputs()[i]).memory);
  const auto use = [&](int32_t id) {
    if (id == Step::kAbsent) return;
    const Slot& slot = plan.slot(id);
    memory.insert(slot.memory);
    if (slot.home == Slot::output) out.outputs[slot.index] = true;
  };
  for (size_t s = plan.steps().size(); s-- > 0;) {
    const Step& step = plan.steps()[s];
    const auto is_used = [&](int32_t id) { return id != Step::kAbsent && memory.contains(plan.slot(id).memory); };
    if (std::none_of(step.outputs.begin(), step.outputs.end(), is_used)) continue;
    out.steps[s] = true;
    ++out.count;
    for (int32_t id : step.outputs) use(id);
    for (int32_t id : step.inputs) use(id);
  }
  return out;
}

}  // namespace onemodel

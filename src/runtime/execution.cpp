#include "runtime/execution.h"

#include <chrono>

#include "kernels/portable/elementwise.h"
#include "runtime/profiler.h"
#include "runtime/session.h"

namespace onemodel {
namespace {

constexpr size_t kMostSlices = 16;

void apply_clamp(const Clamp& clamp, const Tensor& y) {
  auto* values = y.mutable_raw_as<float>();
  kernels::clip<float>({y.numel()}, values, {1}, clamp.min, clamp.max, values);
}

}  // namespace

Execution::Execution(std::shared_ptr<const Plan> plan) : plan_(std::move(plan)) {
  for (const Step& step : plan_->steps()) {
    Range range{.first_input = operands_.size()};
    for (int32_t slot : step.inputs) add_operand(slot);
    range.first_output = operands_.size();
    for (int32_t slot : step.outputs) add_operand(slot);
    range.end = operands_.size();
    ranges_.push_back(range);
  }
}

void Execution::add_operand(int32_t id) {
  operands_.emplace_back();
  if (id == Step::kAbsent) return;
  const Slot& slot = plan_->slot(id);
  const size_t operand = operands_.size() - 1;
  switch (slot.home) {
    case Slot::constant: operands_.back() = slot.value; break;
    case Slot::arena: scratch_.emplace_back(operand, id); break;
    case Slot::input: externals_.push_back({operand, slot.index, false, slot.dims}); break;
    case Slot::output: externals_.push_back({operand, slot.index, true, slot.dims}); break;
  }
}

void Execution::bind_arena(const std::shared_ptr<Storage>& arena) {
  for (const auto& [operand, id] : scratch_) {
    const Slot& slot = plan_->slot(id);
    const auto offset = static_cast<int64_t>(slot.offset / dtype_size(slot.dtype));
    operands_[operand] = Tensor::view_of(arena, offset, slot.dims, contiguous_strides(slot.dims), slot.dtype);
  }
  arena_ = arena;
}

void Execution::release_arena() {
  for (const auto& [operand, id] : scratch_) operands_[operand] = Tensor();
  arena_.reset();
}

void Execution::bind(std::span<const Tensor> inputs, std::span<const Tensor> outputs) {
  for (const External& external : externals_) {
    const Tensor& tensor = external.is_output ? outputs[external.index] : inputs[external.index];
    const bool is_alike = !tensor.defined() || tensor.dims() == external.dims;
    operands_[external.operand] = is_alike ? tensor : tensor.reshape(external.dims);
  }
}

const PlanSlice* Execution::slice(const Wanted& wanted) {
  if (wanted.empty()) return nullptr;
  for (const auto& [outputs, slice] : slices_)
    if (outputs == wanted) return &slice;
  if (slices_.size() == kMostSlices) slices_.clear();
  return &slices_.emplace_back(wanted, slice_of(*plan_, wanted)).second;
}

void Execution::run(std::span<const Tensor> inputs, std::span<const Tensor> outputs,
                    const std::shared_ptr<Storage>& arena, const RunOptions& options, const PlanSlice* slice) {
  struct Release {
    Execution& execution;
    ~Release() {
      for (const External& external : execution.externals_) execution.operands_[external.operand] = Tensor();
    }
  } release{*this};
  if (arena != arena_) bind_arena(arena);
  bind(inputs, outputs);
  const std::span<const Step> steps = plan_->steps();
  size_t done = 0;
  for (size_t s = 0; s < steps.size(); ++s) {
    if (slice && !slice->steps[s]) continue;
    if (options.cancelled && options.cancelled())
      throw CancelledError(concat("cancelled before step ", s, " of ", steps.size(), ", ",
                                  location(steps[s].node, steps[s].op, steps[s].module_path)));
    if (options.profiler)
      run_timed(s, *options.profiler);
    else
      run_step(steps[s], ranges_[s]);
    if (options.progress) options.progress(++done, slice ? slice->count : steps.size());
  }
}

void Execution::run_timed(size_t s, Profiler& profiler) {
  const Step& step = plan_->steps()[s];
  const auto start = std::chrono::steady_clock::now();
  run_step(step, ranges_[s]);
  const std::chrono::duration<double> time = std::chrono::steady_clock::now() - start;
  profiler.record(step, time.count());
}

void Execution::run_step(const Step& step, const Range& range) {
  const std::span<const Tensor> operands(operands_);
  const auto inputs = operands.subspan(range.first_input, range.first_output - range.first_input);
  const auto outputs = operands.subspan(range.first_output, range.end - range.first_output);
  try {
    if (step.kernel)
      step.kernel->run(inputs, outputs, arena_->data() + step.workspace_offset);
    else
      evaluate(step.op, inputs, outputs);
    if (step.clamp) apply_clamp(*step.clamp, outputs[0]);
  } catch (Error& error) {
    error.add_context(location(step.node, step.op, step.module_path));
    throw;
  }
}

}  // namespace onemodel

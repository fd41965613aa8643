#pragma once
// The tensors that a plan's steps work on, and the loop over the steps. Private to the runtime.

#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "runtime/needed_steps.h"
#include "runtime/plan.h"

namespace onemodel {

class Profiler;
struct RunOptions;

/// A plan with its operands laid out step after step. Not thread-safe.
class Execution {
 public:
  explicit Execution(std::shared_ptr<const Plan> plan);
  const std::shared_ptr<const Plan>& plan() const { return plan_; }

  /// What runs for those outputs; null for all of them. Good until the next call.
  const PlanSlice* slice(const Wanted& wanted);
  /// Runs with scratch memory of at least `plan()->arena_bytes()`. `inputs` and `outputs` have the
  /// plan's sizes and are contiguous; no reference to them is kept. Outputs outside of `slice` may be undefined.
  void run(std::span<const Tensor> inputs, std::span<const Tensor> outputs, const std::shared_ptr<Storage>& arena,
           const RunOptions& options, const PlanSlice* slice = nullptr);
  /// Forgets the scratch memory of the last run.
  void release_arena();

 private:
  struct Range {
    size_t first_input = 0, first_output = 0, end = 0;  // in operands_
  };
  /// An operand that differs from run to run.
  struct External {
    size_t operand;
    size_t index;  // which input or output
    bool is_output;
    Dims dims;  // as the step sees it
  };

  void add_operand(int32_t slot);
  void bind_arena(const std::shared_ptr<Storage>& arena);
  void bind(std::span<const Tensor> inputs, std::span<const Tensor> outputs);
  void run_timed(size_t s, Profiler& profiler);
  void run_step(const Step& step, const Range& range);

  std::shared_ptr<const Plan> plan_;
  std::vector<Tensor> operands_;
  std::vector<Range> ranges_;  // per step
  std::vector<External> externals_;
  std::vector<std::pair<Wanted, PlanSlice>> slices_;
  std::vector<std::pair<size_t, int32_t>> scratch_;  // operand and slot of what lives in the arena
  std::shared_ptr<Storage> arena_;
};

}  // namespace onemodel

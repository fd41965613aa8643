#pragma once
// A graph made ready for one signature of inputs: concrete sizes, folded shape arithmetic, a kernel and
// memory for every step.

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "ops/kernel.h"
#include "passes/pipeline.h"
#include "runtime/specialise.h"

namespace onemodel {

/// A value while the plan runs: its type and where it lives.
struct Slot {
  enum Home : uint8_t {
    constant,  // in the plan
    input,     // the tensor that was fed
    output,    // the tensor that is returned
    arena,     // the session's scratch memory
  };
  std::string name;
  DType dtype = DType::undefined;
  Dims dims;
  Home home = arena;
  size_t index = 0;    // which input or output
  size_t offset = 0;   // bytes from the arena's start, a multiple of 64
  int32_t memory = 0;  // slots with the same number are views of the same values
  Tensor value = {};   // of a constant; contiguous

  size_t bytes() const { return static_cast<size_t>(numel(dims)) * dtype_size(dtype); }
};

/// One thing to run.
struct Step {
  /// In place of a slot: the operand is absent, or the kernel has its own copy.
  static constexpr int32_t kAbsent = -1;

  Op op;
  std::string node, module_path;
  std::string kernel_name;
  std::shared_ptr<Kernel> kernel;                    // null: the portable one
  std::vector<int32_t> inputs, outputs;              // slots
  std::optional<Clamp> clamp;                        // still to be applied to output 0
  size_t workspace_offset = 0, workspace_bytes = 0;  // in the arena
  std::vector<std::string> refusals;                 // why faster kernels were not taken
};

/// Immutable. Kernels have state while they run: a plan is run once at a time.
class Plan {
 public:
  const Signature& signature() const { return signature_; }
  std::span<const Slot> slots() const { return slots_; }
  const Slot& slot(int32_t id) const { return slots_[static_cast<size_t>(id)]; }
  /// In the order in which they run.
  std::span<const Step> steps() const { return steps_; }
  /// Slot of each graph output; its home is `output`.
  std::span<const int32_t> outputs() const { return outputs_; }
  size_t arena_bytes() const { return arena_bytes_; }

 private:
  friend class PlanBuilder;
  Signature signature_;
  std::vector<Slot> slots_;
  std::vector<Step> steps_;
  std::vector<int32_t> outputs_;
  size_t arena_bytes_ = 0;
};

/// Plans `graph` for `signature`, which fits its inputs. Errors name the node, as those of `specialise`.
/// A kernel that packs weights keeps a copy of its own for each plan.
Plan make_plan(const OptimizedGraph& graph, Signature signature);

/// One line per step: node, operator, kernel and why others refused, output shape, bytes, place.
std::string to_string(const Plan& plan);

}  // namespace onemodel

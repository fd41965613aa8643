#pragma once
// Makes a plan: places of values, then steps with their kernels, then the arena. Private to the
// runtime.

#include <vector>

#include "runtime/plan.h"

namespace onemodel {

/// Used once.
class PlanBuilder {
 public:
  PlanBuilder(const OptimizedGraph& graph, Signature signature);
  Plan build();

 private:
  const Value& value(ValueId id) const { return graph_.value(id); }
  const Tensor& constant(ValueId id) const { return at_.constants[static_cast<size_t>(id)]; }
  ValueId& root(ValueId id) { return root_[static_cast<size_t>(id)]; }

  void share_memory();
  void claim_outputs();
  void add_step(const Node& node);
  void add_copy(ValueId from, size_t output);
  void choose(const Node& node, Step& step);
  KernelRequest::Operand operand(ValueId id) const;
  int32_t slot_of(ValueId id);
  int32_t add_slot(Slot slot, ValueId root);
  void lay_out();

  const Graph& graph_;
  Arithmetic arithmetic_;
  Specialised at_;
  Plan plan_;
  std::vector<ValueId> root_;       // per value: the one whose memory it shares, or itself
  std::vector<int32_t> input_of_;   // per value: which graph input it is, or -1
  std::vector<int32_t> output_of_;  // per root: the graph output whose memory it is, or -1
  std::vector<int32_t> slot_;       // per value: its slot, or -1
  std::vector<ValueId> slot_root_;  // per slot: its value's root
};

}  // namespace onemodel

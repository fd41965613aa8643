#pragma once
// A graph whose sizes follow from those of its inputs, with one plan per signature.

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "passes/pipeline.h"
#include "runtime/execution.h"
#include "runtime/feeds.h"
#include "runtime/scratch.h"
#include "runtime/session.h"

namespace onemodel {

/// Not thread-safe.
class Segment {
 public:
  /// Throws as `optimize` does, and for fixed input sizes as `make_plan`. `scratch` outlives the segment.
  Segment(Graph graph, const SessionOptions& options, Scratch& scratch);
  ~Segment();
  Segment(const Segment&) = delete;
  Segment& operator=(const Segment&) = delete;

  const InputContract& contract() const { return contract_; }
  const std::vector<ValueInfo>& outputs() const { return outputs_; }
  /// Writes into those `outputs` that are defined and sets the others, of which those that are not `wanted` may stay
  /// undefined. Errors as of Session::run.
  void run(std::span<const Tensor> inputs, std::span<Tensor> outputs, const RunOptions& options,
           const Wanted& wanted = {});
  std::shared_ptr<const Plan> prepare(std::span<const Tensor> inputs) { return execution_for(inputs).plan(); }
  size_t plan_count() const { return executions_.size(); }
  /// The patches that passes applied, and every plan at hand.
  std::string describe() const;

 private:
  Segment(OptimizedGraph graph, size_t plan_cache, Scratch& scratch);
  Execution& add_plan(Signature signature);
  Execution& execution_for(std::span<const Tensor> inputs);
  void drop_last();
  void provide_outputs(const Plan& plan, const PlanSlice* slice, std::span<const Tensor> inputs,
                       std::span<Tensor> tensors) const;
  void check_output(size_t index, const Slot& slot, std::span<const Tensor> inputs,
                    std::span<const Tensor> tensors) const;

  std::optional<OptimizedGraph> graph_;  // nothing when no other plan will be made
  InputContract contract_;
  std::vector<ValueInfo> outputs_;
  std::vector<std::string> log_;
  size_t plan_cache_;
  Scratch& scratch_;
  std::vector<std::unique_ptr<Execution>> executions_;  // the last used first
};

/// Names, types and shapes of values of a graph.
std::vector<ValueInfo> infos(const Graph& graph, std::span<const ValueId> ids);

}  // namespace onemodel

#include "runtime/segment.h"

#include <algorithm>

#include "core/write_watch.h"

namespace onemodel {
namespace {

OptimizedGraph prepared_graph(Graph graph, const SessionOptions& options) {
  if (!options.optimize) return unoptimized(std::move(graph), options.arithmetic);
  return optimize(std::move(graph), {.arithmetic = options.arithmetic, .max_patches = options.max_patches});
}

}  // namespace

std::vector<ValueInfo> infos(const Graph& graph, std::span<const ValueId> ids) {
  std::vector<ValueInfo> out;
  for (ValueId id : ids) {
    const Value& value = graph.value(id);
    const bool has_rank = value.type.dtype != DType::undefined || value.holds != Holds::tensor;
    out.push_back({value.name, has_rank ? value.type.dtype : value.element, value.type.shape, value.holds, has_rank});
  }
  return out;
}

Segment::Segment(Graph graph, const SessionOptions& options, Scratch& scratch)
    : Segment(prepared_graph(std::move(graph), options), options.plan_cache, scratch) {}

Segment::Segment(OptimizedGraph optimized, size_t plan_cache, Scratch& scratch)
    : graph_(std::move(optimized)),
      contract_(graph_->graph().name, infos(graph_->graph(), graph_->graph().inputs),
                inputs_that_decide_shapes(graph_->graph()), graph_->graph().contract),
      outputs_(infos(graph_->graph(), graph_->graph().outputs)),
      log_(graph_->log()),
      plan_cache_(plan_cache),
      scratch_(scratch) {
  if (!contract_.is_static()) return;
  add_plan(contract_.static_signature());
  graph_.reset();
}

Segment::~Segment() {
  while (!executions_.empty()) drop_last();
}

void Segment::drop_last() {
  scratch_.detach(executions_.back().get());
  executions_.pop_back();
}

Execution& Segment::add_plan(Signature signature) {
  auto plan = std::make_shared<const Plan>(make_plan(*graph_, std::move(signature)));
  scratch_.reserve(plan->arena_bytes());
  if (executions_.size() == plan_cache_) drop_last();
  executions_.insert(executions_.begin(), std::make_unique<Execution>(std::move(plan)));
  scratch_.attach(executions_.front().get());
  return *executions_.front();
}

Execution& Segment::execution_for(std::span<const Tensor> inputs) {
  for (auto at = executions_.begin(); at != executions_.end(); ++at) {
    if (!contract_.matches((*at)->plan()->signature(), inputs)) continue;
    std::rotate(executions_.begin(), at, at + 1);
    return *executions_.front();
  }
  return add_plan(contract_.check(inputs));
}

void Segment::check_output(size_t index, const Slot& slot, std::span<const Tensor> inputs,
                           std::span<const Tensor> tensors) const {
  const Tensor& tensor = tensors[index];
  const auto subject = [&] { return concat("model '", contract_.model(), "': output '", outputs_[index].name, "'"); };
  if (tensor.dtype() != slot.dtype)
    throw DTypeError(concat(subject(), " is ", slot.dtype, slot.dims, ", got ", tensor, " to write into"));
  if (tensor.dims() != slot.dims)
    throw ShapeError(concat(subject(), " is ", slot.dtype, slot.dims, ", got ", tensor, " to write into"));
  if (!tensor.is_contiguous()) throw ArgumentError(concat(subject(), " expects a contiguous tensor to write into"));
  const auto shares = [&](const Tensor& other) { return other.defined() && other.memory() == tensor.memory(); };
  if (std::any_of(inputs.begin(), inputs.end(), shares) ||
      std::any_of(tensors.begin(), tensors.begin() + static_cast<std::ptrdiff_t>(index), shares))
    throw ArgumentError(concat(subject(), " shares storage with an input or another output"));
  before_write(tensor, "Session::run");
}

void Segment::provide_outputs(const Plan& plan, const PlanSlice* slice, std::span<const Tensor> inputs,
                              std::span<Tensor> tensors) const {
  for (size_t i = 0; i < tensors.size(); ++i) {
    const Slot& slot = plan.slot(plan.outputs()[i]);
    if (tensors[i].defined())
      check_output(i, slot, inputs, tensors);
    else if (!slice || slice->outputs[i])
      tensors[i] = Tensor::empty(slot.dims, slot.dtype);
  }
}

void Segment::run(std::span<const Tensor> inputs, std::span<Tensor> outputs, const RunOptions& options,
                  const Wanted& wanted) {
  Execution& execution = execution_for(inputs);
  bool rows_lie_apart = false;
  for (const Tensor& input : inputs) {
    if (TensorExtension* extension = input.extension()) extension->before_read(input, "Session::run");
    rows_lie_apart |= !input.is_contiguous();
  }
  std::vector<Tensor> copies;
  if (rows_lie_apart) {
    for (const Tensor& input : inputs) copies.push_back(input.contiguous());
    inputs = copies;
  }
  const PlanSlice* slice = execution.slice(wanted);
  provide_outputs(*execution.plan(), slice, inputs, outputs);
  execution.run(inputs, outputs, scratch_.storage(), options, slice);
}

std::string Segment::describe() const {
  std::string out;
  for (const std::string& line : log_) out += concat("patch ", line, '\n');
  for (const auto& execution : executions_) out += to_string(*execution->plan());
  return out;
}

}  // namespace onemodel

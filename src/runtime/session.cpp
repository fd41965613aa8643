#include "runtime/session.h"

#include <algorithm>
#include <mutex>
#include <optional>

#include "runtime/execution.h"

namespace onemodel {
namespace {

Graph with_intermediates(Graph graph, std::span<const std::string> names) {
  for (const std::string& name : names) {
    const ValueId id = graph.find_value(name);
    check(id != kNone, "model '", graph.name, "' has no value '", name, "' to give as an output");
    if (!graph.is_output(id)) graph.outputs.push_back(id);
  }
  return graph;
}

OptimizedGraph prepared_graph(Graph graph, const SessionOptions& options) {
  graph = with_intermediates(std::move(graph), options.intermediates);
  if (!options.optimize) return unoptimized(std::move(graph), options.arithmetic);
  return optimize(std::move(graph), {.arithmetic = options.arithmetic, .max_patches = options.max_patches});
}

std::vector<ValueInfo> infos(const Graph& graph, std::span<const ValueId> ids) {
  std::vector<ValueInfo> out;
  for (ValueId id : ids) {
    const Value& value = graph.value(id);
    out.push_back({value.name, value.type.dtype, value.type.shape});
  }
  return out;
}

void before_read(const Tensor& tensor) {
  if (TensorExtension* extension = tensor.extension()) extension->before_read(tensor, "Session::run");
}

}  // namespace

struct Session::State {
  State(OptimizedGraph optimized, size_t plan_cache)
      : graph(std::move(optimized)),
        contract(graph->graph().name, infos(graph->graph(), graph->graph().inputs),
                 inputs_that_decide_shapes(graph->graph())),
        outputs(infos(graph->graph(), graph->graph().outputs)),
        log(graph->log()),
        plan_cache(plan_cache) {
    check(plan_cache >= 1, "model '", contract.model(), "': plan_cache expects at least 1, got 0");
    if (!contract.is_static()) return;
    add_plan(contract.static_signature());
    graph.reset();  // no other plan will be made
  }

  Execution& add_plan(Signature signature);
  Execution& execution_for(std::span<const Tensor> inputs);
  void grow_arena(size_t bytes);
  void provide_outputs(const Plan& plan, std::span<const Tensor> inputs, std::span<Tensor> tensors) const;
  void check_output(size_t index, const Slot& slot, std::span<const Tensor> inputs,
                    std::span<const Tensor> tensors) const;
  void run(std::span<const Tensor> inputs, std::span<Tensor> tensors, const RunOptions& options);

  std::optional<OptimizedGraph> graph;
  InputContract contract;
  std::vector<ValueInfo> outputs;
  std::vector<std::string> log;
  size_t plan_cache;
  std::vector<std::unique_ptr<Execution>> executions;  // the last used first
  std::shared_ptr<Storage> arena = Storage::allocate(0);
  std::mutex mutex;
};

Execution& Session::State::add_plan(Signature signature) {
  auto plan = std::make_shared<const Plan>(make_plan(*graph, std::move(signature)));
  if (plan->arena_bytes() > arena->bytes()) grow_arena(plan->arena_bytes());
  if (executions.size() == plan_cache) executions.pop_back();
  executions.insert(executions.begin(), std::make_unique<Execution>(std::move(plan)));
  return *executions.front();
}

void Session::State::grow_arena(size_t bytes) {
  for (auto& execution : executions) execution->release_arena();
  arena.reset();
  arena = Storage::allocate(bytes);
}

Execution& Session::State::execution_for(std::span<const Tensor> inputs) {
  for (auto at = executions.begin(); at != executions.end(); ++at) {
    if (!contract.matches((*at)->plan()->signature(), inputs)) continue;
    std::rotate(executions.begin(), at, at + 1);
    return *executions.front();
  }
  return add_plan(contract.check(inputs));
}

void Session::State::check_output(size_t index, const Slot& slot, std::span<const Tensor> inputs,
                                  std::span<const Tensor> tensors) const {
  const Tensor& tensor = tensors[index];
  const auto subject = [&] { return concat("model '", contract.model(), "': output '", outputs[index].name, "'"); };
  if (tensor.dtype() != slot.dtype)
    throw DTypeError(concat(subject(), " is ", slot.dtype, slot.dims, ", got ", tensor, " to write into"));
  if (tensor.dims() != slot.dims)
    throw ShapeError(concat(subject(), " is ", slot.dtype, slot.dims, ", got ", tensor, " to write into"));
  if (!tensor.is_contiguous()) throw ArgumentError(concat(subject(), " expects a contiguous tensor to write into"));
  const auto shares = [&](const Tensor& other) { return other.defined() && other.storage() == tensor.storage(); };
  if (std::any_of(inputs.begin(), inputs.end(), shares) ||
      std::any_of(tensors.begin(), tensors.begin() + static_cast<std::ptrdiff_t>(index), shares))
    throw ArgumentError(concat(subject(), " shares storage with an input or another output"));
  if (TensorExtension* extension = tensor.extension()) extension->before_write(tensor, "Session::run");
}

void Session::State::provide_outputs(const Plan& plan, std::span<const Tensor> inputs,
                                     std::span<Tensor> tensors) const {
  onemodel::check(tensors.size() == outputs.size(), "model '", contract.model(), "' has ", outputs.size(),
                  " outputs, got room for ", tensors.size());
  for (size_t i = 0; i < tensors.size(); ++i) {
    const Slot& slot = plan.slot(plan.outputs()[i]);
    if (tensors[i].defined())
      check_output(i, slot, inputs, tensors);
    else
      tensors[i] = Tensor::empty(slot.dims, slot.dtype);
  }
}

void Session::State::run(std::span<const Tensor> inputs, std::span<Tensor> tensors, const RunOptions& options) {
  const std::lock_guard lock(mutex);
  Execution& execution = execution_for(inputs);
  bool rows_lie_apart = false;
  for (const Tensor& input : inputs) {
    before_read(input);
    rows_lie_apart |= !input.is_contiguous();
  }
  std::vector<Tensor> copies;
  if (rows_lie_apart) {
    for (const Tensor& input : inputs) copies.push_back(input.contiguous());
    inputs = copies;
  }
  provide_outputs(*execution.plan(), inputs, tensors);
  execution.run(inputs, tensors, arena, options);
}

Session::Session(Graph graph, const SessionOptions& options)
    : state_(std::make_unique<State>(prepared_graph(std::move(graph), options), options.plan_cache)) {}
Session::~Session() = default;
Session::Session(Session&&) noexcept = default;
Session& Session::operator=(Session&&) noexcept = default;

const std::string& Session::name() const { return state_->contract.model(); }
const std::vector<ValueInfo>& Session::inputs() const { return state_->contract.inputs(); }
const std::vector<ValueInfo>& Session::outputs() const { return state_->outputs; }

void Session::run(std::span<const Tensor> inputs, std::span<Tensor> outputs, const RunOptions& options) {
  state_->run(inputs, outputs, options);
}

std::vector<Tensor> Session::run(std::span<const Tensor> inputs, const RunOptions& options) {
  std::vector<Tensor> outputs(state_->outputs.size());
  state_->run(inputs, outputs, options);
  return outputs;
}

std::vector<Tensor> Session::run(std::span<const Feed> feeds, const RunOptions& options) {
  return run(state_->contract.in_order(feeds), options);
}

std::shared_ptr<const Plan> Session::prepare(std::span<const Tensor> inputs) {
  const std::lock_guard lock(state_->mutex);
  return state_->execution_for(inputs).plan();
}

size_t Session::plan_count() const {
  const std::lock_guard lock(state_->mutex);
  return state_->executions.size();
}

size_t Session::arena_bytes() const {
  const std::lock_guard lock(state_->mutex);
  return state_->arena->bytes();
}

std::string Session::describe() const {
  const std::lock_guard lock(state_->mutex);
  std::string out = concat("model '", name(), "'\n");
  for (const std::string& line : state_->log) out += concat("patch ", line, '\n');
  for (const auto& execution : state_->executions) out += to_string(*execution->plan());
  return out;
}

}  // namespace onemodel

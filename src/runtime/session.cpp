#include "runtime/session.h"

#include <mutex>
#include <optional>

#include "runtime/program.h"

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

}  // namespace

struct Session::State {
  State(Graph graph, const SessionOptions& options)
      : contract(graph.name, infos(graph, graph.inputs), std::vector<bool>(graph.inputs.size()), graph.contract),
        outputs(infos(graph, graph.outputs)) {
    check(options.plan_cache >= 1, "model '", graph.name, "': plan_cache expects at least 1, got 0");
    program.emplace(std::move(graph), options, scratch);
  }

  void run(std::span<const Tensor> inputs, std::span<Tensor> tensors, const RunOptions& options) {
    const std::lock_guard lock(mutex);
    check(tensors.size() == outputs.size(), "model '", contract.model(), "' has ", outputs.size(),
          " outputs, got room for ", tensors.size());
    if (Segment* whole = program->whole()) return whole->run(inputs, tensors, options);
    for (const ValueInfo& output : outputs)
      check(output.holds == Holds::tensor, "model '", contract.model(), "': output '", output.name,
            "' is no tensor: use run_items");
    std::vector<Item> items(tensors.begin(), tensors.end());
    run_items({inputs.begin(), inputs.end()}, items, options);
    for (size_t i = 0; i < tensors.size(); ++i) tensors[i] = items[i].tensor;
  }

  std::vector<Item> run(std::span<const Item> inputs, const RunOptions& options) {
    const std::lock_guard lock(mutex);
    std::vector<Item> items(outputs.size());
    run_items({inputs.begin(), inputs.end()}, items, options);
    return items;
  }

  void run_items(const std::vector<Item>& inputs, std::span<Item> items, const RunOptions& options) {
    contract.check_items(inputs);
    for (const Item& input : inputs)
      if (TensorExtension* extension = input.tensor.extension()) extension->before_read(input.tensor, "Session::run");
    program->run(inputs, items, options);
  }

  InputContract contract;
  std::vector<ValueInfo> outputs;
  Scratch scratch;
  std::optional<Program> program;
  std::mutex mutex;
};

Session::Session(Graph graph, const SessionOptions& options)
    : state_(std::make_unique<State>(with_intermediates(std::move(graph), options.intermediates), options)) {}
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

std::vector<Item> Session::run_items(std::span<const Item> inputs, const RunOptions& options) {
  return state_->run(inputs, options);
}

std::vector<Tensor> Session::run(std::span<const Feed> feeds, const RunOptions& options) {
  return run(state_->contract.in_order(feeds), options);
}

std::shared_ptr<const Plan> Session::prepare(std::span<const Tensor> inputs) {
  const std::lock_guard lock(state_->mutex);
  Segment* whole = state_->program->whole();
  check(whole, "model '", name(), "' has no single plan: sizes inside it depend on values");
  return whole->prepare(inputs);
}

size_t Session::plan_count() const {
  const std::lock_guard lock(state_->mutex);
  return state_->program->plan_count();
}

size_t Session::arena_bytes() const {
  const std::lock_guard lock(state_->mutex);
  return state_->scratch.storage()->bytes();
}

std::string Session::describe() const {
  const std::lock_guard lock(state_->mutex);
  return concat("model '", name(), "'\n", state_->program->describe());
}

}  // namespace onemodel

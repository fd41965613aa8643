#include "runtime/session.h"

#include <algorithm>
#include <mutex>
#include <optional>

#include "onnx/onnx_metadata.h"
#include "runtime/variants.h"

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

// What the file says that the graph was read from.
std::string opset_of(const Graph& graph) {
  const auto found = graph.metadata.find(std::string(kOpsetMetadataKey));
  return found == graph.metadata.end() ? "" : concat(" (opset ", found->second, ")");
}

std::vector<ValueInfo> all_inputs(const Graph& graph) {
  std::vector<ValueInfo> out = infos(graph, graph.inputs);
  for (const auto& [id, shape] : graph.optional_inputs) {
    ValueInfo& info = out.emplace_back(infos(graph, {&id, 1})[0]);
    info.shape = shape;
    info.initial = graph.value(id).constant;
  }
  return out;
}

}  // namespace

struct Session::State {
  State(Graph graph, const SessionOptions& options)
      : required(graph.inputs.size()),
        opset(opset_of(graph)),
        contract(graph.name, all_inputs(graph), std::vector<bool>(required + graph.optional_inputs.size()),
                 graph.contract),
        outputs(infos(graph, graph.outputs)) {
    check(options.plan_cache >= 1, "model '", graph.name, "': plan_cache expects at least 1, got 0");
    in_model([&] { variants.emplace(std::move(graph), options, scratch); });
  }

  /// Runs `f`. What plans and kernels throw names the node; here it gets the model and the opset that it was written in.
  template <class F>
  void in_model(F&& f) const {
    try {
      f();
    } catch (const CancelledError&) {
      throw;
    } catch (Error& error) {
      const std::string model = concat("model '", contract.model(), "'");
      if (!std::string_view(error.what()).starts_with(model)) error.add_context(model + opset);
      throw;
    }
  }

  bool has_optional_inputs() const { return required < contract.inputs().size(); }

  void run(std::span<const Tensor> inputs, std::span<Tensor> tensors, const RunOptions& options) {
    const std::lock_guard lock(mutex);
    const std::vector<size_t> wanted = places_of(options.outputs);
    check(tensors.size() == wanted.size(), "model '", contract.model(), "' has ", wanted.size(),
          options.outputs.empty() ? "" : " wanted", " outputs, got room for ", tensors.size());
    Segment* whole = variants->plain().whole();
    if (whole && options.outputs.empty() && !has_optional_inputs())
      return in_model([&] { whole->run(inputs, tensors, options); });
    for (size_t at : wanted)
      check(outputs[at].holds == Holds::tensor, "model '", contract.model(), "': output '", outputs[at].name,
            "' is no tensor: use run_items");
    std::vector<Item> items(tensors.begin(), tensors.end());
    run_items({inputs.begin(), inputs.end()}, items, wanted, options);
    for (size_t i = 0; i < tensors.size(); ++i) tensors[i] = items[i].tensor;
  }

  std::vector<Item> run(std::span<const Item> inputs, const RunOptions& options) {
    const std::lock_guard lock(mutex);
    const std::vector<size_t> wanted = places_of(options.outputs);
    std::vector<Item> items(wanted.size());
    run_items({inputs.begin(), inputs.end()}, items, wanted, options);
    return items;
  }

  void run_items(std::vector<Item> inputs, std::span<Item> items, std::span<const size_t> wanted,
                 const RunOptions& options) {
    if (inputs.size() >= required && inputs.size() < contract.inputs().size()) inputs.resize(contract.inputs().size());
    contract.check_items(inputs);
    for (const Item& input : inputs)
      if (TensorExtension* extension = input.tensor.extension()) extension->before_read(input.tensor, "Session::run");
    const std::vector<size_t> fed = take_optional(inputs);
    in_model([&] { run_program(variants->with(fed), inputs, items, wanted, options); });
  }

  void run_program(Program& program, std::span<const Item> inputs, std::span<Item> items,
                   std::span<const size_t> wanted, const RunOptions& options) const {
    if (options.outputs.empty()) return program.run(inputs, items, options);
    std::vector<Item> all(outputs.size());
    Wanted mask(outputs.size());
    for (size_t i = 0; i < wanted.size(); ++i) {
      all[wanted[i]] = items[i];
      mask[wanted[i]] = true;
    }
    program.run(inputs, all, options, mask);
    for (size_t i = 0; i < wanted.size(); ++i) items[i] = all[wanted[i]];
  }

  /// Leaves out the optional inputs that are not fed; tells the others.
  std::vector<size_t> take_optional(std::vector<Item>& inputs) const {
    std::vector<size_t> fed;
    std::vector<Item> taken;
    for (size_t i = 0; i < inputs.size(); ++i) {
      if (i >= required && inputs[i].is_nothing()) continue;
      if (i >= required) fed.push_back(i - required);
      taken.push_back(std::move(inputs[i]));
    }
    inputs = std::move(taken);
    return fed;
  }

  std::vector<size_t> places_of(std::span<const std::string> names) const {
    std::vector<size_t> places;
    if (names.empty())
      for (size_t i = 0; i < outputs.size(); ++i) places.push_back(i);
    for (const std::string& name : names) {
      const auto at = std::find_if(outputs.begin(), outputs.end(), [&](const auto& each) { return each.name == name; });
      check(at != outputs.end(), "model '", contract.model(), "' has no output '", name,
            "' (outputs: ", names_of(outputs), ")");
      const auto place = static_cast<size_t>(at - outputs.begin());
      check(std::find(places.begin(), places.end(), place) == places.end(), "model '", contract.model(), "': output '",
            name, "' is asked for twice");
      places.push_back(place);
    }
    return places;
  }

  size_t required;    // inputs that are not optional
  std::string opset;  // " (opset 17)", or nothing
  InputContract contract;
  std::vector<ValueInfo> outputs;
  Scratch scratch;
  std::optional<Variants> variants;
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
  std::vector<Tensor> outputs(options.outputs.empty() ? state_->outputs.size() : options.outputs.size());
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
  Segment* whole = state_->variants->plain().whole();
  check(whole, "model '", name(), "' has no single plan: sizes inside it depend on values");
  std::shared_ptr<const Plan> plan;
  state_->in_model([&] { plan = whole->prepare(inputs); });
  return plan;
}

size_t Session::plan_count() const {
  const std::lock_guard lock(state_->mutex);
  return state_->variants->plan_count();
}

size_t Session::arena_bytes() const {
  const std::lock_guard lock(state_->mutex);
  return state_->scratch.storage()->bytes();
}

std::string Session::describe() const {
  const std::lock_guard lock(state_->mutex);
  return concat("model '", name(), "'\n", state_->variants->describe());
}

}  // namespace onemodel

#include "export/unflatten.h"

#include <algorithm>

#include "eager/autograd.h"
#include "eager/in_place.h"
#include "eager/record.h"
#include "export/interpret.h"
#include "export/same_view.h"
#include "runtime/specialise.h"

namespace onemodel {
namespace {

bool is_below(std::string_view path, std::string_view root) {
  return path == root || (path.starts_with(root) && path.size() > root.size() && path[root.size()] == '.');
}

}  // namespace

ProgramModule::ProgramModule(std::shared_ptr<const CallPlan> plan, std::string path)
    : plan_(std::move(plan)), path_(std::move(path)) {
  for (size_t i = 0; i < plan_->calls.size(); ++i)
    if (plan_->calls[i].path == path_) calls_.push_back(i);
  std::ranges::sort(calls_, {}, [&](size_t i) { return plan_->calls[i].index; });
}

std::string ProgramModule::describe() const {
  return concat("ProgramModule(", plan_->graph.name, path_.empty() ? "" : ", ", path_, ")");
}

nn::Module* ProgramModule::find(std::string_view path) {
  for (const auto& [each, module] : named_modules())
    if (each == path) return module;
  return nullptr;
}

void ProgramModule::run_steps(const CallBody& body, Values& values) const {
  const Graph& graph = plan_->graph;
  // A gradient needs what was read before the update at the end of the run.
  for (const size_t i : body.state)
    values[graph.inputs[i]] = plan_->updated[i] && grad_enabled() ? state_.at(i).clone() : state_.at(i);
  const auto value = [&](ValueId id) {
    if (id == kNone) return Tensor();
    return graph.value(id).is_constant() ? graph.value(id).constant : values.at(id);
  };
  for (const CallBody::Step& step : body.steps) {
    const CallBody* inner = step.is_call ? &plan_->bodies[step.index] : nullptr;
    const std::vector<ValueId>& operands = inner ? inner->inputs : graph.nodes[step.index].inputs;
    const std::vector<ValueId>& results = inner ? inner->outputs : graph.nodes[step.index].outputs;
    std::vector<Tensor> inputs, outputs;
    for (const ValueId id : operands) inputs.push_back(value(id));
    if (inner) {
      const std::shared_ptr<nn::Module> module = called_.at(plan_->calls[step.index].path).lock();
      check(module != nullptr, describe(), ": it was taken out of its tree, which is gone");
      if (const auto* own = dynamic_cast<const ProgramModule*>(module.get()); own && own->plan_ == plan_) {
        outputs = own->run_call(step.index, inputs);
      } else {
        outputs = (*module)(std::span<const Tensor>(inputs).first(inner->recorded_inputs));
        check(outputs.size() == inner->recorded_outputs, module->describe(), ", in the place of '",
              plan_->calls[step.index].path, "': ", inner->recorded_outputs, " results were expected, got ",
              outputs.size());
      }
    } else {
      const Node& node = graph.nodes[step.index];
      try {
        outputs = run_node(node, inputs);
      } catch (Error& error) {
        error.add_context(location(node.name, node.op, node.module_path));
        throw;
      }
    }
    for (size_t i = 0; i < results.size(); ++i)
      if (results[i] != kNone) values[results[i]] = outputs[i];
  }
}

std::vector<Tensor> ProgramModule::run_call(size_t call, std::span<const Tensor> inputs) const {
  const CallBody& body = plan_->bodies[call];
  check(inputs.size() == body.inputs.size(), describe(), ": ", body.inputs.size(), " inputs were expected, got ",
        inputs.size());
  Values values;
  for (size_t i = 0; i < inputs.size(); ++i)
    if (body.inputs[i] != kNone) values[body.inputs[i]] = inputs[i];
  run_steps(body, values);
  std::vector<Tensor> out;
  for (const ValueId id : body.outputs) out.push_back(id == kNone ? Tensor() : values.at(id));
  return out;
}

std::vector<Tensor> ProgramModule::run_root(std::span<const Tensor> inputs) {
  const Graph& graph = plan_->graph;
  const size_t states = plan_->signature.state_count();
  plan_->contract.check(inputs);
  Values values;
  for (size_t i = 0; i < inputs.size(); ++i) values[graph.inputs[states + i]] = inputs[i];
  run_steps(plan_->bodies[0], values);
  for (const auto& [i, tensor] : state_) values.emplace(graph.inputs[i], tensor);
  std::vector<Tensor> results, targets;
  for (size_t i = 0; i < graph.outputs.size(); ++i) {
    const OutputSpec& output = plan_->signature.outputs[i];
    const Value& result = graph.value(graph.outputs[i]);
    results.push_back(result.is_constant() ? result.constant : values.at(graph.outputs[i]));
    if (!output.is_mutation()) continue;
    const size_t target = plan_->signature.input_of(output).value();
    targets.push_back(target < states ? state_.at(target) : inputs[target - states]);
  }
  set_apart(results, targets);
  const NoGrad none;
  for (size_t i = 0; i < targets.size(); ++i) copy_(targets[i], results[i].detach());
  results.erase(results.begin(), results.begin() + static_cast<std::ptrdiff_t>(targets.size()));
  return results;
}

std::vector<Tensor> ProgramModule::forward(std::span<const Tensor> inputs) {
  if (path_.empty()) return run_root(inputs);
  check(!calls_.empty(), describe(), ": the program never called it");
  return run_call(calls_.front(), inputs);
}

/// Puts the modules of a plan together.
class TreeBuilder {
 public:
  using Modules = std::map<std::string, std::shared_ptr<nn::Module>>;
  TreeBuilder(const ExportedProgram& program, std::shared_ptr<const CallPlan> plan, const Modules& replacements)
      : program_(program), plan_(std::move(plan)), replacements_(replacements) {}

  std::shared_ptr<ProgramModule> build() {
    check_replacements();
    std::shared_ptr<ProgramModule> root = at("");
    for (size_t i = 0; i < plan_->owners.size(); ++i) add_state(i);
    for (const ModuleCall& call : plan_->calls) place(call.path);
    attach();
    for (const auto& [path, module] : own_) module->called_.insert(modules_.begin(), modules_.end());
    return root;
  }

 private:
  bool is_replaced(std::string_view path) const {
    return std::ranges::any_of(replacements_, [&](const auto& each) { return is_below(path, each.first); });
  }

  void check_replacements() const {
    for (const auto& [path, module] : replacements_) {
      const auto is_called = [&path = path](const ModuleCall& call) { return !call.path.empty() && call.path == path; };
      check(module && std::ranges::any_of(plan_->calls, is_called), "unflatten: '", path,
            "' has no call that a replacement could take");
      for (size_t c = 0; c < plan_->calls.size(); ++c) {
        const CallBody& body = plan_->bodies[c];
        if (plan_->calls[c].path == path && body.outputs.size() > body.recorded_outputs)
          throw ArgumentError(concat("unflatten: '", path, "' cannot be replaced: its value '",
                                     plan_->graph.value(body.outputs.back()).name, "' is used outside of it"));
        if (is_below(plan_->calls[c].path, path)) continue;
        for (const size_t i : body.state)
          check(!is_below(plan_->owners[i], path), "unflatten: '", path, "' cannot be replaced: its '",
                program_.signature.inputs[i].target, "' is used outside of it");
      }
    }
  }

  std::shared_ptr<ProgramModule> at(const std::string& path) {
    auto& module = own_[path];
    if (!module) module = std::make_shared<ProgramModule>(plan_, path);
    return module;
  }

  void add_state(size_t i) {
    const InputSpec& input = program_.signature.inputs[i];
    const std::string& owner = plan_->owners[i];
    if (is_replaced(owner) && !owner.empty()) return;
    place(owner);
    ProgramModule& module = *at(owner);
    const Tensor tensor = program_.state->tensor(i).clone();
    const std::string name = input.target.substr(owner.empty() ? 0 : owner.size() + 1);
    if (input.kind == InputKind::parameter) {
      module.register_parameter(name, tensor);
      set_requires_grad(tensor, program_.trainable);
    } else if (input.kind == InputKind::buffer) {
      module.register_buffer(name, tensor, input.persistent);
    }
    module.state_[i] = tensor;
    own_.at("")->state_[i] = tensor;
  }

  // The module of that path and those around it.
  void place(const std::string& path) {
    if (modules_.contains(path)) return;
    const auto replacement = replacements_.find(path);
    if (replacement == replacements_.end() && is_replaced(path) && !path.empty()) return;
    modules_[path] =
        replacement == replacements_.end() ? std::static_pointer_cast<nn::Module>(at(path)) : replacement->second;
    order_.push_back(path);
    if (const size_t dot = path.rfind('.'); dot != std::string::npos) place(path.substr(0, dot));
  }

  void attach() {
    for (const std::string& path : order_) {
      if (path.empty()) continue;
      const size_t dot = path.rfind('.');
      const std::string parent = dot == std::string::npos ? "" : path.substr(0, dot);
      at(parent)->add_module(path.substr(dot == std::string::npos ? 0 : dot + 1), modules_.at(path));
    }
  }

  const ExportedProgram& program_;
  std::shared_ptr<const CallPlan> plan_;
  const Modules& replacements_;
  std::map<std::string, std::shared_ptr<ProgramModule>> own_;
  Modules modules_;
  std::vector<std::string> order_;
};

std::shared_ptr<ProgramModule> program_module(const ExportedProgram& program) {
  return TreeBuilder(program, plan_calls(program, false), {}).build();
}

std::shared_ptr<ProgramModule> unflatten(const ExportedProgram& program,
                                         const std::map<std::string, std::shared_ptr<nn::Module>>& replacements) {
  return TreeBuilder(program, plan_calls(program), replacements).build();
}

}  // namespace onemodel

#include "export/unflatten.h"

#include <algorithm>

#include "core/sort.h"
#include "eager/autograd.h"
#include "eager/in_place.h"
#include "eager/record.h"
#include "export/interpret.h"
#include "export/same_view.h"
#include "export/updated_inputs.h"
#include "runtime/specialise.h"

namespace onemodel {
namespace {

std::vector<Argument> as_arguments(std::span<const Tensor> tensors) {
  std::vector<Argument> out;
  for (const Tensor& tensor : tensors) out.push_back(tensor.defined() ? Argument(tensor) : Argument());
  return out;
}

Argument as_result(std::span<const Tensor> tensors) {
  return tensors.size() == 1 ? Argument(tensors.front()) : Argument::list(as_arguments(tensors));
}

std::vector<Tensor> call_structured(StructuredModule& module, const ModuleCall& call, std::span<const Tensor> inputs) {
  const Argument result = module.call(filled(*call.input_form, inputs).children);
  const std::string who = concat(module.describe(), ", in the place of '", call.path, "': ");
  return call.output_form ? tensors_that_fit(who, "result", *call.output_form, result) : tensors_in(result);
}

}  // namespace

std::vector<Tensor> StructuredModule::forward(std::span<const Tensor> inputs) {
  return tensors_in(call(as_arguments(inputs)));
}

ProgramModule::ProgramModule(std::shared_ptr<const CallPlan> plan, std::string path)
    : plan_(std::move(plan)), path_(std::move(path)) {
  for (size_t i = 0; i < plan_->calls.size(); ++i)
    if (plan_->calls[i].path == path_) calls_.push_back(i);
  sort_numbers(calls_, [&](size_t a, size_t b) { return plan_->calls[a].index < plan_->calls[b].index; });
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
    const auto found = values.find(id);  // also of a constant: whoever calls this alone may give another
    return found == values.end() ? graph.value(id).constant : found->second;
  };
  for (const CallBody::Step& step : body.steps) {
    const CallBody* inner = step.is_call ? &plan_->bodies[step.index] : nullptr;
    const std::vector<ValueId>& operands = inner ? inner->inputs : graph.nodes[step.index].inputs;
    const std::vector<ValueId>& results = inner ? inner->outputs : graph.nodes[step.index].outputs;
    std::vector<Tensor> inputs, outputs;
    for (const ValueId id : operands) inputs.push_back(value(id));
    if (inner) {
      outputs = run_inner(step.index, inputs);
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

std::vector<Tensor> ProgramModule::run_inner(size_t call, std::span<const Tensor> inputs) const {
  const ModuleCall& recorded = plan_->calls[call];
  const std::shared_ptr<nn::Module> module = called_.at(recorded.path).lock();
  check(module != nullptr, describe(), ": it was taken out of its tree, which is gone");
  if (auto* own = dynamic_cast<ProgramModule*>(module.get()); own && own->plan_ == plan_)
    return own->run_told(call, inputs);
  const CallBody& body = plan_->bodies[call];
  inputs = inputs.first(body.recorded_inputs);
  auto* structured = dynamic_cast<StructuredModule*>(module.get());
  const auto run = [&] {
    return recorded.input_form ? call_structured(*structured, recorded, inputs) : structured->forward(inputs);
  };
  std::vector<Tensor> outputs = !structured                 ? (*module)(inputs)
                                : structured->tells_calls() ? run()
                                                            : structured->called(inputs, run);
  check(outputs.size() == body.recorded_outputs, module->describe(), ", in the place of '", recorded.path,
        "': ", body.recorded_outputs, " results were expected, got ", outputs.size());
  return outputs;
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

// A capture is told of what was recorded, without the values that only cross the boundary.
std::vector<Tensor> ProgramModule::run_told(size_t call, std::span<const Tensor> inputs) {
  const CallBody& body = plan_->bodies[call];
  std::vector<Tensor> outputs;
  called(inputs.first(body.recorded_inputs), [&] {
    outputs = run_call(call, inputs);
    return std::vector<Tensor>(outputs.begin(), outputs.begin() + static_cast<std::ptrdiff_t>(body.recorded_outputs));
  });
  return outputs;
}

std::vector<Tensor> ProgramModule::run_root(std::span<const Tensor> inputs) {
  const Graph& graph = plan_->graph;
  const size_t states = plan_->signature.state_count();
  plan_->contract.check(inputs);
  const std::vector<size_t> updated = targets_of_updates(plan_->signature);
  check_updated_inputs(graph.name, plan_->signature, updated, inputs);
  Values values;
  for (size_t i = 0; i < inputs.size(); ++i) values[graph.inputs[states + i]] = inputs[i];
  run_steps(plan_->bodies[0], values);
  for (const auto& [i, tensor] : state_) values.emplace(graph.inputs[i], tensor);
  std::vector<Tensor> results, targets;
  for (const ValueId id : graph.outputs)
    results.push_back(graph.value(id).is_constant() ? graph.value(id).constant : values.at(id));
  for (const size_t target : updated) targets.push_back(target < states ? state_.at(target) : inputs[target - states]);
  set_apart(results, targets);
  if (!targets.empty()) {  // a trace of a program that updates nothing must not be told to record no gradients
    const NoGrad none;
    for (size_t i = 0; i < targets.size(); ++i) copy_(targets[i], results[i].detach());
  }
  results.erase(results.begin(), results.begin() + static_cast<std::ptrdiff_t>(targets.size()));
  return results;
}

std::vector<Tensor> ProgramModule::forward(std::span<const Tensor> inputs) {
  if (path_.empty()) return run_root(inputs);
  check(!calls_.empty(), describe(), ": the program never called it");
  return run_call(calls_.front(), inputs);
}

Argument ProgramModule::call(std::span<const Argument> arguments) {
  check(path_.empty() || !calls_.empty(), describe(), ": the program never called it");
  const ModuleCall& first = plan_->calls[path_.empty() ? 0 : calls_.front()];
  const size_t count = first.input_form ? std::min(first.input_form->structure.children.size(), arguments.size()) : 0;
  std::vector<Tensor> inputs;
  if (first.input_form)
    inputs =
        tensors_that_fit(describe() + ": ", "arguments", *first.input_form,
                         Argument::list({arguments.begin(), arguments.begin() + static_cast<std::ptrdiff_t>(count)}));
  for (const Argument& argument : arguments.subspan(count)) {
    const std::vector<Tensor> tensors = tensors_in(argument);
    inputs.insert(inputs.end(), tensors.begin(), tensors.end());
  }
  const std::vector<Tensor> outputs = forward(inputs);
  if (!first.output_form) return as_result(outputs);
  return filled(*first.output_form, std::span(outputs).first(first.outputs.size()));
}

}  // namespace onemodel

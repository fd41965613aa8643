#include "runtime/plan_builder.h"

#include <algorithm>
#include <numeric>

#include "ops/reshape.h"
#include "runtime/arena.h"

namespace onemodel {

PlanBuilder::PlanBuilder(const OptimizedGraph& graph, Signature signature)
    : graph_(graph.graph()), arithmetic_(graph.arithmetic()), at_(specialise(graph_, signature)) {
  const size_t count = graph_.values.size();
  plan_.signature_ = std::move(signature);
  root_.resize(count);
  std::iota(root_.begin(), root_.end(), 0);
  input_of_.assign(count, -1);
  output_of_.assign(count, -1);
  slot_.assign(count, -1);
  for (size_t i = 0; i < graph_.inputs.size(); ++i)
    input_of_[static_cast<size_t>(graph_.inputs[i])] = static_cast<int32_t>(i);
}

Plan PlanBuilder::build() {
  share_memory();
  claim_outputs();
  for (size_t n = 0; n < graph_.nodes.size(); ++n) {
    const Node& node = graph_.nodes[n];
    const ValueId first = node.outputs[0];
    if (at_.needed[n] && (first == kNone || root(first) == first)) add_step(node);
  }
  for (size_t o = 0; o < graph_.outputs.size(); ++o)
    if (plan_.outputs_[o] == Step::kAbsent) add_copy(graph_.outputs[o], o);
  lay_out();
  return std::move(plan_);
}

// An operator that keeps the elements costs nothing: its output is its input, seen with other sizes.
void PlanBuilder::share_memory() {
  for (size_t n = 0; n < graph_.nodes.size(); ++n) {
    const Node& node = graph_.nodes[n];
    if (at_.needed[n] && node.op.traits().info.keeps_elements && !node.clamp && node.outputs[0] != kNone)
      root(node.outputs[0]) = root(node.inputs[0]);
  }
}

// The first output of a root computed by a step is written in place; the others are copies.
void PlanBuilder::claim_outputs() {
  plan_.outputs_.assign(graph_.outputs.size(), Step::kAbsent);
  for (size_t o = 0; o < graph_.outputs.size(); ++o) {
    const ValueId id = graph_.outputs[o], from = root(id);
    const auto r = static_cast<size_t>(from);
    if (constant(from).defined() || input_of_[r] >= 0 || output_of_[r] >= 0) continue;
    output_of_[r] = static_cast<int32_t>(o);
    plan_.outputs_[o] = slot_of(id);
  }
}

void PlanBuilder::add_step(const Node& node) {
  Step step{.op = node.op, .node = node.name, .module_path = node.module_path};
  choose(node, step);
  for (size_t i = 0; i < node.inputs.size(); ++i) {
    const ValueId id = node.inputs[i];
    const bool kept = id != kNone && constant(id).defined() && step.kernel && step.kernel->keeps_constant(i);
    step.inputs.push_back(id == kNone || kept ? Step::kAbsent : slot_of(id));
  }
  for (ValueId id : node.outputs) step.outputs.push_back(id == kNone ? Step::kAbsent : slot_of(id));
  while (step.outputs.back() == Step::kAbsent) step.outputs.pop_back();
  plan_.steps_.push_back(std::move(step));
}

void PlanBuilder::add_copy(ValueId from, size_t output) {
  const int32_t source = slot_of(from);
  Slot target = plan_.slot(source);
  target.home = Slot::output;
  target.index = output;
  target.value = {};
  plan_.outputs_[output] = add_slot(std::move(target), kNone);
  plan_.steps_.push_back({.op = Identity{},
                          .node = value(from).name,
                          .kernel_name = "copy",
                          .inputs = {source},
                          .outputs = {plan_.outputs_[output]}});
}

KernelRequest::Operand PlanBuilder::operand(ValueId id) const {
  if (id == kNone) return {};
  const auto v = static_cast<size_t>(id);
  return {at_.dtypes[v], at_.dims[v], at_.constants[v]};
}

void PlanBuilder::choose(const Node& node, Step& step) {
  std::vector<KernelRequest::Operand> inputs, outputs;
  for (ValueId id : node.inputs) inputs.push_back(operand(id));
  for (ValueId id : node.outputs) outputs.push_back(operand(id));
  while (outputs.back().dtype == DType::undefined) outputs.pop_back();
  KernelRequest request{.inputs = inputs, .outputs = outputs, .arithmetic = arithmetic_, .clamp = node.clamp};
  KernelChoice choice = choose_kernel(node.op, request);
  step.refusals = std::move(choice.refusals);
  if (!choice.kernel && node.clamp) {
    request.clamp.reset();
    choice = choose_kernel(node.op, request);
  }
  if (!choice.applies_clamp) step.clamp = node.clamp;
  step.kernel_name = choice.name;
  step.kernel = std::move(choice.kernel);
  if (step.kernel) step.workspace_bytes = step.kernel->workspace_bytes();
}

int32_t PlanBuilder::slot_of(ValueId id) {
  const auto v = static_cast<size_t>(id);
  if (slot_[v] >= 0) return slot_[v];
  Slot slot{.name = value(id).name, .dtype = at_.dtypes[v], .dims = at_.dims[v]};
  const auto r = static_cast<size_t>(root(id));
  if (constant(id).defined()) {
    slot.home = Slot::constant;
    slot.value = constant(id);
  } else if (input_of_[r] >= 0) {
    slot.home = Slot::input;
    slot.index = static_cast<size_t>(input_of_[r]);
  } else if (output_of_[r] >= 0) {
    slot.home = Slot::output;
    slot.index = static_cast<size_t>(output_of_[r]);
  }
  return slot_[v] = add_slot(std::move(slot), root(id));
}

int32_t PlanBuilder::add_slot(Slot slot, ValueId root) {
  slot.memory = root == kNone ? static_cast<int32_t>(graph_.values.size() + plan_.slots_.size()) : root;
  plan_.slots_.push_back(std::move(slot));
  slot_root_.push_back(root);
  return static_cast<int32_t>(plan_.slots_.size()) - 1;
}

void PlanBuilder::lay_out() {
  std::vector<Lifetime> buffers;
  std::vector<int32_t> buffer_of(graph_.values.size(), -1);  // per root
  const auto touch = [&](int32_t id, size_t step) {
    if (id == Step::kAbsent || plan_.slot(id).home != Slot::arena) return;
    int32_t& buffer = buffer_of[static_cast<size_t>(slot_root_[static_cast<size_t>(id)])];
    if (buffer < 0) {
      buffer = static_cast<int32_t>(buffers.size());
      buffers.push_back({plan_.slot(id).bytes(), step, step});
    }
    buffers[static_cast<size_t>(buffer)].last = step;
  };
  for (size_t s = 0; s < plan_.steps_.size(); ++s) {
    for (int32_t id : plan_.steps_[s].inputs) touch(id, s);
    for (int32_t id : plan_.steps_[s].outputs) touch(id, s);
  }
  const size_t values = buffers.size();
  for (size_t s = 0; s < plan_.steps_.size(); ++s) buffers.push_back({plan_.steps_[s].workspace_bytes, s, s});
  const ArenaLayout layout = lay_out_arena(buffers);
  for (size_t i = 0; i < plan_.slots_.size(); ++i)
    if (plan_.slots_[i].home == Slot::arena)
      plan_.slots_[i].offset = layout.offsets[static_cast<size_t>(buffer_of[static_cast<size_t>(slot_root_[i])])];
  for (size_t s = 0; s < plan_.steps_.size(); ++s) plan_.steps_[s].workspace_offset = layout.offsets[values + s];
  plan_.arena_bytes_ = layout.bytes;
}

Plan make_plan(const OptimizedGraph& graph, Signature signature) {
  return PlanBuilder(graph, std::move(signature)).build();
}

}  // namespace onemodel

#include "runtime/program.h"

#include <algorithm>

#include "graph/container_ops.h"
#include "ops/infer.h"
#include "ops/kernel.h"
#include "runtime/run_container_op.h"
#include "runtime/run_control_flow.h"

namespace onemodel {
namespace {

Item of(std::span<const Item> values, ValueId id) { return id == kNone ? Item() : values[static_cast<size_t>(id)]; }

std::vector<Item> gather(std::span<const Item> values, std::span<const ValueId> ids) {
  std::vector<Item> out;
  for (ValueId id : ids) out.push_back(of(values, id));
  return out;
}

std::vector<Tensor> tensors_of(std::span<const Item> items) {
  std::vector<Tensor> out;
  for (const Item& item : items) out.push_back(item.tensor);
  return out;
}

// A node whose results' sizes depend on values: they are inferred from the values.
std::vector<Tensor> evaluate_alone(const Node& node, std::span<const Tensor> inputs) {
  std::vector<TensorType> types;
  for (const Tensor& input : inputs)
    types.push_back(input.defined() ? TensorType{input.dtype(), Shape(input.dims())} : TensorType{});
  InferContext context(node.op.traits(), types, inputs, node.outputs.size());
  infer(node.op, context);
  std::vector<Tensor> outputs;
  for (size_t i = 0; i < node.outputs.size(); ++i) {
    const TensorType& type = context.outputs()[i];
    outputs.push_back(node.outputs[i] == kNone ? Tensor() : Tensor::empty(type.shape.dims(), type.dtype));
  }
  evaluate(node.op, inputs, outputs);
  return outputs;
}

}  // namespace

class Program::Part {
 public:
  Part(Piece piece, const SessionOptions& options, Scratch& scratch)
      : piece_(std::move(piece)), options_(options), scratch_(scratch) {}

  std::span<const ValueId> inputs() const { return piece_.inputs; }
  std::span<const ValueId> outputs() const { return piece_.outputs; }

  void run(std::vector<Item>& values, const RunOptions& options, const Wanted& wanted) {
    const std::vector<Tensor> inputs = tensors_of(gather(values, piece_.inputs));
    std::vector<Tensor> outputs(piece_.outputs.size());
    segment_for(inputs).run(inputs, outputs, options, wanted);
    for (size_t i = 0; i < outputs.size(); ++i) values[static_cast<size_t>(piece_.outputs[i])] = outputs[i];
  }

  size_t plan_count() const {
    size_t count = 0;
    for (const auto& segment : segments_) count += segment->plan_count();
    return count;
  }
  std::string describe() const {
    std::string out;
    for (const auto& segment : segments_) out += segment->describe();
    return out;
  }

 private:
  // Declared sizes may be missing, or hold for another iteration: what is fed decides, as to element type and rank.
  Segment& segment_for(std::span<const Tensor> inputs) {
    for (auto at = segments_.begin(); at != segments_.end(); ++at) {
      if (!fits((*at)->contract(), inputs)) continue;
      std::rotate(segments_.begin(), at, at + 1);
      return *segments_.front();
    }
    if (segments_.size() == options_.plan_cache) segments_.pop_back();
    segments_.insert(segments_.begin(), std::make_unique<Segment>(typed(inputs), options_, scratch_));
    return *segments_.front();
  }

  static bool fits(const InputContract& contract, std::span<const Tensor> inputs) {
    for (size_t i = 0; i < inputs.size(); ++i) {
      const ValueInfo& info = contract.inputs()[i];
      if (info.dtype != inputs[i].dtype() || info.shape.rank() != inputs[i].rank()) return false;
      for (size_t axis = 0; axis < inputs[i].rank(); ++axis)
        if (info.shape[axis].is_number() && info.shape[axis].number() != inputs[i].dims()[axis]) return false;
    }
    return true;
  }

  // Sizes that were declared and are met stay numbers; the others may change, unless ranks follow from one of them.
  Graph typed(std::span<const Tensor> inputs) const {
    Graph graph = typed(inputs, true);
    return has_all_types(graph) ? std::move(graph) : typed(inputs, false);
  }

  Graph typed(std::span<const Tensor> inputs, bool sizes_change) const {
    Graph graph = piece_.graph;
    for (Value& value : graph.values)
      if (value.producer != kNone) value.type = {};
    for (size_t i = 0; i < inputs.size(); ++i) {
      Value& value = graph.value(graph.inputs[i]);
      const Shape declared = value.type.shape;
      value.type = {inputs[i].dtype(), Shape(inputs[i].dims())};
      for (size_t axis = 0; axis < inputs[i].rank() && sizes_change; ++axis)
        if (declared.rank() != inputs[i].rank() || !(declared[axis] == value.type.shape[axis]))
          value.type.shape[axis] = Extent::symbol(concat(value.name, "_dim_", axis));
    }
    infer_types(graph);
    return graph;
  }

  Piece piece_;
  const SessionOptions& options_;
  Scratch& scratch_;
  std::vector<std::unique_ptr<Segment>> segments_;  // the last used first
};

Program::~Program() = default;

Program::Program(Graph graph, const SessionOptions& options, Scratch& scratch)
    : options_(options), scratch_(scratch), inputs_(graph.inputs), outputs_(graph.outputs) {
  for (ValueId id : outputs_) output_types_.push_back(graph.value(id).type);
  std::vector<Stage> stages = split(graph);
  if (stages.size() == 1 && stages[0].alone.empty() && has_all_types(graph)) {
    whole_ = std::make_unique<Segment>(std::move(graph), options_, scratch_);
    return;
  }
  verify(graph);
  for (const Value& value : graph.values) constants_.push_back(value.constant);
  for (ValueId id : outputs_) names_.push_back(concat("model '", graph.name, "': output '", graph.value(id).name, "'"));
  for (Stage& stage : stages) {
    Step& step = steps_.emplace_back();
    if (!stage.piece.graph.nodes.empty())
      step.part = std::make_unique<Part>(std::move(stage.piece), options_, scratch_);
    for (NodeId id : stage.alone) {
      Lone& lone = step.alone.emplace_back(Lone{graph.node(id), {}, handles_containers(graph, graph.node(id))});
      for (auto& body : lone.node.bodies) lone.bodies.push_back(std::make_unique<Program>(*body, options_, scratch_));
      lone.node.bodies.clear();
    }
  }
  find_last_uses();
}

void Program::find_last_uses() {
  std::vector<bool> is_kept(constants_.size());
  for (ValueId id : outputs_) is_kept[static_cast<size_t>(id)] = true;
  for (size_t s = steps_.size(); s-- > 0;) {
    Step& step = steps_[s];
    const auto use = [&](std::span<const ValueId> ids) {
      for (ValueId id : ids) {
        if (id == kNone || is_kept[static_cast<size_t>(id)]) continue;
        is_kept[static_cast<size_t>(id)] = true;
        step.last_uses.push_back(id);
      }
    };
    if (step.part) use(step.part->inputs());
    for (const Lone& lone : step.alone) use(lone.node.inputs);
  }
}

// Backwards from what is wanted. A part that runs asks for all that it reads.
std::vector<Program::Selected> Program::select(const Wanted& wanted) const {
  std::vector<bool> is_needed(constants_.size());
  const auto need = [&](std::span<const ValueId> ids) {
    for (ValueId id : ids)
      if (id != kNone) is_needed[static_cast<size_t>(id)] = true;
  };
  const auto needed = [&](ValueId id) { return id != kNone && is_needed[static_cast<size_t>(id)]; };
  for (size_t i = 0; i < outputs_.size(); ++i)
    if (wanted[i]) need(std::span(outputs_).subspan(i, 1));
  std::vector<Selected> out(steps_.size());
  for (size_t s = steps_.size(); s-- > 0;) {
    const Step& step = steps_[s];
    for (const Lone& lone : step.alone) {
      const auto& results = lone.node.outputs;
      out[s].alone.push_back(std::any_of(results.begin(), results.end(), needed));
      if (out[s].alone.back()) need(lone.node.inputs);
    }
    if (!step.part) continue;
    for (ValueId id : step.part->outputs()) out[s].part.push_back(needed(id));
    out[s].has_part = std::find(out[s].part.begin(), out[s].part.end(), true) != out[s].part.end();
    if (out[s].has_part) need(step.part->inputs());
  }
  return out;
}

void Program::run_whole(std::span<const Item> inputs, std::span<Item> outputs, const RunOptions& options,
                        const Wanted& wanted) {
  std::vector<Tensor> results = tensors_of(outputs);
  whole_->run(tensors_of(inputs), results, options, wanted);
  for (size_t i = 0; i < outputs.size(); ++i) outputs[i] = results[i];
}

void Program::run(std::span<const Item> inputs, std::span<Item> outputs, const RunOptions& options,
                  const Wanted& wanted) {
  if (whole_) return run_whole(inputs, outputs, options, wanted);
  std::vector<Item> values = constants_;
  for (size_t i = 0; i < inputs.size(); ++i) {
    Item& value = values[static_cast<size_t>(inputs_[i])];
    value = inputs[i];
    if (value.tensor.defined()) value.tensor = value.tensor.contiguous();
  }
  const std::vector<Selected> selected = wanted.empty() ? std::vector<Selected>() : select(wanted);
  for (size_t s = 0; s < steps_.size(); ++s) {
    const Step& step = steps_[s];
    const Selected* only = selected.empty() ? nullptr : &selected[s];
    if (step.part && (!only || only->has_part)) step.part->run(values, options, only ? only->part : Wanted());
    for (size_t i = 0; i < step.alone.size(); ++i)
      if (!only || only->alone[i]) run_lone(step.alone[i], values, options);
    for (ValueId id : step.last_uses) values[static_cast<size_t>(id)] = {};
  }
  give(values, inputs, outputs, wanted);
}

void Program::run_lone(const Lone& lone, std::vector<Item>& values, const RunOptions& options) const {
  const Node& node = lone.node;
  const std::vector<Item> operands = gather(values, node.inputs);
  std::vector<Item> results;
  try {
    if (options.cancelled && options.cancelled())
      throw CancelledError(concat("cancelled before ", location(node.name, node.op, node.module_path)));
    if (!lone.bodies.empty())
      results = run_control_flow(node.op, operands, lone.bodies, node.outputs.size(), options);
    else if (lone.handles_containers)
      results.push_back(run_container_op(node.op, operands));
    else
      for (Tensor& result : evaluate_alone(node, tensors_of(operands))) results.emplace_back(std::move(result));
  } catch (CancelledError&) {
    throw;
  } catch (Error& error) {
    error.add_context(location(node.name, node.op, node.module_path));
    throw;
  }
  for (size_t i = 0; i < results.size(); ++i)
    if (node.outputs[i] != kNone) values[static_cast<size_t>(node.outputs[i])] = results[i];
  if (options.progress) options.progress(1, 1);
}

namespace {

bool shares_storage(const Item& a, const Item& b) {
  if (a.sequence)
    return std::any_of(a.sequence->begin(), a.sequence->end(), [&](const Tensor& x) { return shares_storage(x, b); });
  if (b.sequence) return shares_storage(b, a);
  return a.tensor.defined() && b.tensor.defined() && a.tensor.memory() == b.tensor.memory();
}

Item copy_of(const Item& item) {
  if (!item.sequence) return item.tensor.defined() ? Item(item.tensor.clone()) : Item();
  std::vector<Tensor> copies;
  for (const Tensor& tensor : *item.sequence) copies.push_back(tensor.clone());
  return copies;
}

}  // namespace

// What is an input, a constant or given twice is copied: outputs are the caller's own.
void Program::give(std::span<const Item> values, std::span<const Item> inputs, std::span<Item> outputs,
                   const Wanted& wanted) const {
  for (size_t i = 0; i < outputs.size(); ++i) {
    if (!wanted.empty() && !wanted[i]) continue;
    const Item value = of(values, outputs_[i]);
    if (outputs[i].tensor.defined()) {
      const Tensor& room = outputs[i].tensor;
      check<DTypeError>(value.tensor.defined() && room.dtype() == value.tensor.dtype(), names_[i], " is ", value,
                        ", got ", room, " to write into");
      check<ShapeError>(room.dims() == value.tensor.dims(), names_[i], " is ", value, ", got ", room, " to write into");
      Tensor(room).copy_from(value.tensor);
      continue;
    }
    const auto shares = [&](const Item& other) { return shares_storage(value, other); };
    const bool is_shared = std::any_of(inputs.begin(), inputs.end(), shares) ||
                           std::any_of(constants_.begin(), constants_.end(), shares) ||
                           std::any_of(outputs.begin(), outputs.begin() + static_cast<std::ptrdiff_t>(i), shares);
    outputs[i] = is_shared ? copy_of(value) : value;
  }
}

size_t Program::plan_count() const {
  if (whole_) return whole_->plan_count();
  size_t count = 0;
  for (const Step& step : steps_) {
    if (step.part) count += step.part->plan_count();
    for (const Lone& lone : step.alone)
      for (const auto& body : lone.bodies) count += body->plan_count();
  }
  return count;
}

std::string Program::describe() const {
  if (whole_) return whole_->describe();
  std::string out;
  for (const Step& step : steps_) {
    if (step.part) out += step.part->describe();
    for (const Lone& lone : step.alone) {
      out += concat(location(lone.node.name, lone.node.op, lone.node.module_path), '\n');
      for (const auto& body : lone.bodies) out += body->describe();
    }
  }
  return out;
}

}  // namespace onemodel

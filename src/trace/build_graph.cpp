#include "trace/build_graph.h"

#include <algorithm>
#include <map>
#include <set>

#include "eager/record.h"
#include "ops/reshape.h"
#include "trace/graph_constants.h"
#include "trace/shape_operand.h"

namespace onemodel {
namespace {

class Builder {
 public:
  Builder(std::span<const TraceInput> inputs, std::span<const TraceParameter> parameters)
      : inputs_(inputs),
        names_(model_.graph),
        constants_(model_.graph, names_, parameters),
        operands_(model_.graph, constants_) {}

  TracedModel build(std::span<const Tensor> outputs, std::span<const std::string> names,
                    std::span<const Tensor> watched, std::vector<std::string>& watched_names) {
    for (const TraceInput& input : inputs_) {
      const ValueId id = model_.graph.add_input(input.name, {input.tensor.dtype(), input.shape});
      values_[{state_of(input.tensor), 0}] = id;
      constants_.forbid(input.tensor);
      operands_.offer(id, input.shape);
      for (const Extent& extent : input.shape)
        if (!extent.is_number() && std::ranges::find(symbols_, extent) == symbols_.end()) symbols_.push_back(extent);
    }
    build(outputs);
    for (size_t i = 0; i < outputs.size(); ++i) output(outputs[i], names[i]);
    for (const Tensor& tensor : watched) watched_names.push_back(name_of(tensor));
    model_.graph.compact();
    verify(model_.graph);
    return std::move(model_);
  }

 private:
  using Key = std::pair<const void*, size_t>;

  static Key key_of(const Tensor& tensor) {
    const TensorState* state = state_of(tensor);
    return state->record ? Key{state->record.get(), state->output_index} : Key{state, 0};
  }

  using Records = std::map<uint64_t, const Record*>;  // by order of application

  // Every record that the roots need and that depends on an input, but for what makes the operands that are shapes: those
  // are made anew where they can be.
  Records needed(std::span<const Tensor> roots) const {
    Records records;
    std::vector<const Record*> pending;
    const auto visit = [&](const Tensor& tensor) {
      if (!tensor.defined() || !is_traced(tensor) || values_.contains(key_of(tensor))) return;
      const Record* record = state_of(tensor)->record.get();
      if (record && records.emplace(record->sequence, record).second) pending.push_back(record);
    };
    for (const Tensor& root : roots) visit(root);
    while (!pending.empty()) {
      const Record* record = pending.back();
      pending.pop_back();
      for (size_t i = 0; i < record->inputs.size(); ++i)
        if (!is_shape(*record, i)) visit(record->inputs[i]);
    }
    return records;
  }

  void build(std::span<const Tensor> roots) {
    const Records records = needed(roots);
    for (const auto& [sequence, record] : records) forbid_views(*record);
    for (const auto& [sequence, record] : records) add(*record);
  }

  ValueId value_of(const Tensor& traced) {
    if (!values_.contains(key_of(traced))) build(std::span(&traced, 1));
    return values_.at(key_of(traced));
  }

  // A result may itself be a view of a constant, as of an expanded one.
  void forbid_views(const Record& record) {
    for (const Tensor& output : record.outputs) {
      const auto is_source = [&](const Tensor& input) {
        return input.defined() && input.memory() == output.memory();  // of which it is known already
      };
      if (std::ranges::none_of(record.inputs, is_source)) constants_.forbid(output);
    }
  }

  // The symbolic shapes are on the traced tensors; a record knows them through those that use it.
  void add(const Record& record) {
    if (is_alias(record)) {
      values_[{&record, 0}] = values_.at(key_of(record.inputs[0]));
      return;
    }
    std::vector<ValueId> node_inputs;
    for (size_t i = 0; i < record.inputs.size(); ++i) {
      const Tensor& input = record.inputs[i];
      if (!input.defined())
        node_inputs.push_back(kNone);
      else if (is_shape(record, i) && (!is_traced(input) || operands_.can_make(record.output_shapes.front())))
        node_inputs.push_back(
            operands_.operand(record.output_shapes.front(), record.op.is<Reshape>(), record.module_path));
      else if (is_traced(input))
        node_inputs.push_back(value_of(input));
      else
        node_inputs.push_back(constants_.capture(record, i));
    }
    std::vector<TensorType> types;
    for (size_t i = 0; i < record.outputs.size(); ++i)
      types.push_back({record.outputs[i].dtype(), record.output_shapes[i]});
    const std::vector<ValueId> made = append(record.op, std::move(node_inputs), types, record.module_path);
    warn_about(record, model_.graph.nodes.back().name);
    for (size_t i = 0; i < made.size(); ++i) {
      values_[{&record, i}] = made[i];
      operands_.offer(made[i], types[i].shape);
    }
  }

  static bool is_shape(const Record& record, size_t i) {
    return record.op.traits().info.shape_operand == static_cast<int>(i);
  }

  // Whether the result is its first input under another handle.
  bool is_alias(const Record& record) const {
    const OpTraits& traits = record.op.traits();
    if (record.outputs.size() != 1 || record.inputs.empty() || !is_traced(record.inputs[0])) return false;
    const Tensor& in = record.inputs[0];
    const Tensor& out = record.outputs[0];
    if (!(state_of(in)->symbolic_shape == record.output_shapes[0]) || in.dtype() != out.dtype()) return false;
    return traits.info.keeps_elements || (traits.has_view && in.memory() == out.memory() &&
                                          in.offset() == out.offset() && in.strides() == out.strides());
  }

  std::vector<ValueId> append(Op op, std::vector<ValueId> node_inputs, std::span<const TensorType> types,
                              const std::string& module_path) {
    Graph& graph = model_.graph;
    const std::string name = names_.unique(concat(op.name(), "_", graph.nodes.size()));
    std::vector<ValueId> made;
    for (size_t i = 0; i < types.size(); ++i) {
      const std::string stem = types.size() == 1 ? name + "_out" : concat(name, "_", op.traits().outputs[i]);
      graph.values.push_back(
          {.name = names_.unique(stem), .type = types[i], .producer = static_cast<NodeId>(graph.nodes.size())});
      made.push_back(static_cast<ValueId>(graph.values.size()) - 1);
    }
    graph.nodes.push_back({std::move(op), std::move(node_inputs), made, name, module_path});
    return made;
  }

  std::string name_of(const Tensor& tensor) const {
    if (!tensor.defined()) return {};
    const auto found = is_traced(tensor) ? values_.find(key_of(tensor)) : values_.end();
    const ValueId id = found != values_.end() ? found->second : constants_.find(tensor);
    return id == kNone ? std::string() : model_.graph.value(id).name;
  }

  void output(const Tensor& tensor, const std::string& name) {
    Graph& graph = model_.graph;
    ValueId id = values_.at(key_of(tensor));
    if (graph.value(id).producer == kNone || graph.is_output(id))
      id = append(Identity{}, {id}, std::vector{graph.value(id).type}, {}).front();
    const ValueId holder = graph.find_value(name);
    if (holder != kNone && holder != id) graph.value(holder).name = names_.unique(name + "_value");
    graph.value(id).name = name;
    names_.take(name);
    graph.outputs.push_back(id);
  }

  // What inference had to choose, and a fixed size that equals a symbol's example size can be mistaken for it.
  void warn_about(const Record& record, const std::string& node) {
    const std::string& path = record.module_path;
    const std::string where = concat("node '", node, "'", path.empty() ? "" : concat(" in module '", path, "'"));
    for (const std::string& warning : record.warnings) model_.warnings.push_back(concat(where, ": ", warning));
    for (const Shape& shape : record.output_shapes)
      for (const Extent& fixed : shape)
        if (fixed.is_number()) warn_about(shape, fixed, where);
  }

  void warn_about(const Shape& shape, const Extent& fixed, const std::string& where) {
    for (const Extent& symbol : symbols_)
      if (symbol.example() == fixed.number() && warned_.insert(symbol.text()).second)
        model_.warnings.push_back(concat("symbol '", symbol, "' has example size ", fixed,
                                         ", which is also a fixed size of ", shape, ", made by ", where,
                                         "; a reshape may mistake one for the other: choose another example size"));
  }

  TracedModel model_;
  std::span<const TraceInput> inputs_;
  GraphNames names_;
  TraceConstants constants_;
  ShapeOperands operands_;
  std::map<Key, ValueId> values_;
  std::vector<Extent> symbols_;  // sizes of the inputs
  std::set<std::string> warned_;
};

}  // namespace

TracedModel build_graph(std::span<const TraceInput> inputs, std::span<const TraceParameter> parameters,
                        std::span<const Tensor> outputs, std::span<const std::string> names) {
  std::vector<std::string> none;
  return build_graph(inputs, parameters, outputs, names, {}, none);
}

TracedModel build_graph(std::span<const TraceInput> inputs, std::span<const TraceParameter> parameters,
                        std::span<const Tensor> outputs, std::span<const std::string> names,
                        std::span<const Tensor> watched, std::vector<std::string>& watched_names) {
  return Builder(inputs, parameters).build(outputs, names, watched, watched_names);
}

}  // namespace onemodel

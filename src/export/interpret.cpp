#include "export/interpret.h"

#include <utility>

#include "eager/apply.h"
#include "runtime/specialise.h"

namespace onemodel {
namespace {

// The last node that reads each value; the number of nodes for what lasts to the end.
std::vector<size_t> last_uses(const Graph& graph) {
  std::vector<size_t> last(graph.values.size(), 0);
  for (size_t n = 0; n < graph.nodes.size(); ++n)
    for (const ValueId id : graph.nodes[n].inputs)
      if (id != kNone) last[static_cast<size_t>(id)] = n;
  for (const ValueId id : graph.outputs) last[static_cast<size_t>(id)] = graph.nodes.size();
  return last;
}

}  // namespace

std::vector<Tensor> run_node(const Node& node, std::span<const Tensor> inputs) {
  check(node.bodies.empty() && !node.clamp, node.op.name(), ": only a session runs this node");
  return apply(node.op, inputs, node.outputs.size());
}

std::vector<Tensor> interpret(const Graph& graph, std::span<const Tensor> inputs, const NodeRunner& runner,
                              std::vector<Tensor>* seen) {
  check(inputs.size() == graph.inputs.size(), "program '", graph.name, "': ", graph.inputs.size(),
        " inputs were expected, got ", inputs.size());
  std::vector<Tensor> values(graph.values.size());
  for (size_t i = 0; i < values.size(); ++i) values[i] = graph.values[i].constant;
  for (size_t i = 0; i < inputs.size(); ++i) values[static_cast<size_t>(graph.inputs[i])] = inputs[i];
  const std::vector<size_t> last = last_uses(graph);
  const auto value = [&](ValueId id) -> Tensor& { return values[static_cast<size_t>(id)]; };
  for (size_t n = 0; n < graph.nodes.size(); ++n) {
    const Node& node = graph.nodes[n];
    std::vector<Tensor> operands;
    for (const ValueId id : node.inputs) operands.push_back(id == kNone ? Tensor() : value(id));
    std::vector<Tensor> made;
    try {
      made = runner(node, operands);
    } catch (Error& error) {
      error.add_context(location(node.name, node.op, node.module_path));
      throw;
    }
    for (size_t i = 0; i < node.outputs.size(); ++i)
      if (node.outputs[i] != kNone) value(node.outputs[i]) = std::move(made[i]);
    if (seen) continue;
    for (const ValueId id : node.inputs)
      if (id != kNone && last[static_cast<size_t>(id)] == n) value(id) = Tensor();
  }
  std::vector<Tensor> out;
  for (const ValueId id : graph.outputs) out.push_back(value(id));
  if (seen) *seen = std::move(values);
  return out;
}

}  // namespace onemodel

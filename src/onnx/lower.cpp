#include "onnx/lower.h"

#include <cmath>

#include "graph/control_flow.h"
#include "onnx/name_pool.h"
#include "ops/binary.h"
#include "ops/clip.h"
#include "ops/fused_matmul.h"
#include "ops/matmul.h"
#include "ops/shape.h"
#include "ops/unary.h"

namespace onemodel {
namespace {

class Lowering {
 public:
  explicit Lowering(const Graph& graph) : graph_(graph) {
    graph_.nodes.clear();
    for (const Value& value : graph_.values) value_names_.take(value.name);
    for (const Node& node : graph.nodes) node_names_.take(node.name);
  }

  void add(Node node) {
    if (const Constant* constant = node.op.as<Constant>()) {
      Value& value = graph_.value(node.outputs[0]);
      value.constant = constant->tensor();
      value.producer = kNone;
      return;
    }
    const std::optional<Clamp> clamp = std::exchange(node.clamp, {});
    if (clamp) {
      Node bound = node;
      node.outputs[0] = new_value(node.outputs[0], "unbounded");
      bound.outputs = {bound.outputs[0]};
      set_clamp(bound, *clamp, node.outputs[0]);
      add_unclamped(std::move(node));
      append(std::move(bound));
    } else {
      add_unclamped(std::move(node));
    }
  }

  Graph finish() {
    if (!refused_.empty()) throw ModelError("Unsupported", concat("the graph cannot be written as ONNX: ", refused_));
    return std::move(graph_);
  }

 private:
  void add_unclamped(Node node) {
    if (const Scan* scan = node.op.as<Scan>(); scan && scan->batched)
      refused_ += concat(refused_.empty() ? "" : "; ", "node '", node.name, "': Scan has the form of opset 8");
    for (auto& body : node.bodies) body = std::make_shared<const Graph>(lower_to_onnx(*body));
    if (node.op.is<FusedMatMul>()) {
      Node product{
          MatMul{}, {node.inputs[0], node.inputs[1]}, {}, node_names_.unique(node.name + "_product"), node.module_path};
      product.outputs = {new_value(node.outputs[0], "product")};
      Node sum{Add{}, {product.outputs[0], node.inputs[2]}, node.outputs, node.name, node.module_path};
      append(std::move(product));
      append(std::move(sum));
      return;
    }
    if (node.op.traits().info.internal)
      refused_ +=
          concat(refused_.empty() ? "" : "; ", "node '", node.name, "': ", node.op.name(), " is no ONNX operator");
    append(std::move(node));
  }

  // Turns `node` into the bound on `input`.
  void set_clamp(Node& node, const Clamp& clamp, ValueId input) {
    node.name = node_names_.unique(node.name + "_bound");
    node.inputs = {input};
    if (clamp.min == 0 && std::isinf(clamp.max) && clamp.max > 0) {
      node.op = Relu{};
      return;
    }
    node.op = Clip{};
    for (const float bound : {clamp.min, clamp.max})
      node.inputs.push_back(std::isinf(bound) ? kNone : new_bound(node, bound));
    while (node.inputs.back() == kNone) node.inputs.pop_back();
  }

  ValueId new_bound(const Node& node, float bound) {
    const DType dtype = graph_.value(node.outputs[0]).type.dtype;
    Value value{.name = value_names_.unique(node.name + "_limit"),
                .type = {dtype, {}},
                .constant = Tensor::full({}, bound, dtype)};
    graph_.values.push_back(std::move(value));
    return static_cast<ValueId>(graph_.values.size()) - 1;
  }

  // A value like `id`, to stand between the nodes that replace one.
  ValueId new_value(ValueId id, std::string_view suffix) {
    Value value{.name = value_names_.unique(concat(graph_.value(id).name, "_", suffix)), .type = graph_.value(id).type};
    graph_.values.push_back(std::move(value));
    return static_cast<ValueId>(graph_.values.size()) - 1;
  }

  void append(Node node) {
    for (const ValueId id : node.outputs)
      if (id != kNone) graph_.value(id).producer = static_cast<NodeId>(graph_.nodes.size());
    graph_.nodes.push_back(std::move(node));
  }

  Graph graph_;
  NamePool value_names_, node_names_;
  std::string refused_;
};

}  // namespace

Graph lower_to_onnx(const Graph& graph) {
  Lowering lowering(graph);
  for (const Node& node : graph.nodes) lowering.add(node);
  return lowering.finish();
}

}  // namespace onemodel

#include "onnx/lower.h"

#include <cmath>

#include "graph/control_flow.h"
#include "onnx/lower_fused.h"
#include "ops/clip.h"
#include "ops/shape.h"
#include "ops/unary.h"

namespace onemodel {
namespace {

class Lowering {
 public:
  explicit Lowering(const Graph& graph) : graph_(graph) {}

  void add(Node node) {
    if (const Constant* constant = node.op.as<Constant>())
      return graph_.make_constant(node.outputs[0], constant->tensor());
    const std::optional<Clamp> clamp = std::exchange(node.clamp, {});
    if (clamp) {
      Node bound = node;
      node.outputs[0] = graph_.new_value(node.outputs[0], "unbounded");
      bound.outputs = {bound.outputs[0]};
      set_clamp(bound, *clamp, node.outputs[0]);
      add_unclamped(std::move(node));
      graph_.append(std::move(bound));
    } else {
      add_unclamped(std::move(node));
    }
  }

  Graph finish() {
    if (!refused_.empty()) throw ModelError("Unsupported", concat("the graph cannot be written as ONNX: ", refused_));
    return std::move(graph_).finish();
  }

 private:
  void add_unclamped(Node node) {
    if (const Scan* scan = node.op.as<Scan>(); scan && scan->batched) refuse(node, "Scan has the form of opset 8");
    for (auto& body : node.bodies) body = std::make_shared<const Graph>(lower_to_onnx(*body));
    if (node.op.traits().info.internal) {
      if (lower_fused(graph_, node)) return;
      refuse(node, concat(node.op.name(), " is no ONNX operator"));
    }
    graph_.append(std::move(node));
  }

  void refuse(const Node& node, std::string_view reason) {
    refused_ += concat(refused_.empty() ? "" : "; ", "node '", node.name, "': ", reason);
  }

  // Turns `node` into the bound on `input`.
  void set_clamp(Node& node, const Clamp& clamp, ValueId input) {
    node.name = graph_.unique_node_name(node.name + "_bound");
    node.inputs = {input};
    if (clamp.min == 0 && std::isinf(clamp.max) && clamp.max > 0) {
      node.op = Relu{};
      return;
    }
    node.op = Clip{};
    const DType dtype = graph_.value(node.outputs[0]).type.dtype;
    for (const float bound : {clamp.min, clamp.max})
      node.inputs.push_back(graph_.add_constant(node, "limit", Tensor::full({}, static_cast<double>(bound), dtype)));
  }

  LoweredGraph graph_;
  std::string refused_;
};

}  // namespace

Graph lower_to_onnx(const Graph& graph) {
  Lowering lowering(graph);
  for (const Node& node : graph.nodes) lowering.add(node);
  return lowering.finish();
}

}  // namespace onemodel

#include "graph/sample_graph.h"

namespace onemodel {

Graph graph_of(const Sample& sample) {
  Graph graph;
  std::vector<ValueId> operands;
  const OpTraits& traits = sample.op.traits();
  for (size_t i = 0; i < sample.inputs.size(); ++i) {
    const Tensor& tensor = sample.inputs[i];
    if (!tensor.defined())
      operands.push_back(kNone);
    else if (graph.inputs.empty() && !traits.input(i).is_shape_data)
      operands.push_back(graph.add_input("x", {tensor.dtype(), Shape(tensor.dims())}));
    else
      operands.push_back(graph.add_constant(concat("c", i), tensor, ConstantKind::parameter));
  }
  graph.outputs = graph.add_node(sample.op, operands, "node", sample.outputs, "outer.inner");
  return graph;
}

}  // namespace onemodel

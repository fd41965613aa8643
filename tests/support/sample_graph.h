#pragma once
// The sample calls of operators as graphs of one node.

#include <gtest/gtest.h>

#include "graph/graph.h"
#include "support/operator_case.h"

namespace onemodel::test {

/// The sample's first operand that carries values is a graph input; the others are constants.
inline Graph sample_graph(const Sample& sample) {
  Graph graph;
  graph.metadata["sample"] = describe(sample);
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

/// Calls f with the graph of every sample that runs.
template <class F>
void each_sample_graph(const OperatorCase& operator_case, F&& f) {
  for (const Sample& sample : operator_case.samples) {
    if (!sample.error.empty()) continue;
    SCOPED_TRACE(describe(sample));
    f(sample_graph(sample));
  }
}

}  // namespace onemodel::test

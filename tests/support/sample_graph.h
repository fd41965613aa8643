#pragma once
// The sample calls of operators as graphs of one node.

#include <gtest/gtest.h>

#include "graph/sample_graph.h"
#include "support/operator_case.h"

namespace onemodel::test {

inline Graph sample_graph(const Sample& sample) {
  Graph graph = graph_of(sample);
  graph.metadata["sample"] = describe(sample);
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

#include "trace/graph_names.h"

#include <gtest/gtest.h>

#include "ops/unary.h"

namespace onemodel {
namespace {

// The same names as the graph's own, whoever appends.
TEST(GraphNames, AreThoseThatTheGraphWouldGive) {
  Graph graph;
  GraphNames names(graph);
  graph.add_input("x", {DType::f32, Shape{2}});
  for (int i = 0; i < 50; ++i) {
    const std::string stem = i % 3 == 0 ? "x" : i % 3 == 1 ? "x_1" : "y";
    const std::string name = names.unique(stem);
    EXPECT_EQ(name, graph.unique_name(stem));
    if (i % 2 == 0)
      graph.add_constant(name, Tensor::zeros({1}));
    else
      graph.add_node(Relu{}, {0}, name);
  }
  names.take("z");
  EXPECT_EQ(names.unique("z"), "z_1");
  EXPECT_EQ(names.unique("z"), "z_1") << "nothing has it yet";
}

}  // namespace
}  // namespace onemodel

#include <gtest/gtest.h>

#include "ops/batch_normalization.h"
#include "ops/binary.h"
#include "ops/conv.h"
#include "ops/matmul.h"
#include "ops/pool.h"
#include "ops/reshape.h"
#include "ops/sample.h"
#include "ops/softmax.h"
#include "ops/unary.h"
#include "passes/pipeline.h"
#include "support/error_text.h"
#include "support/graphs.h"

namespace onemodel::test {
namespace {

// Conv, BatchNormalization, Relu, a residual sum, pooling, and a classifier.
Graph small_network() {
  Graph graph;
  graph.name = "net";
  const ValueId x = graph.add_input("x", {DType::f32, {Extent::symbol("batch"), 4, 6, 6}});
  const auto weights = [&](const Dims& dims) { return graph.add_constant("w", sample_values(dims, -0.5, 0.5)); };
  const ValueId conv = add(graph, Conv{.pads = {1, 1, 1, 1}}, {x, weights({4, 4, 3, 3})}, "conv");
  const ValueId norm =
      add(graph, BatchNormalization{},
          {conv, weights({4}), weights({4}), weights({4}), graph.add_constant("variance", sample_values({4}, 0.5, 1))},
          "norm");
  const ValueId sum = add(graph, Relu{}, {add(graph, Add{}, {add(graph, Relu{}, {norm}), x}, "residual")});
  const ValueId pooled = add(graph, Identity{}, {add(graph, GlobalAveragePool{}, {sum}, "pool")});
  const ValueId flat = add(graph, Flatten{}, {pooled}, "flatten");
  const ValueId logits = add(graph, Add{}, {add(graph, MatMul{}, {flat, weights({4, 3})}, "fc"), weights({3})});
  graph.outputs = {add(graph, Softmax{}, {logits}, "y")};
  return graph;
}

TEST(Optimize, FusesANetworkToItsKernels) {
  const Graph graph = small_network();
  const OptimizedGraph after = optimize(graph);
  EXPECT_EQ(operators(after.graph()), "Conv Add GlobalAveragePool Flatten FusedMatMul Softmax");
  EXPECT_TRUE(same_results(graph, after.graph(), 1e-6));
}

TEST(Optimize, KeepsEveryBitInExactArithmetic) {
  const Graph graph = small_network();
  EXPECT_TRUE(same_results(graph, optimize(graph, {.arithmetic = Arithmetic::exact}).graph()));
}

TEST(Optimize, StopsAfterTheGivenNumberOfPatches) {
  const Graph graph = small_network();
  const OptimizedGraph all = optimize(graph);
  for (int64_t limit = 0; limit <= static_cast<int64_t>(all.log().size()); ++limit) {
    const OptimizedGraph some = optimize(graph, {.max_patches = limit});
    EXPECT_EQ(static_cast<int64_t>(some.log().size()), limit);
    EXPECT_TRUE(std::equal(some.log().begin(), some.log().end(), all.log().begin()));
    EXPECT_TRUE(same_results(graph, some.graph(), 1e-6)) << "after patch " << limit;
  }
}

TEST(Optimize, LogsPassAndNode) {
  const OptimizedGraph after = optimize(small_network());
  EXPECT_NE(std::find(after.log().begin(), after.log().end(), "fold_batch_norm: norm"), after.log().end());
  EXPECT_NE(to_string(after).find("patch fold_batch_norm: norm"), std::string::npos);
}

TEST(Optimize, IsAFixpoint) {
  const OptimizedGraph once = optimize(small_network());
  EXPECT_TRUE(optimize(once.graph()).log().empty());
}

TEST(Optimize, KeepsModulePathsAndMetadata) {
  Graph graph = small_network();
  for (Node& node : graph.nodes) node.module_path = "features." + node.name;
  graph.metadata["author"] = "nobody";
  const Graph after = optimize(graph).graph();
  EXPECT_EQ(after.nodes[0].module_path, "features.conv");
  EXPECT_EQ(after.metadata.at("author"), "nobody");
  EXPECT_EQ(after.name, "net");
}

TEST(Optimize, KeepsInputsThatNothingReads) {
  Graph graph;
  const ValueId x = graph.add_input("x", {DType::f32, {2}});
  graph.add_input("unused", {DType::f32, {2}});
  graph.outputs = {add(graph, Neg{}, {x}, "y")};
  EXPECT_EQ(optimize(graph).graph().inputs.size(), 2u);
}

TEST(Optimize, RefusesAMalformedGraph) {
  Graph graph = small_network();
  std::swap(graph.nodes[0], graph.nodes[1]);
  EXPECT_ERROR(optimize(graph), ModelError, "not defined before its use");
}

}  // namespace
}  // namespace onemodel::test

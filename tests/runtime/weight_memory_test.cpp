// How often weights are in memory.

#include <gtest/gtest.h>

#include "core/storage.h"
#include "ops/conv.h"
#include "ops/gather.h"
#include "ops/matmul.h"
#include "ops/sample.h"
#include "runtime/session.h"
#include "support/graphs.h"

namespace onemodel::test {
namespace {

constexpr int64_t kRows = 512, kColumns = 256;

// Bytes that a session keeps besides scratch memory, after a run. The graph is gone by then.
int64_t bytes_kept(Graph graph, Arithmetic arithmetic) {
  const std::vector<Tensor> inputs = random_inputs(graph);
  const int64_t before = memory_counters().bytes;
  int64_t weights = 0;
  for (Value& value : graph.values)
    if (value.is_constant()) weights += static_cast<int64_t>(value.constant.bytes());
  Session session(std::move(graph), {.arithmetic = arithmetic});
  session.run(inputs);
  return memory_counters().bytes - before - static_cast<int64_t>(session.arena_bytes()) + weights;
}

Graph lookup(DType dtype) {
  Graph graph;
  const ValueId i = graph.add_input("i", {DType::i64, {3}});
  const ValueId table = graph.add_constant("table", sample_values({kRows, kColumns}, -1, 1, dtype));
  graph.outputs = {add(graph, Gather{}, {table, i}, "rows")};
  return graph;
}

Graph product(DType dtype) {
  Graph graph;
  const ValueId x = graph.add_input("x", {dtype, {2, kRows}});
  const ValueId w = graph.add_constant("w", sample_values({kRows, kColumns}, -1, 1, dtype));
  graph.outputs = {add(graph, MatMul{}, {x, w}, "y")};
  return graph;
}

Graph convolution(DType dtype) {
  Graph graph;
  const ValueId x = graph.add_input("x", {dtype, {1, 64, 5, 5}});
  const ValueId w = graph.add_constant("w", sample_values({128, 64, 4, 4}, -1, 1, dtype));
  graph.outputs = {add(graph, Conv{}, {x, w}, "y")};
  return graph;
}

constexpr int64_t kElements = kRows * kColumns;  // of each weight above
static_assert(kElements == 128 * 64 * 4 * 4);

TEST(WeightMemory, HalfPrecisionIsKeptOnceAndNeverWidened) {
  for (const DType dtype : {DType::f16, DType::bf16})
    for (const Arithmetic arithmetic : {Arithmetic::fast, Arithmetic::exact})
      for (Graph (*graph)(DType) : {lookup, product, convolution})
        EXPECT_LT(bytes_kept(graph(dtype), arithmetic), 2 * kElements + 1024);
}

TEST(WeightMemory, SingleStaticPlansKeepWhatKernelsHavePackedOnly) {
  for (const Arithmetic arithmetic : {Arithmetic::fast, Arithmetic::exact})
    for (Graph (*graph)(DType) : {lookup, product, convolution})
      EXPECT_LT(bytes_kept(graph(DType::f32), arithmetic), 4 * kElements + 1024);
}

}  // namespace
}  // namespace onemodel::test

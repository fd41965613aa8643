// Sessions: what one run costs beside its kernels, and models whose time is a few kernels.

#include <benchmark/benchmark.h>

#include "ops/binary.h"
#include "ops/conv.h"
#include "ops/matmul.h"
#include "ops/sample.h"
#include "ops/softmax.h"
#include "ops/unary.h"
#include "runtime/session.h"

namespace onemodel {
namespace {

ValueId add(Graph& graph, Op op, std::vector<ValueId> inputs) {
  return graph.add_node(std::move(op), std::move(inputs))[0];
}

ValueId weights(Graph& graph, const Dims& dims) { return graph.add_constant("w", sample_values(dims, -0.1, 0.1)); }

// Without operations the rate is runs per second.
void run(benchmark::State& state, const Graph& graph, double operations = 0) {
  Session session(graph);
  std::vector<Tensor> inputs;
  for (const ValueInfo& input : session.inputs()) inputs.push_back(sample_values(input.shape.dims()));
  std::vector<Tensor> outputs(session.outputs().size());
  for (auto _ : state) {
    for (Tensor& output : outputs) output = Tensor();
    session.run(inputs, std::span(outputs));
  }
  if (operations > 0)
    state.counters["FLOP/s"] = benchmark::Counter(operations, benchmark::Counter::kIsIterationInvariantRate);
}

void OneNode(benchmark::State& state) {
  Graph graph;
  graph.outputs = {add(graph, Neg{}, {graph.add_input("x", {DType::f32, {4}})})};
  run(state, graph);
}
BENCHMARK(OneNode);

void MatMulOf(benchmark::State& state) {
  const int64_t n = state.range(0);
  Graph graph;
  graph.outputs = {add(graph, MatMul{}, {graph.add_input("x", {DType::f32, {n, n}}), weights(graph, {n, n})})};
  run(state, graph, 2.0 * static_cast<double>(n * n * n));
}
BENCHMARK(MatMulOf)->Arg(256)->Arg(512)->Arg(1024)->Unit(benchmark::kMillisecond);

void Conv3x3(benchmark::State& state) {
  Graph graph;
  const ValueId x = graph.add_input("x", {DType::f32, {1, 64, 56, 56}});
  graph.outputs = {add(graph, Conv{.pads = {1, 1, 1, 1}}, {x, weights(graph, {64, 64, 3, 3})})};
  run(state, graph, 2.0 * 64 * 64 * 9 * 56 * 56);
}
BENCHMARK(Conv3x3)->Unit(benchmark::kMillisecond);

void ConvChain(benchmark::State& state) {
  Graph graph;
  ValueId x = graph.add_input("x", {DType::f32, {1, 64, 56, 56}});
  for (int i = 0; i < 4; ++i)
    x = add(graph, Relu{}, {add(graph, Conv{.pads = {1, 1, 1, 1}}, {x, weights(graph, {64, 64, 3, 3})})});
  graph.outputs = {x};
  run(state, graph, 4 * 2.0 * 64 * 64 * 9 * 56 * 56);
}
BENCHMARK(ConvChain)->Unit(benchmark::kMillisecond);

void Mlp(benchmark::State& state) {
  Graph graph;
  const ValueId x = graph.add_input("x", {DType::f32, {1, 784}});
  const ValueId hidden =
      add(graph, Add{}, {add(graph, MatMul{}, {x, weights(graph, {784, 256})}), weights(graph, {256})});
  const ValueId logits =
      add(graph, Add{},
          {add(graph, MatMul{}, {add(graph, Relu{}, {hidden}), weights(graph, {256, 10})}), weights(graph, {10})});
  graph.outputs = {add(graph, Softmax{}, {logits})};
  run(state, graph, 2.0 * (784 * 256 + 256 * 10));
}
BENCHMARK(Mlp)->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace onemodel

// om_measure_size_check: what a contract costs a run, in microseconds: the check of four inputs on its own, and runs of a
// small program with and without a contract.

#include <algorithm>
#include <chrono>
#include <cstdio>

#include "ops/binary.h"
#include "runtime/session.h"

using namespace onemodel;

namespace {

constexpr int kRounds = 25, kPerRound = 20000;

template <class F>
double microseconds(F&& once) {
  std::vector<double> times;
  for (int round = 0; round < kRounds; ++round) {
    const auto begin = std::chrono::steady_clock::now();
    for (int i = 0; i < kPerRound; ++i) once();
    const std::chrono::duration<double, std::micro> taken = std::chrono::steady_clock::now() - begin;
    times.push_back(taken.count() / kPerRound);
  }
  std::nth_element(times.begin(), times.begin() + kRounds / 2, times.end());
  return times[kRounds / 2];
}

// Sums of four inputs with ranges, equalities and a derived size.
Graph program() {
  const Extent batch = Extent::symbol("batch"), n = Extent::symbol("n");
  Graph graph;
  const auto input = [&](const char* name, Shape shape) {
    return graph.add_input(name, {DType::f32, std::move(shape)});
  };
  const ValueId x = input("x", {batch, n, 4}), y = input("y", {batch, n, 4});
  const ValueId z = input("z", {Extent(2) * n + 1, 4}), w = input("w", {Extent(2) * n + 1, 4});
  graph.outputs = {graph.add_node(Add{}, {x, y})[0], graph.add_node(Add{}, {z, w})[0]};
  graph.contract = std::make_shared<const SizeContract>(
      SizeContract{.ranges = {{"batch", 1, 64}, {"n", 2, 512}}, .relations = {{"2*n + 1", "n", 2, 1}}});
  return graph;
}

double run_time(const Graph& graph, std::span<const Tensor> inputs) {
  Session session(graph);
  std::vector<Tensor> outputs = session.run(inputs);
  return microseconds([&] { session.run(inputs, outputs); });
}

}  // namespace

int main() {
  const Graph with = program();
  Graph without = with;
  without.contract = nullptr;
  const std::vector<Tensor> inputs{Tensor::zeros({2, 3, 4}), Tensor::zeros({2, 3, 4}), Tensor::zeros({7, 4}),
                                   Tensor::zeros({7, 4})};
  std::vector<ValueInfo> infos;
  for (const ValueId id : with.inputs) {
    const Value& value = with.value(id);
    infos.push_back({value.name, value.type.dtype, value.type.shape, value.holds});
  }
  const SizeCheck size_check(infos, with.contract.get());
  bool holds = true;
  const double checked = microseconds([&] { holds &= size_check.holds(inputs); });
  std::printf("{\"check\": %.4f, \"run\": %.4f, \"runWithout\": %.4f}\n", checked, run_time(with, inputs),
              run_time(without, inputs));
  return holds ? 0 : 1;
}

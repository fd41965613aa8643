#pragma once
// Models of one input and one output, traced and held against themselves.

#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

#include "eager/apply.h"
#include "runtime/session.h"
#include "support/compare.h"
#include "trace/tracer.h"

namespace onemodel::test {

using Names = std::vector<std::string>;
using OneToOne = std::function<Tensor(const Tensor&)>;

/// -8, -7, … 8, -8, …
inline Tensor counting(const Dims& dims) {
  std::vector<float> values(static_cast<size_t>(numel(dims)));
  for (size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(i % 17) - 8;
  return Tensor::from(std::span<const float>(values), dims);
}

/// The trace of `model` at `example`, from input "x" to output "y".
inline TracedModel trace_one(const Tensor& example, const Names& axes, const OneToOne& model) {
  Tracer tracer = Tracer::begin();
  const Tensor output = model(tracer.input("x", example, axes));
  return tracer.finish(std::vector{output}, Names{"y"});
}

inline Names operator_names(const Graph& graph) {
  Names out;
  for (const Node& node : graph.nodes) out.emplace_back(node.op.name());
  return out;
}

/// An exact session gives, at all those sizes, the bits that the model gives eagerly.
inline void expect_agrees(const TracedModel& traced, const OneToOne& model, std::initializer_list<Dims> sizes,
                          Tensor (*make)(const Dims&) = counting) {
  Session session(traced.graph, {.arithmetic = Arithmetic::exact});
  set_eager_arithmetic(Arithmetic::exact);
  for (const Dims& dims : sizes) {
    const Tensor x = make(dims);
    const Tensor expected = model(x).detach();
    EXPECT_TRUE(same_bits(session.run(std::vector{x}).front(), expected)) << concat(dims) << to_string(traced.graph);
  }
  set_eager_arithmetic(Arithmetic::fast);
}

}  // namespace onemodel::test

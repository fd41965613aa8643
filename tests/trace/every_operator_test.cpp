// Every operator on its whole way: eager, traced, run as recorded, optimised, and reloaded from both files.

#include <gtest/gtest.h>

#include "eager/apply.h"
#include "eager/functions.h"
#include "format/read_onemodel.h"
#include "format/write_onemodel.h"
#include "onnx/read_onnx.h"
#include "onnx/write_onnx.h"
#include "runtime/session.h"
#include "support/compare.h"
#include "support/graphs.h"
#include "support/operator_case.h"
#include "trace/tracer.h"

namespace onemodel::test {
namespace {

class EveryOperator : public testing::TestWithParam<OperatorCase> {};

// One traced application of an operator, and what it gave eagerly.
struct Application {
  TracedModel traced;
  std::vector<Tensor> inputs, outputs;
};

bool traces_input(const Sample& sample, size_t i) {
  return sample.inputs[i].defined() && !sample.op.traits().input(i).is_shape_data;
}

Application trace_sample(const Sample& sample) {
  Application out;
  Tracer tracer = Tracer::begin();
  std::vector<Tensor> operands = sample.inputs;
  for (size_t i = 0; i < operands.size(); ++i) {
    if (!traces_input(sample, i)) continue;
    out.inputs.push_back(operands[i]);
    operands[i] = tracer.input(concat("x", i), operands[i]);
  }
  set_eager_arithmetic(Arithmetic::exact);
  out.outputs = apply(sample.op, operands, sample.outputs);
  set_eager_arithmetic(Arithmetic::fast);
  std::vector<std::string> names;
  for (size_t i = 0; i < out.outputs.size(); ++i) names.push_back(concat("y", i));
  out.traced = tracer.finish(out.outputs, names);
  return out;
}

// Nothing where the result's size depends on values, which a trace refuses.
std::optional<Application> trace_or_refuse(const Sample& sample) {
  try {
    return trace_sample(sample);
  } catch (const Error& error) {
    set_eager_arithmetic(Arithmetic::fast);
    EXPECT_NE(std::string_view(error.what()).find("size of the result depends on values"), std::string_view::npos)
        << error.what();
    return {};
  }
}

std::vector<Tensor> run_graph(const Graph& graph, const std::vector<Tensor>& inputs, const SessionOptions& options) {
  return Session(graph, options).run(inputs);
}

constexpr SessionOptions kExact{.arithmetic = Arithmetic::exact};

TEST_P(EveryOperator, GivesTheSameBitsOnEveryExactPath) {
  for (const Sample& sample : GetParam().samples) {
    bool has_input = false;
    for (size_t i = 0; i < sample.inputs.size(); ++i) has_input |= traces_input(sample, i);
    if (!sample.error.empty() || !has_input) continue;
    SCOPED_TRACE(describe(sample));
    if (!GetParam().traits->info.untraceable.empty()) {
      EXPECT_THROW(trace_sample(sample), TraceError);
      continue;
    }
    const auto application = trace_or_refuse(sample);
    if (!application) continue;
    const auto& [traced, inputs, expected] = *application;
    const Graph& graph = traced.graph;
    EXPECT_TRUE(same_tensors(run_graph(graph, inputs, {.arithmetic = Arithmetic::exact, .optimize = false}), expected));
    EXPECT_TRUE(same_tensors(run_graph(graph, inputs, kExact), expected)) << "optimised";
    const Graph reloaded = read_onemodel(write_onemodel(graph));
    EXPECT_TRUE(same_tensors(run_graph(reloaded, inputs, kExact), expected)) << "reloaded from .onemodel";
    const std::vector<Tensor> fast = run_graph(graph, inputs, {});
    EXPECT_TRUE(same_tensors(fast, expected, 1e-5)) << "fast";
    EXPECT_TRUE(same_tensors(run_graph(reloaded, inputs, {}), fast)) << "fast, reloaded from .onemodel";
    EXPECT_TRUE(same_tensors(run_graph(read_onnx(write_onnx(graph)), inputs, kExact), expected))
        << "reloaded from .onnx";
  }
}

// Applies the operator with operand `i`, which decides shapes, computed from an input: what it gives is refused, or what a
// session gives, too.
void expect_followed_or_refused(const Sample& sample, size_t i) {
  Tracer tracer = Tracer::begin();
  std::vector<Tensor> operands = sample.inputs;
  const Tensor example = operands[i];
  operands[i] = cast(tracer.input("x", cast(example, DType::i32)), example.dtype());
  std::vector<Tensor> outputs;
  try {
    outputs = apply(sample.op, operands, sample.outputs);
  } catch (const TraceError& error) {
    const std::string_view expected =
        sample.op.traits().info.untraceable.empty() ? "SymbolicShape" : "UnsupportedOperation";
    EXPECT_EQ(error.kind(), expected) << error.what();
    EXPECT_NE(std::string_view(error.what()).find(sample.op.name()), std::string_view::npos) << error.what();
    return;
  }
  const TracedModel traced = tracer.finish(std::span(outputs).first(1), std::vector<std::string>{"y"});
  const Tensor expected = apply(sample.op, sample.inputs, sample.outputs).front();
  EXPECT_TRUE(same_tensors(run_graph(traced.graph, {cast(example, DType::i32)}, {}), {expected}));
}

TEST_P(EveryOperator, FollowsOrRefusesWhatDecidesShapes) {
  for (const Sample& sample : GetParam().samples) {
    if (!sample.error.empty()) continue;
    for (size_t i = 0; i < sample.inputs.size(); ++i) {
      const bool decides = sample.op.traits().input(i).is_shape_data && sample.inputs[i].defined();
      if (!decides || !is_integer(sample.inputs[i].dtype())) continue;
      SCOPED_TRACE(concat("operand ", i, " of ", describe(sample)));
      expect_followed_or_refused(sample, i);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, EveryOperator, testing::ValuesIn(operator_cases()),
                         [](const auto& info) { return info.param.struct_name; });

}  // namespace
}  // namespace onemodel::test

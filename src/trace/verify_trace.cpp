#include "trace/verify_trace.h"

#include <algorithm>
#include <cmath>

#include "eager/apply.h"
#include "runtime/session.h"

namespace onemodel {
namespace {

constexpr double kTolerance = 1e-4;  // of the largest value, at least 1

// How `got`, of the graph, differs from `expected`, of the model; empty when it does not.
std::string difference(const Tensor& got, const Tensor& expected) {
  if (got.dtype() != expected.dtype() || got.dims() != expected.dims())
    return concat("the graph gives ", got, ", the model ", expected);
  if (got.dtype() == DType::string)
    return got.to_vector<std::string>() == expected.to_vector<std::string>() ? "" : "the strings differ";
  const std::vector<double> a = got.to_vector<double>(), b = expected.to_vector<double>();
  double scale = 1, worst = 0;
  size_t at = 0;
  for (size_t i = 0; i < a.size(); ++i) {
    if (std::isfinite(b[i])) scale = std::max(scale, std::abs(b[i]));
    if (a[i] == b[i] || (std::isnan(a[i]) && std::isnan(b[i]))) continue;
    const double distance = std::isfinite(a[i]) && std::isfinite(b[i]) ? std::abs(a[i] - b[i]) : INFINITY;
    if (distance > worst) at = i;
    worst = std::max(worst, distance);
  }
  if (worst <= kTolerance * scale) return {};
  return concat("the values differ: element ", at, " of ", got, " is ", a[at], " in the graph, ", b[at],
                " in the model");
}

// The values of a graph, node after node.
class Walk {
 public:
  Walk(const Graph& graph, std::span<const Tensor> inputs) : values_(graph.values.size()) {
    for (size_t i = 0; i < values_.size(); ++i) values_[i] = graph.values[i].constant;
    for (size_t i = 0; i < inputs.size(); ++i) slot(graph.inputs[i]) = inputs[i];
  }

  std::vector<Tensor> run(const Node& node) {
    std::vector<Tensor> operands;
    for (const ValueId id : node.inputs) operands.push_back(id == kNone ? Tensor() : slot(id));
    std::vector<Tensor> results = apply(node.op, operands, node.outputs.size());
    for (size_t i = 0; i < results.size(); ++i) slot(node.outputs[i]) = results[i];
    return results;
  }

 private:
  Tensor& slot(ValueId id) { return values_[static_cast<size_t>(id)]; }
  std::vector<Tensor> values_;
};

// Runs both nodes and says how the first differs from the second; either may be missing.
std::string difference(const Node* node, const Node* other, Walk& first, Walk& second) {
  const auto text = [](const Node* each) { return each ? concat(each->op) : std::string("nothing more"); };
  if (text(node) != text(other)) return concat("the graph has ", text(node), ", the model did ", text(other));
  const std::vector<Tensor> expected = second.run(*other);
  std::vector<Tensor> got;
  try {
    got = first.run(*node);
  } catch (const Error& error) {
    return concat("it does not run: ", error.what());
  }
  for (size_t i = 0; i < got.size(); ++i)
    if (std::string what = difference(got[i], expected[i]); !what.empty()) return what;
  return {};
}

std::optional<Difference> first_difference(const Graph& first, const Graph& second, std::span<const Tensor> inputs) {
  Walk walk(first, inputs), other_walk(second, inputs);
  for (size_t i = 0; i < std::max(first.nodes.size(), second.nodes.size()); ++i) {
    const Node* node = i < first.nodes.size() ? &first.nodes[i] : nullptr;
    const Node* other = i < second.nodes.size() ? &second.nodes[i] : nullptr;
    const Node* at = node ? node : other;
    if (!at) break;
    if (std::string what = difference(node, other, walk, other_walk); !what.empty())
      return Difference{at->name, at->module_path, std::move(what)};
  }
  return {};
}

// What a session of the graph gives, or why it gives nothing.
std::vector<Tensor> run_session(const Graph& graph, std::span<const Tensor> inputs, std::string& problem) {
  try {
    return Session(graph).run(inputs);
  } catch (const Error& error) {
    problem = concat("the graph does not run: ", error.what());
    return {};
  }
}

std::string where(const Difference& difference) {
  return difference.module_path.empty() ? "" : concat(" in module '", difference.module_path, "'");
}

std::vector<Tensor> trace_again(const Graph& graph, std::span<const Tensor> inputs, const TracedFunction& model,
                                Graph& second) {
  Tracer tracer = Tracer::begin();
  std::vector<Tensor> traced;
  for (size_t i = 0; i < inputs.size(); ++i) {
    const Value& input = graph.value(graph.inputs[i]);
    std::vector<std::string> axes;
    for (const Extent& extent : input.type.shape) axes.push_back(extent.is_number() ? "" : extent.text());
    traced.push_back(tracer.input(input.name, inputs[i], axes));
  }
  std::vector<Tensor> outputs = model(traced);
  std::vector<std::string> names;
  for (const ValueId id : graph.outputs) names.push_back(graph.value(id).name);
  second = tracer.finish(outputs, names).graph;
  return outputs;
}

}  // namespace

std::string to_string(const VerifyReport& report) {
  if (report.ok()) return {};
  std::string out = concat("at ", to_string(report.sizes),
                           " the graph differs from the model; a size of the example may have become a constant");
  for (const Difference& each : report.outputs)
    out += concat("\n  output '", each.name, "'", where(each), ": ", each.what);
  if (const auto& node = report.first_node)
    out += concat("\n  first difference: node '", node->name, "'", where(*node), ": ", node->what);
  return out;
}

VerifyReport compare_traces(const Graph& first, const Graph& second, std::span<const Tensor> inputs,
                            std::span<const Tensor> outputs) {
  if (outputs.size() != first.outputs.size())
    throw TraceError("InvalidUsage",
                     concat("verify: the model gives ", outputs.size(), " outputs, the graph ", first.outputs.size()));
  VerifyReport report;
  std::string problem;
  const std::vector<Tensor> got = run_session(first, inputs, problem);
  for (size_t i = 0; i < first.outputs.size(); ++i) {
    std::string what = problem.empty() ? difference(got[i], outputs[i]) : problem;
    if (what.empty()) continue;
    const Node* maker = first.producer(first.outputs[i]);
    report.outputs.push_back(
        {first.value(first.outputs[i]).name, maker ? maker->module_path : std::string(), std::move(what)});
  }
  report.first_node = first_difference(first, second, inputs);
  return report;
}

VerifyReport verify_trace(const TracedModel& traced, std::span<const Tensor> examples, const TracedFunction& model,
                          const SymbolSizes& sizes) {
  const SymbolSizes used = second_sizes(traced.graph, examples, sizes);
  const std::vector<Tensor> inputs = second_inputs(traced.graph, examples, used);
  Graph second;
  std::vector<Tensor> outputs;
  try {
    outputs = trace_again(traced.graph, inputs, model, second);
  } catch (Error& error) {
    error.add_context(concat("verify at ", to_string(used)));
    throw;
  }
  VerifyReport report = compare_traces(traced.graph, second, inputs, outputs);
  report.sizes = used;
  return report;
}

}  // namespace onemodel

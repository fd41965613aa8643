#include "support/graphs.h"

#include "ops/clip.h"
#include "ops/sample.h"
#include "support/compare.h"
#include "support/direct_applier.h"

namespace onemodel::test {
namespace {

Dims concrete(const Shape& shape, const Sizes& sizes) {
  Dims dims;
  for (Extent extent : shape) {
    for (const std::string& symbol : extent.atoms()) {
      const auto known = sizes.find(symbol);
      extent = extent.substitute(symbol, known == sizes.end() ? 3 : known->second);
    }
    dims.push_back(extent.number());
  }
  return dims;
}

}  // namespace

ValueId add(Graph& graph, Op op, std::vector<ValueId> inputs, std::string name) {
  const ValueId output = graph.add_node(std::move(op), std::move(inputs), name).front();
  if (!name.empty()) graph.value(output).name = name;
  return output;
}

ValueId ints(Graph& graph, std::initializer_list<int64_t> values) {
  return graph.add_constant("ints", Tensor::from_ints({values.begin(), values.size()}));
}

std::string operators(const Graph& graph) {
  std::string out;
  for (const Node& node : graph.nodes) out += concat(out.empty() ? "" : " ", node.op.name());
  return out;
}

std::vector<Tensor> random_inputs(const Graph& graph, const Sizes& sizes, uint64_t seed) {
  std::vector<Tensor> inputs;
  for (ValueId id : graph.inputs) {
    const TensorType& type = graph.value(id).type;
    const bool floating = is_floating(type.dtype);
    inputs.push_back(
        sample_values(concrete(type.shape, sizes), floating ? -2 : 0, floating ? 2 : 4, type.dtype, seed++));
  }
  return inputs;
}

std::vector<Tensor> evaluate_graph(const Graph& graph, const std::vector<Tensor>& inputs) {
  std::vector<Tensor> values;
  for (const Value& value : graph.values) values.push_back(value.constant);
  const auto at = [&](ValueId id) -> Tensor& { return values[static_cast<size_t>(id)]; };
  for (size_t i = 0; i < inputs.size(); ++i) at(graph.inputs[i]) = inputs[i];
  for (const Node& node : graph.nodes) {
    std::vector<Tensor> operands;
    for (ValueId id : node.inputs) operands.push_back(id == kNone ? Tensor() : at(id));
    std::vector<Tensor> results = run(node.op, operands, node.outputs.size());
    if (node.clamp)
      results[0] = run(Clip{}, {results[0], Tensor::scalar(node.clamp->min), Tensor::scalar(node.clamp->max)});
    for (size_t i = 0; i < results.size(); ++i)
      if (node.outputs[i] != kNone) at(node.outputs[i]) = results[i];
  }
  std::vector<Tensor> outputs;
  for (ValueId id : graph.outputs) outputs.push_back(at(id));
  return outputs;
}

testing::AssertionResult same_tensors(const std::vector<Tensor>& a, const std::vector<Tensor>& b, double tolerance) {
  if (a.size() != b.size()) return testing::AssertionFailure() << a.size() << " outputs and " << b.size();
  for (size_t i = 0; i < a.size(); ++i) {
    auto result = tolerance == 0 ? same_bits(a[i], b[i]) : close(a[i], b[i], tolerance);
    if (!result) return result << " (output " << i << ")";
  }
  return testing::AssertionSuccess();
}

testing::AssertionResult same_results(const Graph& before, const Graph& after, double tolerance, const Sizes& sizes) {
  if (before.outputs.size() != after.outputs.size())
    return testing::AssertionFailure() << "the number of outputs changed";
  for (size_t i = 0; i < before.outputs.size(); ++i)
    if (before.value(before.outputs[i]).name != after.value(after.outputs[i]).name)
      return testing::AssertionFailure() << "output " << i << " is called " << after.value(after.outputs[i]).name;
  const std::vector<Tensor> inputs = random_inputs(before, sizes);
  return same_tensors(evaluate_graph(before, inputs), evaluate_graph(after, inputs), tolerance);
}

}  // namespace onemodel::test

#include "export/decompositions.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <numbers>

#include "eager/functions.h"
#include "eager/record.h"
#include "export/compare_outputs.h"
#include "export/example_sizes.h"
#include "export/retrace.h"
#include "ops/batch_normalization.h"
#include "ops/gemm.h"
#include "ops/layer_normalization.h"
#include "ops/softmax.h"
#include "ops/unary.h"

namespace onemodel {
namespace {

using Inputs = std::span<const Tensor>;
using Outputs = std::vector<Tensor>;

Outputs gelu_of(const Op& op, Inputs inputs) {
  const Tensor& x = inputs[0];
  if (op.as<Gelu>()->is_tanh()) {
    const Tensor inner = (x + x * x * x * 0.044715) * std::sqrt(2 / std::numbers::pi);
    return {x * 0.5 * (tanh(inner) + 1)};
  }
  return {x * 0.5 * (erf(x * (1 / std::numbers::sqrt2)) + 1)};
}

Outputs hard_sigmoid_of(const Op& op, Inputs inputs) {
  const auto& with = *op.as<HardSigmoid>();
  return {clip(inputs[0] * with.alpha + with.beta, 0, 1)};
}

Outputs hard_swish_of(const Op&, Inputs inputs) { return {inputs[0] * clip(inputs[0] / 6 + 0.5, 0, 1)}; }

// log(1 + exp(x)) without overflow.
Tensor softplus(const Tensor& x) { return clip(x, 0, {}) + log(exp(neg(abs(x))) + 1); }

Outputs elu_of(const Op& op, Inputs inputs) {
  const Tensor& x = inputs[0];
  return {clip(x, 0, {}) + (exp(clip(x, {}, 0)) - 1) * op.as<Elu>()->alpha};
}

Outputs softmax_of(const Op& op, Inputs inputs) {
  const int64_t axis = op.as<Softmax>()->axis;
  const Tensor powers = exp(inputs[0] - max(inputs[0], {axis}, true));
  return {powers / sum(powers, {axis}, true)};
}

Outputs log_softmax_of(const Op& op, Inputs inputs) {
  const int64_t axis = op.as<LogSoftmax>()->axis;
  const Tensor shifted = inputs[0] - max(inputs[0], {axis}, true);
  return {shifted - log(sum(exp(shifted), {axis}, true))};
}

Outputs gemm_of(const Op& op, Inputs inputs) {
  const auto& with = *op.as<Gemm>();
  const Tensor a = with.transA ? transpose(inputs[0], 0, 1) : inputs[0];
  const Tensor b = with.transB ? transpose(inputs[1], 0, 1) : inputs[1];
  Tensor out = matmul(a, b);
  if (with.alpha != 1) out = out * with.alpha;
  if (inputs.size() < 3 || !inputs[2].defined()) return {out};
  return {out + (with.beta == 1 ? inputs[2] : inputs[2] * with.beta)};
}

// [channels] as it broadcasts to x [batch, channels, ...].
Tensor per_channel(const Tensor& vector, const Tensor& x) {
  Dims dims = Dims::filled(x.rank(), 1);
  dims[1] = -1;
  return reshape(vector, dims);
}

Outputs batch_normalization(const Op& op, Inputs inputs) {
  const Tensor& x = inputs[0];
  const auto at = [&](size_t i) { return per_channel(inputs[i], x); };
  return {(x - at(3)) / sqrt(at(4) + op.as<BatchNormalization>()->epsilon) * at(1) + at(2)};
}

Outputs layer_normalization(const Op& op, Inputs inputs) {
  const auto& with = *op.as<LayerNormalization>();
  const Tensor& x = inputs[0];
  Dims axes;
  for (size_t axis = normalize_axis("LayerNormalization", with.axis, x.rank()); axis < x.rank(); ++axis)
    axes.push_back(static_cast<int64_t>(axis));
  const Tensor average = mean(x, axes, true), centred = x - average;
  const Tensor inverse = Tensor::full({}, 1, x.dtype()) / sqrt(mean(centred * centred, axes, true) + with.epsilon);
  Tensor y = centred * inverse * inputs[1];
  if (inputs.size() > 2 && inputs[2].defined()) y = y + inputs[2];
  return {y, cast(average, with.stash_type), cast(inverse, with.stash_type)};
}

// Of the largest value.
constexpr double kTolerance = 1e-4;

bool works(const Graph& graph, Inputs inputs) {
  try {
    interpret(graph, inputs);
    return true;
  } catch (const Error&) {
    return false;
  }
}

// Runs nodes by the table.
NodeRunner runner_of(const DecompositionTable& table) {
  return [&table](const Node& node, Inputs inputs) {
    const auto found = table.find(node.op.name());
    if (found == table.end()) return run_node(node, inputs);
    Outputs out = found->second(node.op, inputs);
    check(out.size() >= node.outputs.size() && out.size() <= node.op.traits().outputs.size(), "the decomposition of ",
          node.op.name(), " gives ", out.size(), " results; ", node.outputs.size(), " were expected");
    return out;
  };
}

ExportedProgram decomposed(const ExportedProgram& program, const DecompositionTable& table) {
  const NodeRunner run = runner_of(table);
  return retrace(program, [&](const Node& node, Inputs inputs) {
    Outputs out = run(node, inputs);
    for (size_t i = 0; i < node.outputs.size(); ++i) {
      if (node.outputs[i] == kNone) continue;
      const TensorType& expected = program.graph.value(node.outputs[i]).type;
      check(type_of(out[i]) == expected, "the decomposition of ", node.op.name(), " gives ", type_of(out[i]), "; ",
            expected, " was expected");
    }
    return out;
  });
}

// Where the program that was made differs from what the decompositions give at other sizes: they may have taken one for a number.
std::string difference_elsewhere(const ExportedProgram& program, const ExportedProgram& made,
                                 const DecompositionTable& table) {
  const NoGrad none;
  for (const auto& [sizes, user_inputs] : examples_of_other_sizes(program)) {
    std::vector<Tensor> inputs = program.state->tensors();
    inputs.insert(inputs.end(), user_inputs.begin(), user_inputs.end());
    std::string what;
    try {
      const Outputs expected = interpret(program.graph, inputs, runner_of(table));
      const Outputs got = interpret(made.graph, inputs);
      for (size_t i = 0; i < got.size() && what.empty(); ++i)
        if (const std::string how = tensor_difference(got[i], expected[i], "the decompositions", kTolerance);
            !how.empty())
          what = concat("output '", made.signature.outputs[i].name, "' ", how);
    } catch (const Error& error) {
      if (error.kind() == "Script") throw;  // no complaint of the engine
      what = works(program.graph, inputs) ? error.what() : "";
    }
    if (!what.empty()) return concat("at ", to_string(sizes), ": ", what);
  }
  return {};
}

size_t common_start(std::string_view a, std::string_view b) {
  const auto is_same = [](char x, char y) { return std::tolower(x) == std::tolower(y); };
  return static_cast<size_t>(std::ranges::mismatch(a, b, is_same).in1 - a.begin());
}

void check_operators(const Graph& graph, const DecompositionTable& table) {
  for (const auto& [name, decomposition] : table) {
    const auto is_it = [&name = name](const Node& node) { return node.op.name() == name; };
    if (find_operator(name) || std::ranges::any_of(graph.nodes, is_it)) continue;  // control flow is in graphs alone
    const OpTraits* nearest = std::ranges::max(
        all_operators(), {}, [&](const OpTraits* each) { return common_start(each->info.name, name); });
    throw ArgumentError(
        concat("run_decompositions: there is no operator '", name, "'; did you mean '", nearest->info.name, "'?"));
  }
}

}  // namespace

const DecompositionTable& default_decompositions() {
  static const DecompositionTable table = {
      {"Gelu", gelu_of},
      {"HardSigmoid", hard_sigmoid_of},
      {"HardSwish", hard_swish_of},
      {"Softplus", [](const Op&, Inputs inputs) { return Outputs{softplus(inputs[0])}; }},
      {"Mish", [](const Op&, Inputs inputs) { return Outputs{inputs[0] * tanh(softplus(inputs[0]))}; }},
      {"Elu", elu_of},
      {"Softmax", softmax_of},
      {"LogSoftmax", log_softmax_of},
      {"Gemm", gemm_of},
      {"BatchNormalization", batch_normalization},
      {"LayerNormalization", layer_normalization},
  };
  return table;
}

ExportedProgram run_decompositions(const ExportedProgram& program, const DecompositionTable& table) {
  check_operators(program.graph, table);
  ExportedProgram out = decomposed(program, table);
  const std::string why = difference_elsewhere(program, out, table);
  if (why.empty()) return out;
  for (const auto& [name, decomposition] : table) {
    const DecompositionTable alone = {{name, decomposition}};
    if (!difference_elsewhere(program, decomposed(program, alone), alone).empty())
      throw ArgumentError(concat("the decomposition of ", name, " keeps a size of the example (", why, ")"));
  }
  throw ArgumentError(concat("the decompositions keep a size of the example (", why, ")"));
}

}  // namespace onemodel

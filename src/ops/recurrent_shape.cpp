#include "ops/recurrent_shape.h"

#include <algorithm>
#include <cctype>
#include <cmath>

#include "ops/dtype_set.h"
#include "ops/extent_checks.h"

namespace onemodel {
namespace {

std::vector<std::string> split(std::string_view list) {
  std::vector<std::string> out;
  while (!list.empty()) {
    const size_t comma = std::min(list.find(','), list.size());
    out.emplace_back(list.substr(0, comma));
    list.remove_prefix(std::min(comma + 1, list.size()));
  }
  return out;
}

bool same_word(std::string_view a, std::string_view b) {
  const auto lower = [](char c) { return std::tolower(static_cast<unsigned char>(c)); };
  return std::ranges::equal(a, b, [&](char x, char y) { return lower(x) == lower(y); });
}

// What ONNX lists. `numbers` says how many of alpha and beta it has, `function` what they are when they are not given.
struct NamedActivation {
  std::string_view name;
  size_t numbers;
  kernels::CellFunction function;
};
using enum kernels::Activation;
constexpr NamedActivation kActivations[] = {{"Sigmoid", 0, {sigmoid}},
                                            {"Tanh", 0, {tanh}},
                                            {"Relu", 0, {relu}},
                                            {"Affine", 2, {affine, 1, 0}},
                                            {"LeakyRelu", 1, {leaky_relu, 0.01}},
                                            {"ThresholdedRelu", 1, {thresholded_relu, 1}},
                                            {"ScaledTanh", 2, {scaled_tanh, 1, 1}},
                                            {"HardSigmoid", 2, {hard_sigmoid, 0.2, 0.5}},
                                            {"Elu", 1, {elu, 1}},
                                            {"Softsign", 0, {softsign}},
                                            {"Softplus", 0, {softplus}}};

const NamedActivation& activation_named(std::string_view who, std::string_view name) {
  const auto found = std::ranges::find_if(kActivations, [&](const auto& each) { return same_word(each.name, name); });
  if (found != std::end(kActivations)) return *found;
  std::string list;
  for (const NamedActivation& each : kActivations) list += concat(list.empty() ? "" : ", ", each.name);
  throw ArgumentError(concat(who, ": the activation ", name, " is none of ", list));
}

void check_attributes(const InferContext& context, const RecurrentAttributes& a, const RecurrentKind& kind) {
  context.check<ArgumentError>(a.direction == "forward" || a.direction == "reverse" || a.direction == "bidirectional",
                               "direction expects forward, reverse or bidirectional, got \"", a.direction, '"');
  context.check<ArgumentError>(a.layout == 0 || a.layout == 1, "layout expects 0 or 1, got ", a.layout);
  context.check<ArgumentError>(!a.clip || *a.clip > 0, "clip expects a positive number, got ", a.clip.value_or(0));
  for (int64_t d = 0; d < recurrent_directions(a); ++d) recurrent_activations(context.op_name(), a, kind, d);
}

// Requires that operand `i`, when present, has this shape.
void check_shape(const InferContext& context, size_t i, std::string_view name, const Shape& expected) {
  if (!context.has(i)) return;
  const Shape& got = context.shape(i);
  context.check(got.rank() == expected.rank(), "'", name, "' expects shape ", expected, ", got ", got);
  for (size_t axis = 0; axis < got.rank(); ++axis)
    check_equal(context, got[axis], expected[axis], "'", name, "' expects shape ", expected, ", got ", got);
}

}  // namespace

std::vector<kernels::CellFunction> recurrent_activations(std::string_view who, const RecurrentAttributes& a,
                                                         const RecurrentKind& kind, int64_t d) {
  const std::vector<std::string> defaults = split(kind.activations), given = split(a.activations);
  const size_t count = defaults.size(), all = count * static_cast<size_t>(recurrent_directions(a));
  check(given.empty() || given.size() == all, who, ": activations expects ", all, " names, got \"", a.activations, '"');
  std::vector<kernels::CellFunction> out;
  // Those of all directions take their numbers from the lists in turn.
  size_t alphas = 0, betas = 0;
  for (size_t i = 0; i < all; ++i) {
    const NamedActivation& named = activation_named(who, given.empty() ? defaults[i % count] : given[i]);
    kernels::CellFunction function = named.function;
    if (named.numbers > 0 && alphas < a.activation_alpha.size()) function.alpha = a.activation_alpha[alphas++];
    if (named.numbers > 1 && betas < a.activation_beta.size()) function.beta = a.activation_beta[betas++];
    if (i / count == static_cast<size_t>(d)) out.push_back(function);
  }
  return out;
}

RecurrentTypes recurrent_types(const InferContext& context, const RecurrentAttributes& a, const RecurrentKind& kind) {
  check_attributes(context, a, kind);
  check_in(context, kX, kFloating);
  for (const size_t i : {kW, kR, kB, kInitialH}) context.check_same_dtype(kX, i);
  const Shape &x = context.shape(kX), &w = context.shape(kW), &r = context.shape(kR);
  context.check(x.rank() == 3, "'X' expects ", a.layout ? "[batch, steps, inputs]" : "[steps, batch, inputs]",
                ", got shape ", x);
  context.check(w.rank() == 3, "'W' expects [directions, gates * hidden, inputs], got shape ", w);
  context.check(r.rank() == 3, "'R' expects [directions, gates * hidden, hidden], got shape ", r);
  const Extent &steps = x[a.layout ? 1 : 0], &batch = x[a.layout ? 0 : 1], &hidden = r[2];
  const Extent directions = recurrent_directions(a);
  if (a.hidden_size)
    check_equal(context, hidden, *a.hidden_size, "hidden_size is ", *a.hidden_size, ", but 'R' has shape ", r);
  check_shape(context, kW, "W", {directions, hidden * kind.gates, x[2]});
  check_shape(context, kR, "R", {directions, hidden * kind.gates, hidden});
  check_shape(context, kB, "B", {directions, hidden * (2 * kind.gates)});
  if (context.has(kLengths)) context.check_dtype(context.dtype(kLengths) == DType::i32, kLengths, "int32");
  check_shape(context, kLengths, "sequence_lens", {batch});
  RecurrentTypes out{{steps, directions, batch, hidden}, {directions, batch, hidden}, hidden, directions};
  if (a.layout == 1) {
    out.y = {batch, steps, directions, hidden};
    out.state = {batch, directions, hidden};
  }
  check_shape(context, kInitialH, "initial_h", out.state);
  if (kind.has_cell) {
    context.check_same_dtype(kX, kInitialC);
    context.check_same_dtype(kX, kPeepholes);
    check_shape(context, kInitialC, "initial_c", out.state);
    check_shape(context, kPeepholes, "P", {directions, hidden * 3});
  }
  return out;
}

void infer_recurrent(InferContext& context, const RecurrentAttributes& a, const RecurrentKind& kind) {
  const RecurrentTypes types = recurrent_types(context, a, kind);
  context.output(0, context.dtype(kX), types.y);
  for (size_t i = 1; i < context.output_count(); ++i) context.output(i, context.dtype(kX), types.state);
}

void infer_recurrent_gradient(InferContext& context, const RecurrentAttributes& a, const RecurrentKind& kind) {
  const RecurrentTypes types = recurrent_types(context, a, kind);
  const size_t first = kind.operands;
  for (size_t i = first; i < context.input_count(); ++i) context.check_same_dtype(kX, i);
  check_shape(context, first, "dY", types.y);
  check_shape(context, first + 1, "dY_h", types.state);
  if (kind.has_cell) check_shape(context, first + 2, "dY_c", types.state);
  const Shape shapes[] = {context.shape(kX),
                          context.shape(kW),
                          context.shape(kR),
                          {types.directions, types.hidden * (2 * kind.gates)},
                          types.state,
                          types.state,
                          {types.directions, types.hidden * 3}};
  for (size_t i = 0; i < context.output_count(); ++i) context.output(i, context.dtype(kX), shapes[i]);
}

}  // namespace onemodel

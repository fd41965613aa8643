// Losses over classes, which are axis 1.

#include "core/error.h"
#include "onnx/functions/families.h"

namespace onemodel {
namespace {

using Ref = NodeWriter::Ref;

// Per element: whether it counts, with ignore_index; else empty.
Ref counted(FunctionCall& call, Ref target) {
  if (!call.has_attribute("ignore_index")) return {};
  const auto ignored = static_cast<double>(call.integer("ignore_index", 0));
  return call.make("Not", {call.make("Equal", {target, call.number(ignored, call.dtype(target))})});
}

// Per element: its class's weight, 0 where it does not count; empty when all are 1.
Ref weights_of(FunctionCall& call, Ref counts, Ref target, DType dtype) {
  const Ref weight = call.input(2);
  if (weight.empty()) return counts.empty() ? Ref() : call.cast(counts, dtype);
  const Ref picked = call.make("Gather", {weight, target});
  return counts.empty() ? picked : call.make("Where", {counts, picked, call.number(0, dtype)});
}

void reduce(FunctionCall& call, Ref loss, Ref weights) {
  const std::string reduction = call.text("reduction", "mean");
  if (reduction == "none") return call.give(0, "Identity", {loss});
  if (reduction == "sum") return call.give(0, "ReduceSum", {loss}, {{"keepdims", 0}});
  if (reduction != "mean")
    throw ModelError("Malformed", concat("attribute 'reduction' expects none, sum or mean, got '", reduction, "'"));
  if (weights.empty()) return call.give(0, "ReduceMean", {loss}, {{"keepdims", 0}});
  const Ref sum = call.make("ReduceSum", {loss}, {{"keepdims", 0}});
  call.give(0, "Div", {sum, call.make("ReduceSum", {weights}, {{"keepdims", 0}})});
}

void negative_log_likelihood(FunctionCall& call, Ref log_probabilities) {
  const DType dtype = call.dtype(log_probabilities);
  Ref target = call.input(1);
  const Ref counts = counted(call, target), zero = call.number(0, dtype);
  if (!counts.empty()) target = call.make("Where", {counts, target, call.number(0, call.dtype(target))});
  const Ref classes = call.integers({1}), index = call.make("Unsqueeze", {target, classes});
  const Ref picked = call.make("GatherElements", {log_probabilities, index}, {{"axis", 1}});
  Ref loss = call.make("Neg", {call.make("Squeeze", {picked, classes})});
  const Ref weights = weights_of(call, counts, target, dtype);
  if (!call.input(2).empty()) loss = call.make("Mul", {loss, weights});
  if (!counts.empty()) loss = call.make("Where", {counts, loss, zero});  // also where the score is infinite
  reduce(call, loss, weights);
}

void nll_loss(FunctionCall& call) { negative_log_likelihood(call, call.input(0)); }

void softmax_cross_entropy(FunctionCall& call) {
  const Ref log_probabilities = call.make("LogSoftmax", {call.input(0)}, {{"axis", 1}});
  negative_log_likelihood(call, log_probabilities);
  call.give(1, "Identity", {log_probabilities});
}

constexpr Function kFunctions[] = {{"NegativeLogLikelihoodLoss", 2, 3, 1, nll_loss},
                                   {"SoftmaxCrossEntropyLoss", 2, 3, 2, softmax_cross_entropy}};

}  // namespace

std::span<const Function> loss_functions() { return kFunctions; }

}  // namespace onemodel

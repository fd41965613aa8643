// BatchNormalization(Conv(x, w, b), scale, bias, mean, variance) →
//   Conv(x, w * s, (b - mean) * s + bias) with s = scale / sqrt(variance + epsilon) per output channel.
// Does not apply when weights or statistics are not constant, when the convolution is read elsewhere, is a
// graph output or has a bound, in training mode, or for other dtypes than float32 and float64.
// Does not keep every bit: weights are rounded after scaling.

#include <cmath>

#include "ops/batch_normalization.h"
#include "ops/conv.h"
#include "passes/constants.h"
#include "passes/passes.h"

namespace onemodel {
namespace {

struct Affine {
  std::vector<double> scale, offset;  // per channel: y = x * scale + offset
};

Affine affine_of(const PassContext& context, const Node& norm, double epsilon) {
  const auto values = [&](size_t i) { return context.value(norm.inputs[i]).constant.to_vector<double>(); };
  const auto gamma = values(1), beta = values(2), mean = values(3), variance = values(4);
  Affine out;
  for (size_t c = 0; c < gamma.size(); ++c) {
    out.scale.push_back(gamma[c] / std::sqrt(variance[c] + epsilon));
    out.offset.push_back(beta[c] - mean[c] * out.scale[c]);
  }
  return out;
}

Tensor scaled_weights(const Tensor& weights, const std::vector<double>& scale) {
  std::vector<double> values = weights.to_vector<double>();
  const size_t row = values.size() / scale.size();
  for (size_t i = 0; i < values.size(); ++i) values[i] *= scale[i / row];
  return from_doubles(values, weights.dims(), weights.dtype());
}

}  // namespace

std::optional<Patch> fold_batch_norm(const PassContext& context, NodeId id) {
  const Node& node = context.node(id);
  const auto* norm = node.op.as<BatchNormalization>();
  if (!norm || norm->training_mode) return {};
  const ValueId x = node.inputs[0];
  const Node* conv = context.produced_by<Conv>(x);
  if (!conv || conv->clamp || !context.used_once(x)) return {};
  const DType dtype = context.value(x).type.dtype;
  if (dtype != DType::f32 && dtype != DType::f64) return {};
  for (size_t i = 1; i < 5; ++i)
    if (!context.is_constant(node.inputs[i])) return {};
  const ValueId bias = PassContext::operand(*conv, 2);
  if (!context.is_constant(conv->inputs[1]) || (bias != kNone && !context.is_constant(bias))) return {};

  const Value& weights = context.value(conv->inputs[1]);
  Affine affine = affine_of(context, node, norm->epsilon);
  if (affine.scale.empty()) return {};
  if (bias != kNone) {
    const std::vector<double> b = context.value(bias).constant.to_vector<double>();
    for (size_t c = 0; c < b.size(); ++c) affine.offset[c] += b[c] * affine.scale[c];
  }
  Patch patch(context.graph());
  patch.remove(context.value(x).producer);
  patch.remove(id);
  const ValueId w = patch.add_constant(weights.name, scaled_weights(weights.constant, affine.scale));
  const ValueId b =
      patch.add_constant(bias == kNone ? conv->name + "_bias" : context.value(bias).name,
                         from_doubles(affine.offset, {static_cast<int64_t>(affine.offset.size())}, dtype));
  patch.replace(node.outputs[0], patch.add_node(*conv, conv->op, {conv->inputs[0], w, b}, node.clamp));
  return patch;
}

}  // namespace onemodel

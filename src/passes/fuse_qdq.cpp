// QuantizeLinear(f(DequantizeLinear(a), DequantizeLinear(b), bias)) → QLinearConv for f = Conv; QLinearMatMul, or with a
// bias FusedQLinearMatMul, for f = MatMul, Add(MatMul, bias) and Gemm. An activation between that bounds no more than
// the quantisation does goes too.
// Does not apply when a scale or zero point is not constant or not float32, a and the result have more than one scale, b
// has scales along another axis than that of output channels or columns, there are blocks, integers of other than 8
// bits, a bias that is not constant or not one number for each channel or column, or when a result between is read
// elsewhere.
// Changes the last place: sums are exact and rounded once, and the bias is rounded to a multiple of a_scale * b_scale.

#include <cmath>
#include <limits>

#include "ops/binary.h"
#include "ops/conv.h"
#include "ops/conv_integer.h"
#include "ops/gemm.h"
#include "ops/matmul.h"
#include "ops/matmul_integer.h"
#include "ops/transpose.h"
#include "passes/activation_bounds.h"
#include "passes/passes.h"
#include "passes/quantised.h"

namespace onemodel {
namespace {

double of_line(const std::vector<double>& values, size_t i) { return values[values.size() == 1 ? 0 : i]; }

// Whether what `clamp` takes off lies beyond the integers of `y`.
bool is_idle(const Clamp& clamp, const Quantised& y) {
  const double scale = y.scales.item<double>(), zero = y.zeros.defined() ? y.zeros.item<double>() : 0;
  const double lowest = y.dtype == DType::u8 ? 0 : -128;
  return std::nearbyint(clamp.min / scale) + zero <= lowest && std::nearbyint(clamp.max / scale) + zero >= lowest + 255;
}

// The nodes between operands and result.
struct Body {
  const Node* node = nullptr;  // Conv, MatMul or Gemm
  ValueId bias = kNone;
  std::vector<NodeId> removed;
};

std::optional<Body> body_of(const PassContext& context, ValueId value, const Quantised& y) {
  Body out;
  const auto producer = [&]() -> const Node* {
    const Node* node = context.graph().producer(value);
    if (!node || !context.used_once(value) || (node->clamp && !is_idle(*node->clamp, y))) return nullptr;
    out.removed.push_back(context.value(value).producer);
    return node;
  };
  out.node = producer();
  if (!out.node) return {};
  if (const auto bounds = activation_bounds(context, *out.node)) {
    if (!is_idle(*bounds, y)) return {};
    value = out.node->inputs[0];
    out.node = producer();
  }
  if (out.node && out.node->op.is<Add>() && !out.node->clamp) {
    const size_t side = context.produced_by<MatMul>(out.node->inputs[0]) ? 0 : 1;
    const Node& sum = *out.node;
    out.bias = sum.inputs[1 - side];
    value = sum.inputs[side];
    if (!context.produced_by<MatMul>(value)) return {};
    if (!(context.value(sum.outputs[0]).type == context.value(value).type)) return {};
    out.node = producer();
    return out.node && !out.node->clamp ? std::optional(out) : std::nullopt;
  }
  if (!out.node) return {};
  if (out.node->op.is<Conv>() || out.node->op.is<Gemm>()) out.bias = PassContext::operand(*out.node, 2);
  return out;
}

// The numbers of a constant, or of a dequantised one; nothing for others.
std::optional<std::vector<double>> constant_numbers(const PassContext& context, ValueId id) {
  if (context.is_constant(id)) return context.value(id).constant.to_vector<double>();
  const auto source = dequantised(context, id);
  if (!source || !context.is_constant(source->value)) return {};
  std::vector<double> out = context.value(source->value).constant.to_vector<double>();
  if (context.value(source->value).type.shape.rank() > 1 && !source->has_one_scale()) return {};
  const auto scales = source->scales.to_vector<double>();
  const auto zeros = source->zeros.defined() ? source->zeros.to_vector<double>() : std::vector<double>{0};
  for (size_t i = 0; i < out.size(); ++i) out[i] = (out[i] - of_line(zeros, i)) * of_line(scales, i);
  return out;
}

// `bias` in steps of a's scale times b's, one for each of `lines`; undefined when it does not fit.
Tensor integer_bias(const PassContext& context, ValueId bias, int64_t lines, const Quantised& a, const Quantised& b) {
  const Shape& shape = context.value(bias).type.shape;
  const auto numbers = constant_numbers(context, bias);
  if (!numbers || !shape.is_concrete() || numbers->empty()) return {};
  const Dims dims = shape.dims();
  const bool is_row = numbers->size() == 1 || (!dims.empty() && dims.back() == numel(dims) && dims.back() == lines);
  if (!is_row || lines < 1) return {};
  const auto steps = b.scales.to_vector<double>();
  std::vector<double> out(static_cast<size_t>(lines));
  for (size_t i = 0; i < out.size(); ++i) {
    out[i] = std::nearbyint(of_line(*numbers, i) / (a.scales.item<double>() * of_line(steps, i)));
    if (!(std::abs(out[i]) <= std::numeric_limits<int32_t>::max())) return {};
  }
  return Tensor::from(std::span<const double>(out), {lines}).cast(DType::i32);
}

// Operands of the integer operator, but for the bias.
std::vector<ValueId> operands_of(Patch& patch, const Quantised& a, const Quantised& b, const Quantised& y) {
  const auto zero = [&](const Quantised& q) {
    return q.zero != kNone ? q.zero : patch.add_constant("zero_point", Tensor::zeros({}, q.dtype));
  };
  return {a.value, a.scale, zero(a), b.value, b.scale, zero(b), y.scale, zero(y)};
}

// Which axis of b its scales may lie along, and whether b is to be transposed.
struct Form {
  int64_t axis;
  bool transposed = false;
};

std::optional<Form> form_of(const PassContext& context, const Node& node, size_t b_rank) {
  if (node.op.is<Conv>()) return Form{0};
  if (node.op.is<MatMul>()) return Form{b_rank == 2 ? 1 : -1};  // -1: one scale only
  const auto* gemm = node.op.as<Gemm>();
  if (!gemm || gemm->transA || gemm->alpha != 1) return {};
  if (PassContext::operand(node, 2) != kNone && gemm->beta != 1) return {};
  return context.value(node.inputs[0]).type.shape.rank() == 2 ? std::optional(Form{gemm->transB ? 0 : 1, gemm->transB})
                                                              : std::nullopt;
}

Op operator_for(const Node& node, bool has_bias) {
  if (const auto* c = node.op.as<Conv>()) {
    QLinearConv out;
    out.auto_pad = c->auto_pad;
    out.dilations = c->dilations;
    out.group = c->group;
    out.kernel_shape = c->kernel_shape;
    out.pads = c->pads;
    out.strides = c->strides;
    return out;
  }
  return has_bias ? Op(FusedQLinearMatMul{}) : Op(QLinearMatMul{});
}

}  // namespace

std::optional<Patch> fuse_qdq(const PassContext& context, NodeId id) {
  const Node& quantise = context.node(id);
  const auto y = quantised_result(context, quantise);
  if (!y || context.value(quantise.inputs[0]).type.dtype != DType::f32) return {};
  const auto body = body_of(context, quantise.inputs[0], *y);
  if (!body || body->node->inputs.size() < 2) return {};
  const auto a = dequantised(context, body->node->inputs[0]), b = dequantised(context, body->node->inputs[1]);
  if (!a || !b || !is_byte(a->dtype) || !is_byte(b->dtype) || !a->has_one_scale()) return {};
  const Shape& shape = context.value(b->value).type.shape;
  const auto form = form_of(context, *body->node, shape.rank());
  if (!form || !b->has_scales_along(form->axis, shape.rank())) return {};

  Patch patch(context.graph());
  std::vector<ValueId> operands = operands_of(patch, *a, *b, *y);
  if (body->bias != kNone) {
    const int64_t at = form->axis < 0 ? static_cast<int64_t>(shape.rank()) - 1 : form->axis;
    if (at < 0 || !shape[static_cast<size_t>(at)].is_number()) return {};
    const Tensor bias = integer_bias(context, body->bias, shape[static_cast<size_t>(at)].number(), *a, *b);
    if (!bias.defined()) return {};
    operands.push_back(patch.add_constant(context.value(body->bias).name, bias));
  }
  if (form->transposed) operands[3] = patch.add_node(*body->node, Transpose{.perm = {1, 0}}, {b->value});
  for (NodeId removed : body->removed) patch.remove(removed);
  patch.remove(id);
  patch.replace(quantise.outputs[0],
                patch.add_node(*body->node, operator_for(*body->node, body->bias != kNone), operands));
  return patch;
}

}  // namespace onemodel

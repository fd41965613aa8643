#include "passes/quantised.h"

#include "ops/quantize_linear.h"

namespace onemodel {
namespace {

std::optional<Quantised> quantised(const PassContext& context, ValueId value, const Node& node, int64_t axis) {
  const ValueId zero = PassContext::operand(node, 2);
  if (!context.is_constant(node.inputs[1]) || (zero != kNone && !context.is_constant(zero))) return {};
  Quantised out{.value = value,
                .scale = node.inputs[1],
                .zero = zero,
                .dtype = context.value(value).type.dtype,
                .scales = context.value(node.inputs[1]).constant,
                .zeros = zero == kNone ? Tensor() : context.value(zero).constant,
                .axis = axis};
  if (out.scales.dtype() != DType::f32 || out.scales.numel() == 0) return {};
  return out;
}

}  // namespace

std::optional<Quantised> dequantised(const PassContext& context, ValueId value) {
  const Node* node = context.produced_by<DequantizeLinear>(value);
  if (!node || node->clamp || context.value(value).type.dtype != DType::f32) return {};
  const auto* op = node->op.as<DequantizeLinear>();
  return op->block_size.value_or(0) == 0 ? quantised(context, node->inputs[0], *node, op->axis) : std::nullopt;
}

std::optional<Quantised> quantised_result(const PassContext& context, const Node& node) {
  const auto* op = node.op.as<QuantizeLinear>();
  if (!op || node.clamp || op->block_size.value_or(0) != 0) return {};
  if (op->precision != DType::undefined && op->precision != DType::f32) return {};
  auto out = quantised(context, node.outputs[0], node, op->axis);
  return out && out->has_one_scale() && is_byte(out->dtype) ? out : std::nullopt;
}

}  // namespace onemodel

// Add(Conv(x, w), c) and Add(c, Conv(x, w)) → Conv(x, w, c) for a constant c of one element per channel.
// Does not apply when the convolution has a bias or a bound already, is read elsewhere or is a graph
// output, when c is not constant or varies along other axes, or for other dtypes than float32 and float64
// (half precision would round once instead of twice).
// Keeps every bit: the portable kernel adds the bias to the rounded sum.

#include "ops/binary.h"
#include "ops/conv.h"
#include "passes/passes.h"

namespace onemodel {
namespace {

// [m, 1, 1] or [1, m, 1, 1] beside [batch, m, h, w].
bool is_per_channel(const Dims& dims, const Shape& output) {
  const size_t rank = output.rank();
  if (dims.size() + 1 < rank || dims.size() > rank) return false;
  const size_t channel = dims.size() + 1 - rank;
  return Extent(dims[channel]) == output[1] && numel(dims) == dims[channel];
}

}  // namespace

std::optional<Patch> fuse_bias_into_conv(const PassContext& context, NodeId id) {
  const Node& add = context.node(id);
  if (!add.op.is<Add>()) return {};
  const size_t side = context.produced_by<Conv>(add.inputs[0]) ? 0 : 1;
  const ValueId sum = add.inputs[side], bias = add.inputs[1 - side];
  const Node* conv = context.produced_by<Conv>(sum);
  if (!conv || conv->clamp || !context.used_once(sum) || !context.is_constant(bias)) return {};
  if (PassContext::operand(*conv, 2) != kNone) return {};
  const TensorType& type = context.value(sum).type;
  if (type.dtype != DType::f32 && type.dtype != DType::f64) return {};
  const Tensor& constant = context.value(bias).constant;
  if (!is_per_channel(constant.dims(), type.shape)) return {};

  Patch patch(context.graph());
  const ValueId vector = patch.add_constant(context.value(bias).name, constant.reshape({constant.numel()}));
  patch.remove(context.value(sum).producer);
  patch.remove(id);
  patch.replace(add.outputs[0], patch.add_node(*conv, conv->op, {conv->inputs[0], conv->inputs[1], vector}, add.clamp));
  return patch;
}

}  // namespace onemodel

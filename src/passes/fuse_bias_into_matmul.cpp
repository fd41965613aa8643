// Add(MatMul(a, b), c) and Add(c, MatMul(a, b)) → FusedMatMul(a, b, c) for a constant c of one element per
// column.
// Does not apply when the product is read elsewhere or is a graph output, when c is not constant or varies
// along other axes, when b is a vector, or for other dtypes than float32 and float64 (half precision would
// round once instead of twice).
// Keeps every bit: the portable kernel adds the bias to the rounded sum.

#include "ops/binary.h"
#include "ops/fused_matmul.h"
#include "ops/matmul.h"
#include "passes/passes.h"

namespace onemodel {
namespace {

bool is_row(const Dims& dims, const Extent& columns) {
  return !dims.empty() && columns == Extent(dims.back()) && numel(dims) == dims.back();
}

}  // namespace

std::optional<Patch> fuse_bias_into_matmul(const PassContext& context, NodeId id) {
  const Node& add = context.node(id);
  if (!add.op.is<Add>()) return {};
  const size_t side = context.produced_by<MatMul>(add.inputs[0]) ? 0 : 1;
  const ValueId product = add.inputs[side], bias = add.inputs[1 - side];
  const Node* matmul = context.produced_by<MatMul>(product);
  if (!matmul || matmul->clamp || !context.used_once(product) || !context.is_constant(bias)) return {};
  const TensorType& type = context.value(product).type;
  if (type.dtype != DType::f32 && type.dtype != DType::f64) return {};
  if (!(context.value(add.outputs[0]).type == type)) return {};
  if (context.value(matmul->inputs[1]).type.shape.rank() < 2) return {};
  const Tensor& constant = context.value(bias).constant;
  if (!is_row(constant.dims(), type.shape[type.shape.rank() - 1])) return {};

  Patch patch(context.graph());
  const ValueId row =
      constant.rank() == 1 ? bias : patch.add_constant(context.value(bias).name, constant.reshape({constant.numel()}));
  patch.remove(context.value(product).producer);
  patch.remove(id);
  patch.replace(add.outputs[0],
                patch.add_node(*matmul, FusedMatMul{}, {matmul->inputs[0], matmul->inputs[1], row}, add.clamp));
  return patch;
}

}  // namespace onemodel

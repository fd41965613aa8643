#include "onnx/lower_fused.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "ops/binary.h"
#include "ops/conditions.h"
#include "ops/fused_attention.h"
#include "ops/fused_matmul.h"
#include "ops/gather.h"
#include "ops/matmul.h"
#include "ops/matmul_integer.h"
#include "ops/quantize_linear.h"
#include "ops/softmax.h"
#include "ops/transpose.h"

namespace onemodel {
namespace {

void product_and_sum(LoweredGraph& graph, const Node& node) {
  const ValueId product = graph.make(node, "product", MatMul{}, {node.inputs[0], node.inputs[1]});
  graph.give(node, Add{}, {product, node.inputs[2]});
}

// Keys or values with each head as often as queries share it.
struct Heads {
  size_t axis = 0;     // before the permutation
  Tensor places = {};  // undefined: as they are
  bool known = true;
};

Heads heads_of(const TensorType& type, const std::vector<int64_t>& perm, int64_t groups) {
  if (groups == 1) return {};
  const size_t rank = type.shape.rank();
  if (rank < 3) return {.known = false};
  const size_t axis = perm.empty() ? rank - 3 : static_cast<size_t>(perm[rank - 3]);
  if (!type.shape[axis].is_number()) return {.known = false};
  std::vector<int64_t> places;
  for (int64_t i = 0; i < type.shape[axis].number() * groups; ++i) places.push_back(i / groups);
  return {axis, Tensor::from_ints(places)};
}

bool attention(LoweredGraph& graph, const Node& node, const FusedAttention& op) {
  const TensorType k_type = *graph.type(node, 1), v_type = *graph.type(node, 2);
  const DType dtype = k_type.dtype;
  const Heads k_heads = heads_of(k_type, op.k_perm, op.groups), v_heads = heads_of(v_type, op.v_perm, op.groups);
  if (dtype == DType::undefined || v_type.dtype == DType::undefined || !k_heads.known || !v_heads.known) return false;
  const auto permuted = [&](ValueId id, const std::vector<int64_t>& perm, std::string_view suffix) {
    return std::ranges::is_sorted(perm) ? id : graph.make(node, suffix, Transpose{.perm = perm}, {id});
  };
  const auto repeated = [&](ValueId id, const Heads& heads, std::string_view suffix) {
    if (!heads.places.defined()) return id;
    const ValueId places = graph.add_constant(node, "heads", heads.places);
    return graph.make(node, suffix, Gather{.axis = static_cast<int64_t>(heads.axis)}, {id, places});
  };
  std::vector<int64_t> k_perm = op.k_perm;
  if (k_perm.empty()) {
    k_perm.resize(k_type.shape.rank());
    std::iota(k_perm.begin(), k_perm.end(), int64_t{0});
  }
  std::swap(k_perm[k_perm.size() - 1], k_perm[k_perm.size() - 2]);
  const ValueId q = permuted(node.inputs[0], op.q_perm, "q");
  const ValueId k = permuted(repeated(node.inputs[1], k_heads, "shared_k"), k_perm, "k");
  const ValueId v = permuted(repeated(node.inputs[2], v_heads, "shared_v"), op.v_perm, "v");
  const auto number = [&](std::string_view suffix, float value) {
    return graph.add_constant(node, suffix, Tensor::full({}, static_cast<double>(value), dtype));
  };
  ValueId scores = graph.make(node, "scores", MatMul{}, {q, k});
  if (op.scale != 1) scores = graph.make(node, "scaled", Mul{}, {scores, number("scale", op.scale)});
  if (const TensorType* mask = graph.type(node, 3))
    scores = mask->dtype == DType::boolean
                 ? graph.make(node, "masked", Where{}, {node.inputs[3], scores, number("fill", op.fill)})
                 : graph.make(node, "masked", Add{}, {scores, node.inputs[3]});
  const ValueId weights = graph.make(node, "weights", Softmax{}, {scores});
  if (std::ranges::is_sorted(op.y_perm)) {
    graph.give(node, MatMul{}, {weights, v});
  } else {
    const ValueId y = graph.make(node, "y", MatMul{}, {weights, v});
    graph.give(node, Transpose{.perm = op.y_perm}, {y});
  }
  return true;
}

// The zero point of `operand` in the shape of its scale, as DequantizeLinear wants it: it may be one number for all.
ValueId zero_like(LoweredGraph& graph, const Node& node, size_t operand, const Tensor& scale) {
  const ValueId id = node.inputs[operand];
  const Tensor zero = graph.value(id).constant;
  if (zero.dims() == scale.dims()) return id;
  return graph.add_constant(node, "zero_point", Tensor::full(scale.dims(), zero.item<double>(), zero.dtype()));
}

bool quantised_product(LoweredGraph& graph, const Node& node) {
  enum : size_t { kA, kAScale, kAZero, kB, kBScale, kBZero, kYScale, kYZero, kBias };
  const auto constant = [&](size_t i) { return graph.value(node.inputs[i]).constant; };
  const Tensor a_scale = constant(kAScale), b_scale = constant(kBScale);
  const size_t b_rank = graph.type(node, kB)->shape.rank();
  for (const Tensor& scale : {a_scale, b_scale})
    if (!scale.defined() || scale.dtype() != DType::f32) return false;
  if (a_scale.numel() != 1 || b_scale.rank() > 1 || b_rank < 2) return false;
  for (const auto& [zero, scale] : {std::pair(constant(kAZero), a_scale), std::pair(constant(kBZero), b_scale)})
    if (!zero.defined() || (zero.numel() != 1 && !(zero.dims() == scale.dims()))) return false;
  // The bias counts in steps of both scales.
  std::vector<float> steps = b_scale.to_vector<float>();
  for (float& step : steps) step *= a_scale.item<float>();
  const Dims dims = steps.size() == 1 ? Dims{} : Dims{static_cast<int64_t>(steps.size())};
  const ValueId step = graph.add_constant(node, "bias_scale", Tensor::from(std::span<const float>(steps), dims));
  const auto in = [&](size_t i) { return node.inputs[i]; };
  const ValueId a_zero = zero_like(graph, node, kAZero, a_scale), b_zero = zero_like(graph, node, kBZero, b_scale);
  const ValueId a = graph.make(node, "a", DequantizeLinear{}, {in(kA), in(kAScale), a_zero});
  const ValueId b =
      graph.make(node, "b", DequantizeLinear{.axis = static_cast<int64_t>(b_rank) - 1}, {in(kB), in(kBScale), b_zero});
  const ValueId bias = graph.make(node, "bias", DequantizeLinear{.axis = 0}, {in(kBias), step});
  const ValueId product = graph.make(node, "product", MatMul{}, {a, b});
  const ValueId sum = graph.make(node, "sum", Add{}, {product, bias});
  graph.give(node, QuantizeLinear{}, {sum, in(kYScale), in(kYZero)});
  return true;
}

}  // namespace

bool lower_fused(LoweredGraph& graph, const Node& node) {
  if (node.op.is<FusedMatMul>()) return product_and_sum(graph, node), true;
  if (const auto* op = node.op.as<FusedAttention>()) return attention(graph, node, *op);
  return node.op.is<FusedQLinearMatMul>() && quantised_product(graph, node);
}

}  // namespace onemodel

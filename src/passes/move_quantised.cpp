// QuantizeLinear(f(DequantizeLinear(x), …)) → f(x, …) where f moves elements or takes the largest of them (MaxPool), and
// QuantizeLinear(Relu(DequantizeLinear(x))) → Clip(x, zero point), all with one scale and zero point: the integers are
// those that f would move.
// Does not apply when the scales or zero points differ or are not constant, when there is more than one scale, for
// integers of other than 8 bits, when a result between is read elsewhere, and for a scale with which an integer does not
// come back as itself.
// Keeps every bit.

#include <cmath>

#include "ops/clip.h"
#include "ops/concat.h"
#include "ops/expand.h"
#include "ops/gather.h"
#include "ops/gather_elements.h"
#include "ops/pool.h"
#include "ops/reshape.h"
#include "ops/slice.h"
#include "ops/tile.h"
#include "ops/transpose.h"
#include "ops/unary.h"
#include "passes/passes.h"
#include "passes/quantised.h"

namespace onemodel {
namespace {

// Of one operand; the others only say how.
bool moves_first(const Op& op) {
  return op.is<Reshape>() || op.is<Flatten>() || op.is<Squeeze>() || op.is<Unsqueeze>() || op.is<Identity>() ||
         op.is<Transpose>() || op.is<Slice>() || op.is<Expand>() || op.is<Tile>() || op.is<Gather>() ||
         op.is<GatherElements>() || op.is<GatherND>() || op.is<MaxPool>();
}

int32_t zero_of(const Quantised& q) { return q.zeros.defined() ? q.zeros.item<int32_t>() : 0; }

bool same_steps(const Quantised& a, const Quantised& b) {
  return a.dtype == b.dtype && a.has_one_scale() && a.scales.item<float>() == b.scales.item<float>() &&
         zero_of(a) == zero_of(b);
}

// Whether quantising gives back every integer that is dequantised.
bool gives_back(const Quantised& q) {
  const auto scale = q.scales.item<float>();
  if (!(scale > 0)) return false;
  const int32_t lowest = q.dtype == DType::u8 ? 0 : -128, zero = zero_of(q);
  for (int32_t level = lowest - zero; level <= lowest + 255 - zero; ++level) {
    const auto wide = static_cast<float>(level);
    if (std::nearbyint(wide * scale / scale) != wide) return false;
  }
  return true;
}

}  // namespace

std::optional<Patch> move_quantised(const PassContext& context, NodeId id) {
  const Node& quantise = context.node(id);
  const auto y = quantised_result(context, quantise);
  if (!y || !context.used_once(quantise.inputs[0])) return {};
  const Node* move = context.graph().producer(quantise.inputs[0]);
  if (!move || move->clamp || move->outputs.size() != 1) return {};
  const bool rectifies = move->op.is<Relu>();
  if (!rectifies && !move->op.is<Concat>() && !moves_first(move->op)) return {};
  std::vector<ValueId> operands = move->inputs;
  const size_t moved = move->op.is<Concat>() ? operands.size() : 1;
  for (size_t i = 0; i < moved; ++i) {
    const auto x = dequantised(context, operands[i]);
    if (!x || !same_steps(*x, *y)) return {};
    operands[i] = x->value;
  }
  if (!gives_back(*y)) return {};

  Patch patch(context.graph());
  if (rectifies) operands.push_back(patch.add_constant("zero_point", Tensor::full({}, zero_of(*y), y->dtype)));
  patch.remove(context.value(quantise.inputs[0]).producer);
  patch.remove(id);
  patch.replace(quantise.outputs[0], patch.add_node(*move, rectifies ? Op(Clip{}) : move->op, std::move(operands)));
  return patch;
}

}  // namespace onemodel

// MatMul(Softmax(s), v) with s = MatMul(q, k^T), Mul or Div by a constant, Add of a mask or Where with a constant, the
// last two where they occur → FusedAttention(q, k, v, mask). Constant factors of q and k, transpositions of q, k and v,
// and copies of the heads of k and v go into it.
// Does not apply when a value in between is read elsewhere, is a graph output or has a bound, when the softmax is not
// over the last axis, when the factor is not constant, when a mask or v has axes that the scores have not, and for
// other dtypes than float32. Transpositions that leave no elements of a row adjacent stay.
// Does not keep every bit: sums are taken in another order.

#include <cmath>

#include "ops/binary.h"
#include "ops/conditions.h"
#include "ops/expand.h"
#include "ops/fused_attention.h"
#include "ops/matmul.h"
#include "ops/reshape.h"
#include "ops/softmax.h"
#include "ops/tile.h"
#include "ops/transpose.h"
#include "passes/constants.h"
#include "passes/passes.h"
#include "passes/permutation.h"

namespace onemodel {
namespace {

struct Factor {
  ValueId of;
  double value;
};

// What the node multiplies by one constant number.
std::optional<Factor> factor_of(const PassContext& context, const Node& node) {
  const bool divides = node.op.is<Div>();
  if (node.clamp || !(divides || node.op.is<Mul>())) return {};
  for (size_t side : {0, 1}) {
    const ValueId x = node.inputs[side], constant = node.inputs[1 - side];
    if ((divides && side == 1) || !context.is_constant(constant) || context.is_constant(x)) continue;
    const auto value = uniform_value(context.value(constant).constant);
    if (!value || !std::isfinite(*value) || *value == 0) continue;
    if (context.value(x).type == context.value(node.outputs[0]).type) return Factor{x, divides ? 1 / *value : *value};
  }
  return {};
}

bool broadcasts_to(const Shape& shape, const Shape& target) {
  if (shape.rank() > target.rank()) return false;
  const size_t lead = target.rank() - shape.rank();
  for (size_t i = 0; i < shape.rank(); ++i)
    if (!(shape[i] == Extent(1)) && !(shape[i] == target[lead + i])) return false;
  return true;
}

/// The scores, from the softmax's input up to their operands.
struct Scores {
  ValueId q = kNone, transposed_k = kNone;
  double scale = 1;
  ValueId mask = kNone;
  bool inverted = false;  // the mask is true where scores are left out
  double fill = 0;
  std::vector<NodeId> nodes;
};

class ScoresMatcher {
 public:
  explicit ScoresMatcher(const PassContext& context) : context_(context) {}

  std::optional<Scores> match(ValueId id) const {
    const Node* node = only_read(id);
    if (!node) return {};
    const TensorType& type = context_.value(id).type;
    const bool adds = node->op.is<Add>();
    if (!adds && !node->op.is<Where>()) return product(id, type);
    const size_t first = adds ? 0 : 1;
    for (size_t side : {first, first + 1}) {
      const ValueId other = node->inputs[2 * first + 1 - side], mask = adds ? other : node->inputs[0];
      auto scores = product(node->inputs[side], type);
      if (!scores || !fits(other, type) || !fits(mask, type)) continue;
      if (!adds) {
        const auto fill = context_.is_constant(other) ? uniform_value(context_.value(other).constant) : std::nullopt;
        if (!fill) continue;
        scores->fill = *fill;
      }
      scores->mask = mask;
      scores->inverted = !adds && side == 2;
      scores->nodes.push_back(producer(id));
      return scores;
    }
    return {};
  }

  /// The node that makes `id`, when only one reader sees it.
  const Node* only_read(ValueId id) const {
    const Node* node = context_.graph().producer(id);
    return node && !node->clamp && context_.used_once(id) ? node : nullptr;
  }

 private:
  NodeId producer(ValueId id) const { return context_.value(id).producer; }
  bool fits(ValueId id, const TensorType& type) const {
    return broadcasts_to(context_.value(id).type.shape, type.shape);
  }

  std::optional<Scores> product(ValueId id, const TensorType& type) const {
    if (!(context_.value(id).type == type)) return {};
    Scores out;
    for (const Node* node = only_read(id); node; node = only_read(id)) {
      out.nodes.push_back(producer(id));
      if (node->op.is<MatMul>()) {
        out.q = node->inputs[0], out.transposed_k = node->inputs[1];
        return out;
      }
      const auto factor = factor_of(context_, *node);
      if (!factor) return {};
      out.scale *= factor->value;
      id = factor->of;
    }
    return {};
  }

  const PassContext& context_;
};

/// An operand of the attention: what it reads, and how.
struct Operand {
  ValueId id;
  std::vector<int64_t> perm;
  double scale = 1;
};

// Queries and values have rows of adjacent elements; keys may be adjacent to each other instead.
enum class Role : uint8_t { query, key, value };

bool reads_rows(const std::vector<int64_t>& perm, Role role) {
  const size_t rank = perm.size();
  const auto last = static_cast<int64_t>(rank) - 1;
  return perm[rank - 1] == last || (role == Role::key && perm[rank - 2] == last);
}

/// Takes transpositions and, except of the values, factors into the operand.
void absorb(const PassContext& context, Operand& operand, Role role) {
  while (const Node* node = context.graph().producer(operand.id)) {
    if (const auto* transpose = node->op.as<Transpose>(); transpose && !node->clamp) {
      auto perm = composed(transpose->axes(operand.perm.size()), operand.perm);
      if (!reads_rows(perm, role)) return;
      operand.perm = std::move(perm);
      operand.id = node->inputs[0];
      continue;
    }
    const auto factor = role == Role::value ? std::nullopt : factor_of(context, *node);
    if (!factor) return;
    operand.scale *= factor->value;
    operand.id = factor->of;
  }
}

/// Heads that were copied, as [b, h, s, e] → [b, h, 1, s, e] → [b, h, g, s, e] → [b, h * g, s, e].
struct SharedHeads {
  ValueId of;
  int64_t groups;
};

std::optional<SharedHeads> shared_heads(const PassContext& context, const Operand& operand) {
  if (operand.perm.size() != 4 || operand.perm[0] != 0 || operand.perm[1] != 1) return {};
  const auto shape = [&](ValueId id) -> const Shape& { return context.value(id).type.shape; };
  const Node* flat = context.produced_by<Reshape>(operand.id);
  const Node* wide = flat ? context.graph().producer(flat->inputs[0]) : nullptr;
  if (!wide || !(wide->op.is<Expand>() || wide->op.is<Tile>())) return {};
  const Node* narrow = context.graph().producer(wide->inputs[0]);
  if (!narrow || !(narrow->op.is<Reshape>() || narrow->op.is<Unsqueeze>())) return {};
  if (flat->clamp || wide->clamp || narrow->clamp) return {};
  const Shape &own = shape(narrow->inputs[0]), &many = shape(wide->outputs[0]);
  if (own.rank() != 4 || many.rank() != 5 || !many[2].is_number()) return {};
  Shape one = own, all = own;
  one.insert(2, 1);
  Shape expected = one;
  expected[2] = many[2];
  all[1] = own[1] * many[2];
  if (!(shape(narrow->outputs[0]) == one) || !(many == expected) || !(shape(operand.id) == all)) return {};
  return SharedHeads{narrow->inputs[0], many[2].number()};
}

}  // namespace

std::optional<Patch> fuse_attention(const PassContext& context, NodeId id) {
  const Node& product = context.node(id);
  if (!product.op.is<MatMul>() || product.clamp) return {};
  const ScoresMatcher matcher(context);
  const Node* softmax = matcher.only_read(product.inputs[0]);
  if (!softmax || !softmax->op.is<Softmax>()) return {};
  const TensorType& type = context.value(product.inputs[0]).type;
  const size_t rank = type.shape.rank();
  if (type.dtype != DType::f32 || rank < 2) return {};
  if (normalize_axis("Softmax", softmax->op.as<Softmax>()->axis, rank) != rank - 1) return {};
  const auto scores = matcher.match(softmax->inputs[0]);
  if (!scores) return {};
  const auto rank_of = [&](ValueId value) { return context.value(value).type.shape.rank(); };
  const ValueId v = product.inputs[1];
  for (ValueId operand : {scores->q, scores->transposed_k, v})
    if (rank_of(operand) < 2) return {};
  Shape expected = type.shape;
  expected[rank - 1] = context.value(v).type.shape[rank_of(v) - 1];
  if (!(context.value(product.outputs[0]).type.shape == expected)) return {};

  Operand query{scores->q, identity_permutation(rank_of(scores->q))};
  Operand key{scores->transposed_k, identity_permutation(rank_of(scores->transposed_k))};
  Operand value{v, identity_permutation(rank_of(v))};
  std::swap(key.perm[key.perm.size() - 1], key.perm[key.perm.size() - 2]);
  absorb(context, query, Role::query);
  absorb(context, key, Role::key);
  absorb(context, value, Role::value);
  FusedAttention attention;
  const auto shared_keys = shared_heads(context, key), shared_values = shared_heads(context, value);
  if (shared_keys && shared_values && shared_keys->groups == shared_values->groups) {
    attention.groups = shared_keys->groups;
    key.id = shared_keys->of, value.id = shared_values->of;
    absorb(context, key, Role::key);
    absorb(context, value, Role::value);
  }
  attention.scale = static_cast<float>(scores->scale * query.scale * key.scale);
  attention.q_perm = unless_identity(query.perm);
  attention.k_perm = unless_identity(key.perm);
  attention.v_perm = unless_identity(value.perm);

  Patch patch(context.graph());
  for (NodeId node : scores->nodes) patch.remove(node);
  patch.remove(context.value(product.inputs[0]).producer);
  patch.remove(id);
  std::vector<ValueId> inputs{query.id, key.id, value.id};
  if (scores->mask != kNone) {
    const bool chosen = context.value(scores->mask).type.dtype == DType::boolean;
    if (chosen) attention.fill = static_cast<float>(scores->fill);
    inputs.push_back(scores->inverted ? patch.add_node(*softmax, Not{}, {scores->mask}) : scores->mask);
  }
  patch.replace(product.outputs[0], patch.add_node(product, std::move(attention), std::move(inputs)));
  return patch;
}

}  // namespace onemodel

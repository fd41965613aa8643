// Attention and rotary positions of opset 23, caches of opset 24.

#include <cmath>
#include <limits>

#include "core/error.h"
#include "onnx/functions/families.h"

namespace onemodel {
namespace {

using Ref = NodeWriter::Ref;

int64_t known_extent(const FunctionCall& call, Ref value, size_t axis, std::string_view what) {
  const Shape shape = call.type(value).shape;
  if (axis >= shape.rank() || !shape[axis].is_number())
    throw ModelError("Unsupported", concat(what, " needs to be known, got ", shape));
  return shape[axis].number();
}

// The extent of an axis as a value: int64 scalar.
Ref extent(FunctionCall& call, Ref value, int64_t axis) {
  return call.make("Gather", {call.make("Shape", {value}), call.number(static_cast<double>(axis), DType::i64)},
                   {{"axis", 0}});
}

Ref transpose(FunctionCall& call, Ref x, std::vector<int64_t> perm) {
  return call.make("Transpose", {x}, "perm", std::move(perm));
}

// [batch, length, heads * size] to [batch, heads, length, size]; what has four axes already is left.
Ref by_head(FunctionCall& call, Ref x, int64_t heads, std::string_view attribute) {
  if (call.rank(x) == 4) return x;
  if (call.rank(x) != 3) throw ModelError("Malformed", concat("expects rank 3 or 4, got ", call.type(x).shape));
  if (heads < 1) throw ModelError("Malformed", concat("attribute '", attribute, "' is needed for rank 3"));
  return transpose(call, call.make("Reshape", {x, call.integers({0, 0, heads, -1})}), {0, 2, 1, 3});
}

// Each head of keys or values serves `times` heads of queries.
Ref repeat_heads(FunctionCall& call, Ref x, int64_t times) {
  if (times == 1) return x;
  const int64_t heads = known_extent(call, x, 1, "the number of heads"),
                size = known_extent(call, x, 3, "the head size");
  const Ref apart = call.make("Unsqueeze", {x, call.integers({2})});
  const Ref copies = call.make("Expand", {apart, call.integers({1, 1, times, 1, 1})});
  return call.make("Reshape", {copies, call.integers({0, heads * times, -1, size})});
}

Ref range(FunctionCall& call, Ref from, Ref to) { return call.make("Range", {from, to, call.number(1, DType::i64)}); }

// 0 where `allowed`, else minus infinity.
Ref bias_of(FunctionCall& call, Ref allowed, DType dtype) {
  return call.make("Where",
                   {allowed, call.number(0, dtype), call.number(-std::numeric_limits<double>::infinity(), dtype)});
}

// A query sees the keys up to its own place; those of the past come first.
Ref causal_bias(FunctionCall& call, Ref query, Ref key, Ref past, DType dtype) {
  const Ref zero = call.number(0, DType::i64);
  Ref places = range(call, zero, extent(call, query, 2));
  if (!past.empty()) places = call.make("Add", {places, extent(call, past, 2)});
  const Ref rows = call.make("Unsqueeze", {places, call.integers({1})});
  return bias_of(call, call.make("LessOrEqual", {range(call, zero, extent(call, key, 2)), rows}), dtype);
}

// Keys from a sequence's length on are padding.
Ref padding_bias(FunctionCall& call, Ref key, Ref lengths, DType dtype) {
  const Ref limits = call.with_trailing_axes(call.cast(lengths, DType::i64), 3);
  return bias_of(call, call.make("Less", {range(call, call.number(0, DType::i64), extent(call, key, 2)), limits}),
                 dtype);
}

struct Heads {
  Ref query, key, value;
};

Ref with_masks(FunctionCall& call, Ref scores, const Heads& heads, DType dtype) {
  const Ref mask = call.input(3), lengths = call.input(6);
  const bool is_causal = call.integer("is_causal", 0) != 0;
  if (is_causal && !lengths.empty() && call.input(4).empty())
    throw ModelError("Unsupported", "is_causal with nonpad_kv_seqlen and without past_key is not supported");
  if (!mask.empty())
    scores = call.make(
        "Add", {scores, call.dtype(mask) == DType::boolean ? bias_of(call, mask, dtype) : call.cast(mask, dtype)});
  if (is_causal) scores = call.make("Add", {scores, causal_bias(call, heads.query, heads.key, call.input(4), dtype)});
  if (!lengths.empty()) scores = call.make("Add", {scores, padding_bias(call, heads.key, lengths, dtype)});
  return scores;
}

Ref capped(FunctionCall& call, Ref scores, DType dtype) {
  const double cap = call.real("softcap", 0);
  if (cap == 0) return scores;
  const Ref most = call.number(cap, dtype);
  return call.make("Mul", {call.make("Tanh", {call.make("Div", {scores, most})}), most});
}

// Appends to the past, and tells the whole as output `index`.
Ref with_past(FunctionCall& call, Ref past, Ref now, size_t index) {
  const Ref all = past.empty() ? now : call.make("Concat", {past, now}, {{"axis", 2}});
  call.give(index, "Identity", {all});
  return all;
}

Heads heads_of(FunctionCall& call) {
  const int64_t queries = call.integer("q_num_heads", 0), keys = call.integer("kv_num_heads", 0);
  Heads heads{by_head(call, call.input(0), queries, "q_num_heads"), by_head(call, call.input(1), keys, "kv_num_heads"),
              by_head(call, call.input(2), keys, "kv_num_heads")};
  heads.key = with_past(call, call.input(4), heads.key, 1);
  heads.value = with_past(call, call.input(5), heads.value, 2);
  const int64_t of_query = known_extent(call, heads.query, 1, "the number of heads");
  const int64_t of_key = known_extent(call, heads.key, 1, "the number of heads");
  if (of_key < 1 || of_query % of_key != 0)
    throw ModelError("Malformed", concat(of_query, " heads of queries do not divide into ", of_key, " of keys"));
  heads.key = repeat_heads(call, heads.key, of_query / of_key);
  heads.value = repeat_heads(call, heads.value, of_query / of_key);
  return heads;
}

void attention(FunctionCall& call) {
  const Heads heads = heads_of(call);
  const DType dtype = call.dtype(heads.query);
  double scale = call.real("scale", 0);
  if (scale == 0) scale = 1 / std::sqrt(static_cast<double>(known_extent(call, heads.query, 3, "the head size")));
  const Ref products = call.make("MatMul", {heads.query, transpose(call, heads.key, {0, 1, 3, 2})});
  const Ref scores = call.make("Mul", {products, call.number(scale, dtype)});
  const Ref soft = capped(call, scores, dtype), masked = with_masks(call, soft, heads, dtype);
  const DType precision = call.element_type("softmax_precision", dtype);
  const Ref weights = call.cast(call.make("Softmax", {call.cast(masked, precision)}, {{"axis", -1}}), dtype);
  const Ref stages[] = {scores, soft, masked, weights};
  const int64_t stage = call.integer("qk_matmul_output_mode", 0);
  if (stage < 0 || stage > 3) throw ModelError("Malformed", "attribute 'qk_matmul_output_mode' expects 0 to 3");
  call.give(3, "Identity", {stages[stage]});
  const Ref y = call.make("MatMul", {weights, heads.value});
  if (call.rank(call.input(0)) == 4) return call.give(0, "Identity", {y});
  call.give(0, "Reshape", {transpose(call, y, {0, 2, 1, 3}), call.integers({0, 0, -1})});
}

// Columns from `first` to `end` of the last axis, each `step`-th.
Ref columns(FunctionCall& call, Ref x, int64_t first, int64_t end, int64_t step = 1) {
  return call.make("Slice",
                   {x, call.integers({first}), call.integers({end}), call.integers({-1}), call.integers({step})});
}

// Turns the pairs (a, b): halves of `x`, or with interleaving its even and odd columns.
Ref rotated(FunctionCall& call, Ref x, int64_t size, Ref cosine, Ref sine) {
  const bool interleaved = call.integer("interleaved", 0) != 0;
  const int64_t half = size / 2;
  const Ref a = interleaved ? columns(call, x, 0, size, 2) : columns(call, x, 0, half);
  const Ref b = interleaved ? columns(call, x, 1, size, 2) : columns(call, x, half, size);
  const auto mul = [&](Ref left, Ref right) { return call.make("Mul", {left, right}); };
  Ref real = call.make("Sub", {mul(cosine, a), mul(sine, b)}),
      imaginary = call.make("Add", {mul(sine, a), mul(cosine, b)});
  if (!interleaved) return call.make("Concat", {real, imaginary}, {{"axis", -1}});
  real = call.with_trailing_axes(real, 1), imaginary = call.with_trailing_axes(imaginary, 1);
  const Ref pairs = call.make("Concat", {real, imaginary}, {{"axis", -1}});
  return call.make("Reshape", {pairs, call.integers({0, 0, 0, -1})});
}

void rotary_embedding(FunctionCall& call) {
  const Ref given = call.input(0), places = call.input(3);
  const bool has_heads = call.rank(given) == 4;  // [batch, heads, length, size]; else [batch, length, heads * size]
  const int64_t heads = call.integer("num_heads", 0);
  if (!has_heads && heads < 1) throw ModelError("Malformed", "attribute 'num_heads' is needed for rank 3");
  const Ref x = has_heads ? given : call.make("Reshape", {given, call.integers({0, 0, heads, -1})});
  const int64_t size = known_extent(call, x, 3, "the head size");
  int64_t turning = call.integer("rotary_embedding_dim", 0);
  if (turning == 0) turning = size;
  if (turning < 2 || turning > size || turning % 2)
    throw ModelError("Malformed",
                     concat("'rotary_embedding_dim' expects an even number up to ", size, ", got ", turning));
  const auto angles = [&](size_t input) {
    const Ref cache =
        places.empty() ? call.input(input) : call.make("Gather", {call.input(input), places}, {{"axis", 0}});
    return call.make("Unsqueeze", {cache, call.integers({has_heads ? 1 : 2})});
  };
  const Ref part = turning == size ? x : columns(call, x, 0, turning);
  Ref y = rotated(call, part, turning, angles(1), angles(2));
  if (turning < size) y = call.make("Concat", {y, columns(call, x, turning, size)}, {{"axis", -1}});
  if (has_heads) return call.give(0, "Identity", {y});
  call.give(0, "Reshape", {y, call.integers({0, 0, -1})});
}

// A cache of keys or values with `update` written at write_indices of each entry of the batch.
void tensor_scatter(FunctionCall& call) {
  const Ref cache = call.input(0), update = call.input(1);
  const size_t rank = call.rank(update);
  const int64_t given = call.integer("axis", -2);
  const size_t axis = normalize_axis("TensorScatter", given, rank);
  if (axis == 0)
    throw ModelError("Malformed", concat("attribute 'axis' expects an axis behind the batch, got ", given));
  const std::string mode = call.text("mode", "linear");
  if (mode != "linear" && mode != "circular")
    throw ModelError("Malformed", concat("attribute 'mode' expects linear or circular, got '", mode, "'"));
  const auto extent = [&](Ref value) {
    const auto at = static_cast<int64_t>(axis);
    return call.make("Squeeze", {call.make("Shape", {value}, {{"start", at}, {"end", at + 1}})});
  };
  const Ref count = call.make("Range", {call.number(0, DType::i64), extent(update), call.number(1, DType::i64)});
  Ref places = call.with_trailing_axes(count, rank - 1 - axis);
  if (!call.input(2).empty()) places = call.make("Add", {call.with_trailing_axes(call.input(2), rank - 1), places});
  if (mode == "circular") places = call.make("Mod", {places, extent(cache)});
  const Ref indices = call.make("Expand", {places, call.make("Shape", {update})});
  call.give(0, "ScatterElements", {cache, indices, update}, {{"axis", static_cast<int64_t>(axis)}});
}

constexpr Function kFunctions[] = {{"Attention", 3, 7, 4, attention},
                                   {"RotaryEmbedding", 3, 4, 1, rotary_embedding},
                                   {"TensorScatter", 2, 3, 1, tensor_scatter}};

}  // namespace

std::span<const Function> attention_functions() { return kFunctions; }

}  // namespace onemodel

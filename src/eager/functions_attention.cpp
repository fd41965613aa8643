#include "eager/functions_attention.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "eager/apply.h"
#include "eager/functions.h"
#include "eager/record.h"
#include "ops/tile.h"

namespace onemodel {
namespace {

constexpr double kMinusInfinity = -std::numeric_limits<double>::infinity();

// Heads of key or value, repeated so that there are as many as of query.
Tensor repeat_heads(const Tensor& x, const Tensor& query) {
  check<ShapeError>(query.rank() == 4, "scaled_dot_product_attention: enable_gqa needs [batch, heads, L, E], got ",
                    query.dims());
  const Dims& d = x.dims();
  const int64_t own = d[1], heads = query.dims()[1];
  check<ShapeError>(own > 0 && heads % own == 0, "scaled_dot_product_attention: ", own, " heads of key and value ",
                    "do not divide ", heads, " of query");
  if (own == heads) return x;
  const int64_t repeats[] = {1, 1, heads / own, 1, 1};
  const Tensor wide = apply(Tile{}, {unsqueeze(x, {2}), Tensor::from_ints(repeats)});
  return reshape(wide, {d[0], heads, d[2], d[3]});
}

// Minus infinity above the diagonal of scores [L, S]. Made of the sizes of query and key: a mask made of the scores would
// be a second reader of them, and they could not be fused.
Tensor causal_mask(const Tensor& query, const Tensor& key) {
  const DType dtype = query.dtype();
  const Tensor row = unsqueeze(arange(0, dim(query, -2)), {1}), column = arange(0, dim(key, -2));
  return where(less(row, column), Tensor::full({}, kMinusInfinity, dtype), Tensor::zeros({}, dtype));
}

void check_ranks(const Tensor& query, const Tensor& key, const Tensor& value) {
  check<ShapeError>(query.rank() >= 2 && key.rank() == query.rank() && value.rank() == query.rank(),
                    "scaled_dot_product_attention: query, key and value must have one rank of 2 or more, got ",
                    query.dims(), ", ", key.dims(), " and ", value.dims());
}

// 1 / √E, by which the scores are multiplied; of an E that a trace follows, computed in the graph.
Tensor scaled(const Tensor& scores, const Tensor& query, const std::optional<double>& scale) {
  const bool is_followed = is_traced(query) && !state_of(query)->symbolic_shape[query.rank() - 1].is_number();
  if (is_followed && !scale) return scores / sqrt(cast(dim(query, -1), scores.dtype()));
  return scores * scale.value_or(1 / std::sqrt(static_cast<double>(query.dims().back())));
}

// Where a mask of bools leaves a query no key, […, L or 1, 1]; undefined when that is nowhere, as far as is known. A mask that
// is added has no operator for it: it is the pattern that others know as attention, too.
Tensor blind_rows(const Tensor& mask, DType given) {
  if (given != DType::boolean) return {};
  Tensor blind = equal(max(mask.detach(), {-1}, true), Tensor::full({}, kMinusInfinity, mask.dtype()));
  if (is_traced(blind)) return blind;
  const std::span rows(blind.raw_as<bool>(), static_cast<size_t>(blind.numel()));
  return std::ranges::find(rows, true) == rows.end() ? Tensor() : blind;
}

// x with 0 in those rows.
Tensor without(const Tensor& rows, const Tensor& x) {
  return rows.defined() ? where(rows, Tensor::zeros({}, x.dtype()), x) : x;
}

// Gather takes negative indices from the end; rows of an embedding have none.
void check_rows(const Tensor& input) {
  if (is_traced(input) || !is_integer(input.dtype())) return;
  const Tensor rows = input.dtype() == DType::i64 ? input.contiguous() : input.cast(DType::i64);
  const std::span values(rows.raw_as<int64_t>(), static_cast<size_t>(rows.numel()));
  const auto wrong = std::ranges::find_if(values, [](int64_t row) { return row < 0; });
  check<ShapeError>(wrong == values.end(), "embedding: an index must be 0 or more, got ",
                    wrong == values.end() ? 0 : *wrong);
}

}  // namespace

Tensor additive_mask(const Tensor& mask, DType dtype) {
  check<DTypeError>(mask.dtype() == DType::boolean || is_floating(mask.dtype()),
                    "an attention mask expects bool or a floating-point type, got ", mask.dtype(), mask.dims());
  if (mask.dtype() != DType::boolean) return mask.dtype() == dtype ? mask : cast(mask, dtype);
  return where(mask, Tensor::zeros({}, dtype), Tensor::full({}, kMinusInfinity, dtype));
}

AttentionResult attention(const Tensor& query, const Tensor& key, const Tensor& value, const Tensor& attn_mask,
                          const AttentionOptions& options) {
  check_ranks(query, key, value);
  check(!attn_mask.defined() || !options.is_causal,
        "scaled_dot_product_attention: a mask and is_causal exclude each other");
  const Tensor k = options.enable_gqa ? repeat_heads(key, query) : key;
  Tensor scores = scaled(matmul(query, transpose(k, -2, -1)), query, options.scale);
  if (options.is_causal) scores = scores + causal_mask(query, key);
  Tensor blind;
  if (attn_mask.defined()) {
    Tensor mask = additive_mask(attn_mask, scores.dtype());
    if (mask.rank() == 3 && scores.rank() == 4) mask = unsqueeze(mask, {1});
    if (mask.rank() == 0) mask = reshape(mask, {1});
    blind = blind_rows(mask, attn_mask.dtype());
    scores = scores + without(blind, mask);
  }
  Tensor weights = softmax(scores, -1);
  if (options.dropout_p != 0) {
    check(options.generator, "scaled_dot_product_attention: dropout_p needs a generator");
    weights = dropout(weights, options.dropout_p, true, *options.generator);
  }
  // The zeros come after the product, so that product and softmax can be fused.
  const Tensor output = matmul(weights, options.enable_gqa ? repeat_heads(value, query) : value);
  return {without(blind, output), without(blind, weights)};
}

Tensor scaled_dot_product_attention(const Tensor& query, const Tensor& key, const Tensor& value,
                                    const Tensor& attn_mask, const AttentionOptions& options) {
  return attention(query, key, value, attn_mask, options).output;
}

Tensor embedding(const Tensor& input, const Tensor& weight, std::optional<int64_t> padding_idx) {
  check<ShapeError>(weight.rank() == 2, "embedding: weight must be [count, width], got ", weight.dims());
  check_rows(input);
  Tensor rows = gather(weight, input, 0);
  if (!padding_idx || active_trace() != 0 || !grad_enabled()) return rows;
  const int64_t count = weight.dims()[0], row = *padding_idx + (*padding_idx < 0 ? count : 0);
  check(row >= 0 && row < count, "embedding: padding_idx must be in [", -count, ", ", count, "), got ", *padding_idx);
  const Tensor padded = equal(input, Tensor::full({}, static_cast<double>(row), input.dtype()));
  return where(unsqueeze(padded, {static_cast<int64_t>(input.rank())}), rows.detach(), rows);
}

}  // namespace onemodel

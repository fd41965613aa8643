#pragma once
// Attention and embeddings, under PyTorch's names and argument order (see functions.h).

#include <optional>

#include "core/generator.h"
#include "core/tensor.h"

namespace onemodel {

/// Options of scaled_dot_product_attention beside its tensors.
struct AttentionOptions {
  double dropout_p = 0;              // of the weights; needs `generator`
  bool is_causal = false;            // query i sees keys 0 … i only
  std::optional<double> scale = {};  // 1 / sqrt(width of a query) by default
  bool enable_gqa = false;           // each head of key and value serves several of query
  Generator* generator = nullptr;
};

/// softmax(query keyᵀ scale + mask) value: query [..., L, E], key [..., S, E], value [..., S, V] give [..., L, V].
/// `attn_mask`, or undefined: bool (true: takes part) or added. It broadcasts to [..., L, S], but a mask of three axes
/// beside [B, heads, L, E] is [B, L, S] (or 1 for any) and serves all heads. Traced as Transpose, MatMul, Mul, Add,
/// Softmax and MatMul. A query to which a bool mask leaves no key gets zeros; one whose added mask is minus infinity
/// throughout NaN, as the softmax has it. Errors: ArgumentError for a mask together with is_causal.
Tensor scaled_dot_product_attention(const Tensor& query, const Tensor& key, const Tensor& value,
                                    const Tensor& attn_mask = {}, const AttentionOptions& options = {});

/// What scaled_dot_product_attention gives, and what it multiplies with value: the softmax over the keys, [..., L, S],
/// after dropout.
struct AttentionResult {
  Tensor output, weights;
};
AttentionResult attention(const Tensor& query, const Tensor& key, const Tensor& value, const Tensor& attn_mask = {},
                          const AttentionOptions& options = {});

/// A mask to be added, of `dtype`: 0 where the bool `mask` is true, minus infinity elsewhere; another mask is itself.
Tensor additive_mask(const Tensor& mask, DType dtype);

/// Rows of weight [count, width] that the int32 or int64 `input` names: [..., width]. A row `padding_idx` (negative:
/// from the end) gets no gradient. Throws ShapeError for an index outside [0, count).
Tensor embedding(const Tensor& input, const Tensor& weight, std::optional<int64_t> padding_idx = {});

}  // namespace onemodel

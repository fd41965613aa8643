#include "nn/transformer.h"

#include "nn/random.h"

namespace onemodel::nn {
namespace {

Tensor optional_input(std::span<const Tensor> inputs, size_t i) { return i < inputs.size() ? inputs[i] : Tensor(); }

}  // namespace

TransformerLayer::TransformerLayer(std::string_view name, const TransformerLayerOptions& options) : options_(options) {
  check_at_least(1, name, "d_model", options.d_model);
  check_at_least(1, name, "dim_feedforward", options.dim_feedforward);
  check(options.activation == "relu" || options.activation == "gelu", name, ": activation must be relu or gelu, got '",
        options.activation, "'");
  check(options.dropout >= 0 && options.dropout <= 1, name, ": dropout must be in [0, 1], got ", options.dropout);
}

std::shared_ptr<MultiheadAttention> TransformerLayer::make_attention() const {
  const TransformerLayerOptions& o = options_;
  return std::make_shared<MultiheadAttention>(MultiheadAttentionOptions{.embed_dim = o.d_model,
                                                                        .num_heads = o.nhead,
                                                                        .dropout = o.dropout,
                                                                        .bias = o.bias,
                                                                        .batch_first = o.batch_first});
}

void TransformerLayer::register_rest(size_t norms) {
  const TransformerLayerOptions& o = options_;
  linear1_ = register_module("linear1", std::make_shared<Linear>(o.d_model, o.dim_feedforward, o.bias));
  linear2_ = register_module("linear2", std::make_shared<Linear>(o.dim_feedforward, o.d_model, o.bias));
  for (size_t i = 1; i <= norms; ++i)
    norms_.push_back(register_module(concat("norm", i),
                                     std::make_shared<LayerNorm>(LayerNormOptions{
                                         .normalized_shape = {o.d_model}, .eps = o.layer_norm_eps, .bias = o.bias})));
}

Tensor TransformerLayer::drop(const Tensor& x) const {
  return dropout(x, options_.dropout, training(), default_generator());
}

Tensor TransformerLayer::residual(const Tensor& x, size_t i, const std::function<Tensor(const Tensor&)>& part) {
  LayerNorm& norm = *norms_[i];
  if (options_.norm_first) return x + drop(part(norm(x)));
  return norm(x + drop(part(x)));
}

Tensor TransformerLayer::feed_forward(const Tensor& x) {
  const Tensor wide = (*linear1_)(x);
  return (*linear2_)(drop(options_.activation == "relu" ? relu(wide) : gelu(wide)));
}

Tensor TransformerLayer::attend(MultiheadAttention& attention, const Tensor& query, const Tensor& memory,
                                const Tensor& mask, const Tensor& padding) {
  const Tensor inputs[] = {query, memory, memory, padding, mask};
  return static_cast<Module&>(attention)(std::span<const Tensor>(inputs)).front();
}

TransformerEncoderLayer::TransformerEncoderLayer(const Options& options) : TransformerLayer(kName, options) {
  self_attn_ = register_module("self_attn", make_attention());
  register_rest(2);
}

std::vector<Tensor> TransformerEncoderLayer::forward(std::span<const Tensor> inputs) {
  check(!inputs.empty() && inputs.size() <= 3, kName, ": one to three inputs were expected, got ", inputs.size());
  const Tensor mask = optional_input(inputs, 1), padding = optional_input(inputs, 2);
  Tensor x = residual(inputs[0], 0, [&](const Tensor& v) { return attend(*self_attn_, v, v, mask, padding); });
  return {residual(x, 1, [&](const Tensor& v) { return feed_forward(v); })};
}

TransformerDecoderLayer::TransformerDecoderLayer(const Options& options) : TransformerLayer(kName, options) {
  self_attn_ = register_module("self_attn", make_attention());
  multihead_attn_ = register_module("multihead_attn", make_attention());
  register_rest(3);
}

std::vector<Tensor> TransformerDecoderLayer::forward(std::span<const Tensor> inputs) {
  check(inputs.size() >= 2 && inputs.size() <= 6, kName, ": two to six inputs were expected, got ", inputs.size());
  const Tensor& memory = inputs[1];
  const Tensor mask = optional_input(inputs, 2), memory_mask = optional_input(inputs, 3);
  const Tensor padding = optional_input(inputs, 4), memory_padding = optional_input(inputs, 5);
  Tensor x = residual(inputs[0], 0, [&](const Tensor& v) { return attend(*self_attn_, v, v, mask, padding); });
  x = residual(x, 1, [&](const Tensor& v) { return attend(*multihead_attn_, v, memory, memory_mask, memory_padding); });
  return {residual(x, 2, [&](const Tensor& v) { return feed_forward(v); })};
}

}  // namespace onemodel::nn

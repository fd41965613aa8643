#pragma once
// Attention with heads, and the layers of the transformer (Vaswani et al., "Attention is all you need", 2017).
//
// Sequences are [steps, batch, embed_dim], or [batch, steps, embed_dim] with batch_first. Masks follow PyTorch: a bool
// attention mask is true where a key must not be seen, another one is added; [L, S] for all, [batch, L, S] for all
// heads, or [batch * heads, L, S]. A key padding mask [batch, S] likewise. Absent masks are undefined tensors, or left
// out at the end. Without a batch, sequences are [steps, embed_dim] and a key padding mask is [S].

#include "nn/containers.h"
#include "nn/layer.h"
#include "nn/layer_norm.h"
#include "nn/linear.h"

namespace onemodel::nn {

struct MultiheadAttentionOptions {
  int64_t embed_dim = 0, num_heads = 0;
  double dropout = 0;
  bool bias = true, add_bias_kv = false, add_zero_attn = false;
  std::optional<int64_t> kdim = {}, vdim = {};
  bool batch_first = false;
  static constexpr auto fields() {
    using O = MultiheadAttentionOptions;
    return std::tuple{required_field("embed_dim", &O::embed_dim, "extent of the query's last axis"),
                      required_field("num_heads", &O::num_heads, "heads, which divide embed_dim"),
                      field("dropout", &O::dropout, "probability of dropout of the attention weights"),
                      field("bias", &O::bias, "whether biases are added"),
                      field("add_bias_kv", &O::add_bias_kv, "whether a learned step follows key and value"),
                      field("add_zero_attn", &O::add_zero_attn, "whether a step of zeros follows key and value"),
                      field("kdim", &O::kdim, "extent of the key's last axis; embed_dim when left out"),
                      field("vdim", &O::vdim, "extent of the value's last axis; embed_dim when left out"),
                      field("batch_first", &O::batch_first, "whether the batch comes before the steps")};
  }
};

/// Inputs query, key, value, and optionally key_padding_mask and attn_mask, in PyTorch's order; one alone is all three.
/// The output has the query's shape. Parameters in_proj_weight [3 * embed_dim, embed_dim] (or q_proj_weight,
/// k_proj_weight and v_proj_weight when kdim or vdim differ), in_proj_bias, bias_k and bias_v [1, 1, embed_dim] with
/// add_bias_kv, out_proj. Steps that options add to key and value are seen by every query, whatever the masks.
class MultiheadAttention final : public Module {
 public:
  static constexpr std::string_view kName = "MultiheadAttention";
  static constexpr std::string_view kDoc = "attention with several heads between query, key and value";
  using Options = MultiheadAttentionOptions;
  explicit MultiheadAttention(const Options& options);
  std::vector<Tensor> forward(std::span<const Tensor> inputs) override;
  /// PyTorch's need_weights: the output, and what the queries make of each key, after dropout: the mean over the heads
  /// [batch, L, S] or, without `average_attn_weights`, [batch, heads, L, S]. To be called instead of `operator()`.
  std::vector<Tensor> with_weights(std::span<const Tensor> inputs, bool average_attn_weights = true);
  std::string describe() const override { return describe_options(kName, options_); }

 private:
  struct Result {
    Tensor output, weights;
  };
  Result attend(std::span<const Tensor> inputs);
  // Its weights have a batch of one.
  Result attend_without_batch(std::span<const Tensor> inputs);
  Tensor project(const Tensor& x, size_t which) const;
  Tensor split_heads(const Tensor& x) const;
  Tensor lengthened(const Tensor& heads, const Tensor& learned) const;
  Tensor mask_of(const Tensor& key_padding, const Tensor& attention, const Tensor& query, const Tensor& key) const;
  Options options_;
  Tensor weight_, bias_, bias_k_, bias_v_;
  Tensor separate_[3];
  std::shared_ptr<Linear> out_proj_;
};

struct TransformerLayerOptions {
  int64_t d_model = 0, nhead = 0, dim_feedforward = 2048;
  double dropout = 0.1;
  std::string activation = "relu";
  double layer_norm_eps = 1e-5;
  bool batch_first = false, norm_first = false, bias = true;
  static constexpr auto fields() {
    using O = TransformerLayerOptions;
    return std::tuple{required_field("d_model", &O::d_model, "extent of the input's last axis"),
                      required_field("nhead", &O::nhead, "heads of the attention"),
                      field("dim_feedforward", &O::dim_feedforward, "width of the two linear layers between"),
                      field("dropout", &O::dropout, "probability of dropout"),
                      field("activation", &O::activation, "relu or gelu"),
                      field("layer_norm_eps", &O::layer_norm_eps, "added to the variance"),
                      field("batch_first", &O::batch_first, "whether the batch comes before the steps"),
                      field("norm_first", &O::norm_first, "whether normalisation comes before each part"),
                      field("bias", &O::bias, "whether biases are added")};
  }
};

/// What the two layers share: linear1, linear2, norms and dropout.
class TransformerLayer : public Module {
 protected:
  TransformerLayer(std::string_view name, const TransformerLayerOptions& options);
  /// Registers the layers in PyTorch's order; attention layers are registered before.
  void register_rest(size_t norms);
  std::shared_ptr<MultiheadAttention> make_attention() const;
  /// part(x) with the residual and norm `i` where norm_first puts it.
  Tensor residual(const Tensor& x, size_t i, const std::function<Tensor(const Tensor&)>& part);
  Tensor feed_forward(const Tensor& x);
  Tensor attend(MultiheadAttention& attention, const Tensor& query, const Tensor& memory, const Tensor& mask,
                const Tensor& padding);
  const TransformerLayerOptions& layer_options() const { return options_; }

 private:
  Tensor drop(const Tensor& x) const;
  TransformerLayerOptions options_;
  std::shared_ptr<Linear> linear1_, linear2_;
  std::vector<std::shared_ptr<LayerNorm>> norms_;
};

/// Self-attention, then two linear layers, each with residual and norm. Inputs src, and optionally src_mask and
/// src_key_padding_mask.
class TransformerEncoderLayer final : public TransformerLayer {
 public:
  static constexpr std::string_view kName = "TransformerEncoderLayer";
  static constexpr std::string_view kDoc = "self-attention and a feed-forward network";
  using Options = TransformerLayerOptions;
  explicit TransformerEncoderLayer(const Options& options);
  const Options& options() const { return layer_options(); }
  std::vector<Tensor> forward(std::span<const Tensor> inputs) override;
  std::string describe() const override { return describe_options(kName, layer_options()); }

 private:
  std::shared_ptr<MultiheadAttention> self_attn_;
};

/// Self-attention, attention to memory, then two linear layers. Inputs tgt, memory, and optionally tgt_mask,
/// memory_mask, tgt_key_padding_mask and memory_key_padding_mask.
class TransformerDecoderLayer final : public TransformerLayer {
 public:
  static constexpr std::string_view kName = "TransformerDecoderLayer";
  static constexpr std::string_view kDoc = "self-attention, attention to memory and a feed-forward network";
  using Options = TransformerLayerOptions;
  explicit TransformerDecoderLayer(const Options& options);
  const Options& options() const { return layer_options(); }
  std::vector<Tensor> forward(std::span<const Tensor> inputs) override;
  std::string describe() const override { return describe_options(kName, layer_options()); }

 private:
  std::shared_ptr<MultiheadAttention> self_attn_, multihead_attn_;
};

}  // namespace onemodel::nn

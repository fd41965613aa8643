#pragma once
// Stacks of the transformer's layers, and the whole of it. Masks and shapes are those of nn/transformer.h.

#include "nn/transformer.h"

namespace onemodel::nn {

/// Layers named "0", "1", …, each run on the output of the one before; the inputs after the first are given to each.
class LayerStack final : public Module {
 public:
  explicit LayerStack(std::vector<std::shared_ptr<Module>> layers);
  std::vector<Tensor> forward(std::span<const Tensor> inputs) override;
  std::string describe() const override;

 private:
  std::vector<std::shared_ptr<Module>> layers_;
};

/// What the two stacks share: the parts `layers` and, where there is one, `norm`, which comes last.
class TransformerStack : public Module {
 public:
  std::vector<Tensor> forward(std::span<const Tensor> inputs) final;
  std::string describe() const final;

 protected:
  TransformerStack(std::string_view name, std::vector<std::shared_ptr<Module>> layers, std::shared_ptr<Module> norm);

 private:
  std::string_view name_;
  std::shared_ptr<LayerStack> layers_;
  std::shared_ptr<Module> norm_;
};

/// `num_layers` layers with the options and weights of `layer`, then `norm` where there is one. Inputs src, and optionally
/// mask and src_key_padding_mask. Throws ArgumentError for fewer than one layer.
class TransformerEncoder final : public TransformerStack {
 public:
  static constexpr std::string_view kName = "TransformerEncoder";
  TransformerEncoder(const TransformerEncoderLayer& layer, int64_t num_layers, std::shared_ptr<Module> norm = {});
};

/// The same of TransformerDecoderLayer. Inputs tgt, memory, and optionally tgt_mask, memory_mask,
/// tgt_key_padding_mask and memory_key_padding_mask.
class TransformerDecoder final : public TransformerStack {
 public:
  static constexpr std::string_view kName = "TransformerDecoder";
  TransformerDecoder(const TransformerDecoderLayer& layer, int64_t num_layers, std::shared_ptr<Module> norm = {});
};

struct TransformerOptions {
  int64_t d_model = 512, nhead = 8, num_encoder_layers = 6, num_decoder_layers = 6, dim_feedforward = 2048;
  double dropout = 0.1;
  std::string activation = "relu";
  double layer_norm_eps = 1e-5;
  bool batch_first = false, norm_first = false, bias = true;
};

/// An encoder and a decoder, each with a norm at its end; weights of two axes are Xavier-uniform, as PyTorch's. Inputs
/// src, tgt, and optionally src_mask, tgt_mask, memory_mask, src_key_padding_mask, tgt_key_padding_mask and
/// memory_key_padding_mask; the output has the shape of tgt.
class Transformer final : public Module {
 public:
  static constexpr std::string_view kName = "Transformer";
  explicit Transformer(const TransformerOptions& options = {});
  std::vector<Tensor> forward(std::span<const Tensor> inputs) override;
  std::string describe() const override;

 private:
  std::shared_ptr<TransformerEncoder> encoder_;
  std::shared_ptr<TransformerDecoder> decoder_;
};

/// [size, size]: 0 on and below the diagonal, minus infinity above, so that no step sees a later one.
Tensor generate_square_subsequent_mask(int64_t size);

}  // namespace onemodel::nn

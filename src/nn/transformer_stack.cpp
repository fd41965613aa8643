#include "nn/transformer_stack.h"

#include <cmath>
#include <limits>

#include "eager/functions_order.h"
#include "nn/random.h"

namespace onemodel::nn {
namespace {

// `count` layers like this one.
template <class L>
std::vector<std::shared_ptr<Module>> copies(std::string_view who, const L& layer, int64_t count) {
  check_at_least(1, who, "num_layers", count);
  std::vector<std::shared_ptr<Module>> out;
  for (int64_t i = 0; i < count; ++i) {
    out.push_back(std::make_shared<L>(layer.options()));
    out.back()->load_state_dict(layer.state_dict());
    out.back()->train(layer.training());
  }
  return out;
}

std::string described(std::string_view name, const Module* first, const Module* second) {
  return concat(name, "(", first->describe(), second ? concat(", ", second->describe()) : std::string(), ")");
}

Tensor at(std::span<const Tensor> inputs, size_t i) { return i < inputs.size() ? inputs[i] : Tensor(); }

Tensor run(Module& module, const std::vector<Tensor>& inputs) {
  return module(std::span<const Tensor>(inputs)).front();
}

}  // namespace

LayerStack::LayerStack(std::vector<std::shared_ptr<Module>> layers) : layers_(std::move(layers)) {
  for (size_t i = 0; i < layers_.size(); ++i) add_module(concat(i), layers_[i]);
}

std::vector<Tensor> LayerStack::forward(std::span<const Tensor> inputs) {
  std::vector<Tensor> values(inputs.begin(), inputs.end());
  for (const auto& layer : layers_) values[0] = run(*layer, values);
  return {values[0]};
}

std::string LayerStack::describe() const { return concat(layers_.size(), " × ", layers_[0]->describe()); }

TransformerStack::TransformerStack(std::string_view name, std::vector<std::shared_ptr<Module>> layers,
                                   std::shared_ptr<Module> norm)
    : name_(name), norm_(std::move(norm)) {
  layers_ = register_module("layers", std::make_shared<LayerStack>(std::move(layers)));
  if (norm_) add_module("norm", norm_);
}

std::vector<Tensor> TransformerStack::forward(std::span<const Tensor> inputs) {
  check(!inputs.empty(), name_, ": there is no input");
  std::vector<Tensor> out = static_cast<Module&>(*layers_)(inputs);
  if (norm_) out[0] = (*norm_)(out[0]);
  return out;
}

std::string TransformerStack::describe() const { return described(name_, layers_.get(), norm_.get()); }

TransformerEncoder::TransformerEncoder(const TransformerEncoderLayer& layer, int64_t num_layers,
                                       std::shared_ptr<Module> norm)
    : TransformerStack(kName, copies(kName, layer, num_layers), std::move(norm)) {}

TransformerDecoder::TransformerDecoder(const TransformerDecoderLayer& layer, int64_t num_layers,
                                       std::shared_ptr<Module> norm)
    : TransformerStack(kName, copies(kName, layer, num_layers), std::move(norm)) {}

Transformer::Transformer(const TransformerOptions& o) {
  const TransformerLayerOptions layer = {o.d_model,        o.nhead,       o.dim_feedforward, o.dropout, o.activation,
                                         o.layer_norm_eps, o.batch_first, o.norm_first,      o.bias};
  const auto norm = [&] {
    return std::make_shared<LayerNorm>(
        LayerNormOptions{.normalized_shape = {o.d_model}, .eps = o.layer_norm_eps, .bias = o.bias});
  };
  encoder_ = register_module(
      "encoder", std::make_shared<TransformerEncoder>(TransformerEncoderLayer(layer), o.num_encoder_layers, norm()));
  decoder_ = register_module(
      "decoder", std::make_shared<TransformerDecoder>(TransformerDecoderLayer(layer), o.num_decoder_layers, norm()));
  for (const Tensor& parameter : parameters())
    if (parameter.rank() == 2) fill_xavier_uniform(parameter);
}

std::vector<Tensor> Transformer::forward(std::span<const Tensor> inputs) {
  check(inputs.size() >= 2 && inputs.size() <= 8, kName, ": two to eight inputs were expected, got ", inputs.size());
  const Tensor memory = run(*encoder_, {inputs[0], at(inputs, 2), at(inputs, 5)});
  return {run(*decoder_, {inputs[1], memory, at(inputs, 3), at(inputs, 4), at(inputs, 6), at(inputs, 7)})};
}

std::string Transformer::describe() const { return described(kName, encoder_.get(), decoder_.get()); }

Tensor generate_square_subsequent_mask(int64_t size) {
  return triu(Tensor::full({size, size}, -std::numeric_limits<double>::infinity()), 1);
}

}  // namespace onemodel::nn

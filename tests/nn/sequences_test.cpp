// Modules of several inputs and outputs against PyTorch: recurrent layers, attention, transformer layers, embeddings.

#include <gtest/gtest.h>

#include "eager/autograd.h"
#include "nn/goldens.h"
#include "nn/layers.h"
#include "support/compare.h"

namespace onemodel::nn {
namespace {

using test::close;
using test::golden_tensor;

constexpr double kTolerance = 1e-5;

struct SequenceCase {
  std::string name;
  std::function<std::shared_ptr<Module>()> make;
};

template <class M>
SequenceCase sequence_case(std::string name, typename M::Options options) {
  return {std::move(name), [options] { return std::make_shared<M>(options); }};
}

const std::vector<SequenceCase>& cases() {
  const RecurrentOptions plain = {.input_size = 3, .hidden_size = 2};
  const RecurrentOptions stacked = {
      .input_size = 3, .hidden_size = 2, .num_layers = 2, .batch_first = true, .bidirectional = true};
  const TransformerLayerOptions layer = {.d_model = 4, .nhead = 2, .dim_feedforward = 5, .dropout = 0};
  TransformerLayerOptions norm_first = layer, batch_first = layer;
  norm_first.activation = "gelu";
  norm_first.norm_first = norm_first.batch_first = batch_first.batch_first = true;
  RecurrentOptions without_bias = plain;
  without_bias.bias = false;
  static const std::vector<SequenceCase> all = {
      sequence_case<RNN>("rnn", {.input_size = 3, .hidden_size = 2}),
      sequence_case<RNN>("rnn_relu", {.input_size = 3, .hidden_size = 2, .nonlinearity = "relu", .bias = false}),
      sequence_case<GRU>("gru", plain),
      sequence_case<GRU>("gru_stacked", stacked),
      sequence_case<LSTM>("lstm", plain),
      sequence_case<LSTM>("lstm_states", without_bias),
      sequence_case<LSTM>("lstm_stacked", stacked),
      sequence_case<MultiheadAttention>("attention", {.embed_dim = 4, .num_heads = 2}),
      sequence_case<MultiheadAttention>("attention_masks", {.embed_dim = 4, .num_heads = 2, .batch_first = true}),
      sequence_case<MultiheadAttention>("attention_per_head", {.embed_dim = 4, .num_heads = 2, .bias = false}),
      sequence_case<MultiheadAttention>("attention_other_widths",
                                        {.embed_dim = 4, .num_heads = 2, .kdim = 3, .vdim = 2}),
      sequence_case<TransformerEncoderLayer>("encoder_layer", layer),
      sequence_case<TransformerEncoderLayer>("encoder_layer_norm_first", norm_first),
      sequence_case<TransformerDecoderLayer>("decoder_layer", batch_first),
      sequence_case<Embedding>("embedding", {.num_embeddings = 5, .embedding_dim = 3}),
      sequence_case<Embedding>("embedding_padding", {.num_embeddings = 5, .embedding_dim = 3, .padding_idx = -3}),
  };
  return all;
}

std::vector<Tensor> inputs_of(const nlohmann::json& golden) {
  std::vector<Tensor> out;
  for (const auto& input : golden.at("inputs"))
    out.push_back(input.is_null() ? Tensor()
                                  : golden_tensor(input, dtype_from_name(input.at("dtype").get<std::string>())));
  return out;
}

// One backward from all outputs: their products with the given gradients, added.
void backward_all(const std::vector<Tensor>& outputs, const nlohmann::json& gradients) {
  Tensor total;
  for (size_t i = 0; i < outputs.size(); ++i) {
    const Tensor part = sum(outputs[i] * golden_tensor(gradients[i]));
    total = total.defined() ? total + part : part;
  }
  backward(total);
}

using Call = std::function<std::vector<Tensor>(std::span<const Tensor> inputs)>;

void expect_golden(const std::string& name, Module& module, const Call& call) {
  const auto& golden = test::golden("sequences", name);
  module.load_state_dict(test::golden_tensors(golden.at("state")));
  const std::vector<Tensor> inputs = inputs_of(golden);
  for (size_t i = 0; i < inputs.size(); ++i)
    if (!golden.at("input_gradients")[i].is_null()) set_requires_grad(inputs[i]);
  const std::vector<Tensor> outputs = call(inputs);
  ASSERT_EQ(outputs.size(), golden.at("outputs").size());
  for (size_t i = 0; i < outputs.size(); ++i)
    EXPECT_TRUE(close(outputs[i].detach(), golden_tensor(golden.at("outputs")[i]), kTolerance)) << "output " << i;
  backward_all(outputs, golden.at("output_gradients"));
  for (size_t i = 0; i < inputs.size(); ++i)
    if (const auto& wanted = golden.at("input_gradients")[i]; !wanted.is_null()) {
      EXPECT_TRUE(close(grad(inputs[i]), golden_tensor(wanted), kTolerance)) << "input " << i;
    }
  for (const auto& [path, parameter, kind] : module.named_parameters())
    EXPECT_TRUE(close(grad(parameter), golden_tensor(golden.at("gradients").at(path)), kTolerance)) << path;
}

class SequenceGolden : public testing::TestWithParam<SequenceCase> {};

TEST_P(SequenceGolden, ForwardAndBackwardMatchPyTorch) {
  const std::shared_ptr<Module> module = GetParam().make();
  expect_golden(GetParam().name, *module, [&](auto inputs) { return (*module)(inputs); });
}

INSTANTIATE_TEST_SUITE_P(All, SequenceGolden, testing::ValuesIn(cases()),
                         [](const auto& info) { return info.param.name; });

TEST(LSTM, NamesTheStateThatDoesNotFit) {
  LSTM layer({.input_size = 3, .hidden_size = 2});
  const std::vector<Tensor> inputs = {Tensor::zeros({4, 2, 3}), Tensor::zeros({1, 2, 2}), Tensor::zeros({2, 2, 2})};
  try {
    static_cast<Module&>(layer)(std::span<const Tensor>(inputs));
    FAIL();
  } catch (const ShapeError& error) {
    EXPECT_STREQ(error.what(), "LSTM: state 1 must be [1, 2, 2], got [2, 2, 2]");
  }
  EXPECT_THROW(LSTM({.input_size = 3, .hidden_size = 0}), ArgumentError);
}

TEST(Embedding, StartsWithAPaddingRowOfZeros) {
  const Embedding layer(EmbeddingOptions{.num_embeddings = 4, .embedding_dim = 3, .padding_idx = 1});
  const Tensor weight = layer.state_dict().at("weight");
  EXPECT_TRUE(test::same_bits(weight.detach().select(0, 1).contiguous(), Tensor::zeros({3})));
  EXPECT_NE(weight.detach().select(0, 0).to_vector<float>()[0], 0);
}

TEST(Embedding, HasNoRowsFromTheEnd) {
  Embedding layer(EmbeddingOptions{.num_embeddings = 4, .embedding_dim = 3});
  for (const Tensor& index : {Tensor::from({int64_t{2}, int64_t{-1}}, {2}), Tensor::from({2, -1}, {2})}) {
    try {
      layer(index);
      ADD_FAILURE();
    } catch (const ShapeError& error) {
      EXPECT_STREQ(error.what(), "embedding: an index must be 0 or more, got -1");
    }
  }
  EXPECT_THROW(layer(Tensor::scalar(int64_t{4})), ShapeError);
}

TEST(MultiheadAttention, GivesItsWeightsAsPyTorch) {
  MultiheadAttention mean({.embed_dim = 4, .num_heads = 2});
  expect_golden("attention_weights", mean, [&](auto inputs) { return mean.with_weights(inputs); });
  MultiheadAttention each({.embed_dim = 4, .num_heads = 2, .batch_first = true});
  expect_golden("attention_weights_each", each, [&](auto inputs) { return each.with_weights(inputs, false); });
}

TEST(MultiheadAttention, RejectsHeadsThatDoNotDivide) {
  EXPECT_THROW(MultiheadAttention({.embed_dim = 4, .num_heads = 3}), ArgumentError);
}

TEST(MultiheadAttention, NamesInputsThatDoNotFit) {
  MultiheadAttention layer({.embed_dim = 4, .num_heads = 2});
  const Tensor query = Tensor::zeros({5, 3, 4}), key = Tensor::zeros({7, 3, 4});
  const auto refusal = [&](std::vector<Tensor> inputs) -> std::string {
    try {
      static_cast<Module&>(layer)(std::span<const Tensor>(inputs));
    } catch (const ShapeError& error) {
      return error.what();
    }
    return "nothing was thrown";
  };
  const auto mask = [](const Dims& dims) { return Tensor::zeros(dims, DType::boolean); };
  EXPECT_EQ(refusal({query, Tensor::zeros({7, 1, 4}), key}),
            "MultiheadAttention: query, key and value must have one batch size, got 3, 1 and 3");
  EXPECT_EQ(refusal({query, key, Tensor::zeros({6, 3, 4})}),
            "MultiheadAttention: key and value must have as many steps, got 7 and 6");
  for (const Dims& dims : {Dims{7, 3}, Dims{1, 7}, Dims{7}})
    EXPECT_EQ(refusal({query, key, key, mask(dims)}),
              concat("MultiheadAttention: key_padding_mask must be [3, 7], got ", dims));
  for (const Dims& dims : {Dims{7, 5}, Dims{2, 5, 7}, Dims{3, 1, 7}, Dims{7}})
    EXPECT_EQ(refusal({query, key, key, {}, mask(dims)}),
              concat("MultiheadAttention: attn_mask must be [5, 7] or with 3 or 6 before it, got ", dims));
  for (const Dims& dims : {Dims{5, 7}, Dims{3, 5, 7}, Dims{6, 5, 7}})
    EXPECT_EQ(refusal({query, key, key, mask({3, 7}), mask(dims)}), "nothing was thrown");
}

}  // namespace
}  // namespace onemodel::nn

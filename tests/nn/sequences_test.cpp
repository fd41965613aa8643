// What modules of several inputs refuse and start with, beyond what golden_modules_test.cpp compares.

#include <gtest/gtest.h>

#include "nn/layers.h"
#include "support/compare.h"

namespace onemodel::nn {
namespace {

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

TEST(GRU, NamesLengthsThatDoNotFit) {
  GRU layer({.input_size = 3, .hidden_size = 2, .bidirectional = true});
  const Tensor x = Tensor::zeros({4, 2, 3}), state = Tensor::full({2, 2, 2}, 0.5);
  const auto refusal = [&](const std::vector<Tensor>& inputs) -> std::string {
    try {
      static_cast<Module&>(layer)(std::span<const Tensor>(inputs));
    } catch (const Error& error) {
      return error.what();
    }
    return "nothing was thrown";
  };
  EXPECT_EQ(refusal({x, Tensor::from<int64_t>({1, 2, 3}, {3})}), "GRU: lengths must be [2], got [3]");
  EXPECT_EQ(refusal({x, state, state, Tensor::from<int64_t>({1, 2}, {2})}),
            "GRU: the input, 1 states or none, and lengths or none were expected, got 4 tensors");
  EXPECT_NE(refusal({x, Tensor::from<int64_t>({1, 5}, {2})}).find("sequence_lens has 5 at 1, expected 0 to 4"),
            std::string::npos);
  EXPECT_EQ(refusal({x, Tensor(), Tensor::from({4, 1}, {2})}), "nothing was thrown");
}

TEST(LSTM, OfNoStepsKeepsItsStates) {
  LSTM layer({.input_size = 3, .hidden_size = 2});
  const std::vector<Tensor> inputs = {Tensor::full({4, 2, 3}, 1), Tensor::full({1, 2, 2}, 0.5),
                                      Tensor::full({1, 2, 2}, -0.25), Tensor::from<int64_t>({0, 4}, {2})};
  const std::vector<Tensor> out = static_cast<Module&>(layer)(std::span<const Tensor>(inputs));
  EXPECT_TRUE(test::same_bits(out[0].detach().select(1, 0).contiguous(), Tensor::zeros({4, 2})));
  EXPECT_TRUE(test::same_bits(out[1].detach().select(1, 0).contiguous(), Tensor::full({1, 2}, 0.5)));
  EXPECT_TRUE(test::same_bits(out[2].detach().select(1, 0).contiguous(), Tensor::full({1, 2}, -0.25)));
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

// Attention, rotary embeddings and caches of keys, which are read as compositions, give what the ONNX text says.

#include <gtest/gtest.h>

#include <cmath>

#include "onnx/one_node.h"
#include "ops/sample.h"
#include "support/error_text.h"

namespace onemodel::test {
namespace {

// Attention with plain loops; [batch, heads, length, size].
Tensor attended(const Tensor& q, const Tensor& k, const Tensor& v, double scale, bool causal, int64_t past) {
  const int64_t batch = q.dims()[0], heads = q.dims()[1], length = q.dims()[2], size = q.dims()[3], keys = k.dims()[2],
                times = heads / k.dims()[1], wide = v.dims()[3];
  const Reals a = q.to_vector<double>(), b = k.to_vector<double>(), c = v.to_vector<double>();
  Reals out;
  for (int64_t n = 0; n < batch * heads; ++n) {
    const int64_t other = n / heads * k.dims()[1] + n % heads / times;
    for (int64_t i = 0; i < length; ++i) {
      Reals weights;
      double sum = 0;
      for (int64_t j = 0; j < keys; ++j) {
        double dot = 0;
        for (int64_t d = 0; d < size; ++d)
          dot += a[static_cast<size_t>((n * length + i) * size + d)] *
                 b[static_cast<size_t>((other * keys + j) * size + d)];
        weights.push_back(causal && j > i + past ? 0 : std::exp(dot * scale));
        sum += weights.back();
      }
      for (int64_t d = 0; d < wide; ++d) {
        double y = 0;
        for (int64_t j = 0; j < keys; ++j)
          y += weights[static_cast<size_t>(j)] / sum * c[static_cast<size_t>((other * keys + j) * wide + d)];
        out.push_back(y);
      }
    }
  }
  return reals(out, {batch, heads, length, wide});
}

Tensor joined(const Tensor& a, const Tensor& b) { return Call("Concat", {a, b}, {{"axis", int64_t{2}}}).first(); }

TEST(Functions, AttentionRepeatsHeadsAndRemembersThePast) {
  const Tensor q = sample_values({2, 4, 3, 2}), k = sample_values({2, 2, 3, 2}, -1, 1, DType::f32, 5),
               v = sample_values({2, 2, 3, 5}, -1, 1, DType::f32, 6);
  EXPECT_TRUE(close(Call("Attention", {q, k, v}).first(), attended(q, k, v, 1 / std::sqrt(2.0), false, 0), 1e-5));
  EXPECT_TRUE(close(Call("Attention", {q, k, v}, {{"is_causal", int64_t{1}}, {"scale", 0.5}}).first(),
                    attended(q, k, v, 0.5, true, 0), 1e-5));
  const Tensor past_k = sample_values({2, 2, 1, 2}), past_v = sample_values({2, 2, 1, 5});
  const auto out = Call("Attention", {q, k, v, Tensor(), past_k, past_v}, {{"is_causal", int64_t{1}}}, 3).run();
  EXPECT_TRUE(same_bits(out[1], joined(past_k, k)));
  EXPECT_TRUE(same_bits(out[2], joined(past_v, v)));
  EXPECT_TRUE(close(out[0], attended(q, out[1], out[2], 1 / std::sqrt(2.0), true, 1), 1e-5));
}

TEST(Functions, AttentionMasksAndCaps) {
  const Tensor q = reals({1, 0}, {1, 1, 1, 2}), k = reals({2, 0, 4, 0}, {1, 1, 2, 2}), v = reals({1, 3}, {1, 1, 2, 1});
  const Tensor hidden = Tensor::from<bool>({true, false}, {1, 2});
  EXPECT_TRUE(is(Call("Attention", {q, k, v, hidden}).first(), {1}, {1, 1, 1, 1}));
  EXPECT_TRUE(is(Call("Attention", {q, k, v, reals({2, 0}, {1, 2})}, {{"scale", 1.0}}).first(), {2}, {1, 1, 1, 1}));
  const double a = std::exp(std::tanh(2.0)), b = std::exp(std::tanh(4.0));
  const Attributes capped{{"scale", 1.0}, {"softcap", 1.0}, {"qk_matmul_output_mode", int64_t{3}}};
  const auto out = Call("Attention", {q, k, v}, capped, 4).run();
  EXPECT_TRUE(is(out[0], {(a + 3 * b) / (a + b)}, {1, 1, 1, 1}));
  EXPECT_TRUE(is(out[3], {a / (a + b), b / (a + b)}, {1, 1, 1, 2}));
  const Tensor lengths = Tensor::from_ints(Ints{1});
  EXPECT_TRUE(is(Call("Attention", {q, k, v, Tensor(), Tensor(), Tensor(), lengths}).first(), {1}, {1, 1, 1, 1}));
}

TEST(Functions, AttentionTakesHeadsSideBySide) {
  const Tensor q = sample_values({1, 3, 4}), k = sample_values({1, 2, 4}, -1, 1, DType::f32, 5),
               v = sample_values({1, 2, 4}, -1, 1, DType::f32, 6);
  const auto apart = [](const Tensor& x) {
    return Call("Transpose", {x.reshape({1, x.dims()[1], 2, 2})}, {{"perm", Ints{0, 2, 1, 3}}}).first();
  };
  const Tensor want = attended(apart(q), apart(k), apart(v), 1 / std::sqrt(2.0), false, 0);
  const Attributes heads{{"q_num_heads", int64_t{2}}, {"kv_num_heads", int64_t{2}}};
  const Tensor got = Call("Attention", {q, k, v}, heads).first();
  EXPECT_TRUE(close(apart(got), want, 1e-5));
  EXPECT_NE(Call("Attention", {q, k, v}).file.error().find("attribute 'q_num_heads' is needed"), std::string::npos);
}

TEST(Functions, RotaryEmbeddingTurnsPairs) {
  const Tensor x = reals({1, 2, 3, 4, 5, 6}, {1, 1, 1, 6}), cosine = reals({0, 1}, {1, 1, 2}),
               sine = reals({1, 0}, {1, 1, 2});
  const Attributes four{{"rotary_embedding_dim", int64_t{4}}};
  // Halves (1, 3) by a right angle and (2, 4) not at all; the last two are left alone.
  EXPECT_TRUE(is(Call("RotaryEmbedding", {x, cosine, sine}, four).first(), {-3, 2, 1, 4, 5, 6}, {1, 1, 1, 6}));
  Attributes pairs = four;
  pairs.emplace_back("interleaved", int64_t{1});
  EXPECT_TRUE(is(Call("RotaryEmbedding", {x, cosine, sine}, pairs).first(), {-2, 1, 3, 4, 5, 6}, {1, 1, 1, 6}));
  const Tensor cosines = reals({1, 0}, {2, 1}), sines = reals({0, 1}, {2, 1}),
               places = Tensor::from<int64_t>({1, 0}, {1, 2});
  const Tensor flat = reals({1, 2, 3, 4, 5, 6, 7, 8}, {1, 2, 4});
  EXPECT_TRUE(is(Call("RotaryEmbedding", {flat, cosines, sines, places}, {{"num_heads", int64_t{2}}}).first(),
                 {-2, 1, -4, 3, 5, 6, 7, 8}, {1, 2, 4}));
}

TEST(Functions, TensorScatterWritesWhereEachEntrySays) {
  const Tensor cache = Tensor::zeros({2, 4, 1}), update = reals({1, 2, 3, 4}, {2, 2, 1});
  const auto at = [](Ints places) { return Tensor::from_ints(places); };
  EXPECT_TRUE(is(Call("TensorScatter", {cache, update, at({1, 2})}).first(), {0, 1, 2, 0, 0, 0, 3, 4}, {2, 4, 1}));
  EXPECT_TRUE(is(Call("TensorScatter", {cache, update}).first(), {1, 2, 0, 0, 3, 4, 0, 0}, {2, 4, 1}));
  const Attributes around{{"mode", std::string("circular")}};
  EXPECT_TRUE(
      is(Call("TensorScatter", {cache, update, at({3, 7})}, around).first(), {2, 0, 0, 1, 4, 0, 0, 3}, {2, 4, 1}));
  const Tensor wide = Tensor::zeros({2, 1, 1, 3}), columns = reals({1, 2}, {2, 1, 1, 1});
  EXPECT_TRUE(is(Call("TensorScatter", {wide, columns, at({2, 0})}, {{"axis", int64_t{3}}}).first(), {0, 0, 1, 2, 0, 0},
                 {2, 1, 1, 3}));
}

TEST(Functions, TensorScatterRefusesWhatDoesNotFit) {
  const Tensor cache = Tensor::zeros({2, 4, 1}), update = Tensor::zeros({2, 2, 1});
  EXPECT_ERROR(Call("TensorScatter", {cache, update, Tensor::from_ints(Ints{0, 3})}).first(), ShapeError, "index 4",
               "4");
  const auto error = [&](const Attributes& attributes) {
    return Call("TensorScatter", {cache, update}, attributes).file.error();
  };
  EXPECT_NE(error({{"axis", int64_t{0}}}).find("an axis behind the batch, got 0"), std::string::npos);
  EXPECT_NE(error({{"axis", int64_t{3}}}).find("out of range for rank 3"), std::string::npos);
  EXPECT_NE(error({{"mode", std::string("round")}}).find("linear or circular, got 'round'"), std::string::npos);
}

}  // namespace
}  // namespace onemodel::test

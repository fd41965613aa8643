// Norms, attention, embeddings and shape functions of the eager layer, and their traces.

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>

#include "eager/autograd.h"
#include "eager/functions.h"
#include "eager/functions_activation.h"
#include "eager/functions_attention.h"
#include "eager/functions_joining.h"
#include "eager/functions_norm.h"
#include "eager/in_place.h"
#include "ops/sample.h"
#include "support/compare.h"

namespace onemodel {
namespace {

using test::close;
using test::same_bits;

Tensor values(const Dims& dims, uint64_t seed = 1) { return sample_values(dims, -2, 2, DType::f32, seed); }

TEST(Norm, TakesEveryP) {
  const Tensor x = Tensor::from({3.0f, -4.0f}, {2});
  EXPECT_FLOAT_EQ(norm(x).item<float>(), 5);
  EXPECT_FLOAT_EQ(norm(x, 1).item<float>(), 7);
  EXPECT_FLOAT_EQ(norm(x, std::numeric_limits<double>::infinity()).item<float>(), 4);
  EXPECT_NEAR(norm(x, 3).item<float>(), 4.4979414f, 1e-5);
  EXPECT_THROW(norm(x, 0), ArgumentError);
  const Tensor none = Tensor::zeros({2, 0});
  EXPECT_EQ(norm(none).item<float>(), 0);
  EXPECT_THROW(norm(none, std::numeric_limits<double>::infinity()), ShapeError);
  EXPECT_EQ(norm(none, std::numeric_limits<double>::infinity(), {0}).dims(), Dims{0});
}

TEST(Norm, IsOfFloatingTensorsAsAreItsRelatives) {
  const Tensor x = Tensor::from<int64_t>({3, -4}, {2});
  const auto refused = [&](const char* name, const std::function<void()>& call) {
    try {
      call();
      ADD_FAILURE() << name;
    } catch (const DTypeError& error) {
      EXPECT_EQ(std::string(error.what()).find(std::string(name) + ": expected a floating-point tensor"), 0u)
          << error.what();
    }
  };
  refused("norm", [&] { norm(x); });
  refused("logsumexp", [&] { logsumexp(x, {0}); });
  refused("normalize", [&] { normalize(x, 2, 0); });
  refused("cosine_similarity", [&] { cosine_similarity(x, x, 0); });
  refused("var", [&] { var(x); });
  refused("std", [&] { std(x); });
}

// The gradient of the sum of what `function` makes of x.
Tensor slope(const Tensor& x, const std::function<Tensor(const Tensor&)>& function) {
  const Tensor leaf = x.clone();
  set_requires_grad(leaf);
  backward(sum(function(leaf)));
  return grad(leaf);
}

TEST(Norm, HasNoSlopeAtZero) {
  const Tensor zero = Tensor::zeros({1, 3});
  for (const double p : {0.5, 1.0, 1.5, 2.0, 3.0, std::numeric_limits<double>::infinity()})
    EXPECT_TRUE(same_bits(slope(zero, [&](const Tensor& x) { return norm(x, p); }), zero)) << p;
  for (const double p : {2.0, 3.0})
    EXPECT_TRUE(
        close(slope(zero, [&](const Tensor& x) { return normalize(x, p); }) * 1e-12, Tensor::full({1, 3}, 1), 1e-6));
  const Tensor partly = Tensor::from({0.0f, -3.0f}, {2});
  for (const double p : {0.5, 1.5, 3.0})
    EXPECT_TRUE(
        close(slope(partly, [&](const Tensor& x) { return norm(x, p); }), Tensor::from({0.0f, -1.0f}, {2}), 1e-6));
}

TEST(Std, HasNoSlopeWhereAllAreEqual) {
  const Tensor x = Tensor::from({1.0f, 1.0f, 1.0f, 0.0f, 1.0f, 2.0f}, {2, 3});
  const Tensor expected = Tensor::from({0.0f, 0.0f, 0.0f, -0.5f, 0.0f, 0.5f}, {2, 3});
  EXPECT_TRUE(close(slope(x, [](const Tensor& v) { return onemodel::std(v, {1}); }), expected, 1e-6));
}

TEST(Std, IsTheRootOfTheVariance) {
  const Tensor x = values({3, 4});
  for (const int64_t correction : {0, 1, 2}) {
    EXPECT_TRUE(close(onemodel::std(x, {1}, correction), sqrt(var(x, {1}, correction)), 1e-6));
    EXPECT_TRUE(close(onemodel::std(x, {}, correction, true), sqrt(var(x, {}, correction, true)), 1e-6));
  }
  for (const int64_t correction : {4, 5})  // as in PyTorch
    EXPECT_EQ(onemodel::std(x, {1}, correction).to_vector<float>(), std::vector<float>(3, INFINITY));
  EXPECT_TRUE(std::isnan(onemodel::std(Tensor::zeros({0}), {}, 0).item<float>()));
}

TEST(Hardtanh, HasNoSlopeAtItsBounds) {
  const Tensor x = Tensor::from({-2.0f, -1.0f, 0.5f, 1.0f, 2.0f}, {5});
  EXPECT_TRUE(same_bits(slope(x, [](const Tensor& v) { return hardtanh(v); }),
                        Tensor::from({0.0f, 0.0f, 1.0f, 0.0f, 0.0f}, {5})));
  EXPECT_TRUE(same_bits(slope(Tensor::from({0.0f, 6.0f, 3.0f}, {3}), relu6), Tensor::from({0.0f, 0.0f, 1.0f}, {3})));
  EXPECT_TRUE(same_bits(slope(x, [](const Tensor& v) { return clip(v, -1, 1); }),
                        Tensor::from({0.0f, 1.0f, 1.0f, 1.0f, 0.0f}, {5})));
  EXPECT_THROW(hardtanh(x, 1, -1), ArgumentError);
  EXPECT_THROW(celu(x, 0), ArgumentError);
}

TEST(Mean, RefusesIntegers) { EXPECT_THROW(mean(Tensor::zeros({2}, DType::i32)), DTypeError); }

TEST(CosineSimilarity, IsTheCosine) {
  const Tensor a = Tensor::from({1.0f, 0.0f, 1.0f, 1.0f}, {2, 2}), b = Tensor::from({2.0f, 2.0f, -3.0f, -3.0f}, {2, 2});
  EXPECT_TRUE(close(cosine_similarity(a, b), Tensor::from({0.70710678f, -1.0f}, {2}), 1e-6));
}

TEST(Var, CorrectsTheCount) {
  const Tensor x = Tensor::from({1.0f, 2.0f, 3.0f, 6.0f}, {4});
  EXPECT_FLOAT_EQ(var(x).item<float>(), 14.0f / 3);
  EXPECT_FLOAT_EQ(var(x, {}, 0).item<float>(), 3.5f);
  EXPECT_NEAR(onemodel::std(x, {0}).item<float>(), 2.1602469f, 1e-6);
  for (const int64_t correction : {4, 5}) EXPECT_EQ(var(x, {}, correction).item<float>(), INFINITY) << correction;
  EXPECT_TRUE(std::isnan(var(Tensor::zeros({1})).item<float>()));
  EXPECT_TRUE(std::isnan(onemodel::std(Tensor::zeros({1})).item<float>()));
}

TEST(LogSumExp, DoesNotOverflow) {
  EXPECT_FLOAT_EQ(logsumexp(Tensor::from({1000.0f, 1000.0f}, {2}), {0}).item<float>(), 1000.6931472f);
}

TEST(GroupNorm, OfOneGroupIsLayerNorm) {
  const Tensor x = values({2, 4, 3});
  EXPECT_TRUE(close(group_norm(x, 1), layer_norm(x, {4, 3}), 1e-6));
  EXPECT_THROW(group_norm(x, 3), ArgumentError);
  EXPECT_THROW(layer_norm(x, {4}), ShapeError);
}

TEST(Attention, IsSoftmaxOfScaledProducts) {
  const Tensor q = values({2, 3, 4}, 1), k = values({2, 5, 4}, 2), v = values({2, 5, 2}, 3);
  const Tensor expected = matmul(softmax(matmul(q, transpose(k, 1, 2)) * 0.5), v);
  EXPECT_TRUE(close(scaled_dot_product_attention(q, k, v), expected, 1e-6));
}

TEST(Attention, MasksByBoolNumberAndPosition) {
  const Tensor q = values({1, 2, 3, 4}, 1), k = values({1, 2, 3, 4}, 2), v = values({1, 2, 3, 4}, 3);
  const Tensor allowed = Tensor::from({true, false, false, true, true, false, true, true, true}, {3, 3});
  const Tensor causal = scaled_dot_product_attention(q, k, v, {}, {.is_causal = true});
  EXPECT_TRUE(same_bits(scaled_dot_product_attention(q, k, v, allowed), causal));
  EXPECT_TRUE(same_bits(scaled_dot_product_attention(q, k, v, additive_mask(allowed, DType::f32)), causal));
  EXPECT_TRUE(same_bits(scaled_dot_product_attention(q, k, v, reshape(allowed, {1, 3, 3})), causal));
  EXPECT_TRUE(close(slice(causal, 2, 0, 1), slice(v, 2, 0, 1), 1e-6)) << "the first query sees the first key only";
  EXPECT_THROW(scaled_dot_product_attention(q, k, v, allowed, {.is_causal = true}), ArgumentError);
}

// An added mask stays the pattern that others know as attention, whether the mask is known or a graph's input.
TEST(Attention, OfAQueryThatAnAddedMaskLeavesNothingIsNaN) {
  const Tensor q = values({2, 3, 4}, 1), k = values({2, 5, 4}, 2), v = values({2, 5, 2}, 3);
  Tensor mask = Tensor::zeros({3, 5});
  mask.select(0, 1).fill(-std::numeric_limits<double>::infinity());
  const Tensor y = scaled_dot_product_attention(q, k, v, mask), others = scaled_dot_product_attention(q, k, v);
  for (const float each : slice(y, 1, 1, 2).to_vector<float>()) EXPECT_TRUE(std::isnan(each));
  EXPECT_TRUE(same_bits(slice(y, 1, 0, 1), slice(others, 1, 0, 1)));
  EXPECT_TRUE(same_bits(slice(y, 1, 2, 3), slice(others, 1, 2, 3)));
}

TEST(Attention, GivesAQueryThatSeesNothingZeros) {
  const Tensor q = values({2, 3, 4}, 1), k = values({2, 5, 4}, 2), v = values({2, 5, 2}, 3);
  const Tensor seen = Tensor::from(
      {true, true, false, true, true, false, false, false, false, false, true, false, false, true, true}, {3, 5});
  const auto attend = [&](const Tensor& x) { return scaled_dot_product_attention(x, k, v, seen); };
  const Tensor y = attend(q);
  EXPECT_TRUE(same_bits(slice(y, 1, 1, 2), Tensor::zeros({2, 1, 2})));
  const Tensor others = cat({slice(q, 1, 0, 1), slice(q, 1, 2, 3)}, 1);
  const Tensor rows = cat({slice(seen, 0, 0, 1), slice(seen, 0, 2, 3)}, 0);
  EXPECT_TRUE(
      same_bits(cat({slice(y, 1, 0, 1), slice(y, 1, 2, 3)}, 1), scaled_dot_product_attention(others, k, v, rows)));
  const Tensor gradient = slope(q, attend);
  EXPECT_TRUE(same_bits(slice(gradient, 1, 1, 2), Tensor::zeros({2, 1, 4})));
  EXPECT_FALSE(std::isnan(sum(gradient).item<float>()));
  EXPECT_TRUE(same_bits(slice(attention(q, k, v, seen).weights, 1, 1, 2), Tensor::zeros({2, 1, 5})));
}

TEST(Attention, SharesHeadsOfKeyAndValue) {
  const Tensor q = values({1, 4, 3, 2}, 1), k = values({1, 2, 3, 2}, 2), v = values({1, 2, 3, 2}, 3);
  const auto twice = [](const Tensor& x) {
    const Tensor first = slice(x, 1, 0, 1), second = slice(x, 1, 1, 2);
    return cat({first, first, second, second}, 1);
  };
  EXPECT_TRUE(same_bits(scaled_dot_product_attention(q, k, v, {}, {.enable_gqa = true}),
                        scaled_dot_product_attention(q, twice(k), twice(v))));
}

TEST(Embedding, GivesThePaddingRowNoGradient) {
  const Tensor weight = values({4, 2}), index = Tensor::from<int64_t>({1, 3, 1}, {3});
  set_requires_grad(weight);
  backward(sum(embedding(index, weight, -3)));
  EXPECT_TRUE(same_bits(grad(weight), Tensor::from({0.0f, 0.0f, 0.0f, 0.0f, 0.0f, 0.0f, 1.0f, 1.0f}, {4, 2})));
  EXPECT_THROW(embedding(index, weight, 4), ArgumentError);
}

TEST(ChunkAndStack, CutAndJoin) {
  const Tensor x = values({2, 5});
  const auto parts = chunk(x, 3, 1);
  ASSERT_EQ(parts.size(), 3u);
  EXPECT_EQ(parts[2].dims(), (Dims{2, 1}));
  EXPECT_TRUE(same_bits(cat(parts, 1), x));
  const Tensor stacked = stack({x, x}, -1);
  EXPECT_EQ(stacked.dims(), (Dims{2, 5, 2}));
  EXPECT_TRUE(same_bits(select(stacked, 2, 1), x));
  EXPECT_THROW(stack({x, parts[0]}), ShapeError);
  EXPECT_THROW(glu(x, 1), ShapeError);
}

TEST(InPlace, ASourceMayBePartOfTheTarget) {
  const Tensor x = Tensor::from<float>({1, 2, 3}, {3});
  index_copy_(x, 0, Tensor::from_ints(std::vector<int64_t>{1, 2}), x.slice(0, 0, 2));
  EXPECT_EQ(x.to_vector<float>(), (std::vector<float>{1, 1, 2}));
}

TEST(InPlace, ElementsThatShareMemoryAreWrittenOneValueOnly) {
  const Tensor base = Tensor::zeros({1, 2}), wide = expand(base, {3, 2}), rows = values({3, 2});
  EXPECT_THROW(add_(wide, rows), ArgumentError);
  EXPECT_THROW(copy_(wide, rows), ArgumentError);
  EXPECT_THROW(slice_scatter_(wide, rows, 0, 0, 3), ArgumentError);
  EXPECT_THROW(select_scatter_(wide, Tensor::zeros({2}), 0, 1), ArgumentError);
  EXPECT_THROW(index_copy_(wide, 0, Tensor::from<int64_t>({1}, {1}), Tensor::zeros({1, 2})), ArgumentError);
  EXPECT_THROW(Tensor(wide).copy_from(rows), ArgumentError);
  EXPECT_TRUE(same_bits(base, Tensor::zeros({1, 2})));
  fill_(wide, 2);
  copy_(wide, Tensor::scalar(3.0f));
  EXPECT_TRUE(same_bits(base, Tensor::full({1, 2}, 3)));
  EXPECT_NO_THROW(add_(expand(base, {1, 2}), Tensor::zeros({2})));
}

TEST(InPlace, NumbersBeyondAnIntegerDtypeAreRefusedAsThoseOfFull) {
  const Tensor bytes = Tensor::zeros({2}, DType::i8), wide = Tensor::zeros({1}, DType::u64);
  for (const double value : {128.0, -129.0, 300.0, std::nan("")}) {
    EXPECT_THROW(fill_(bytes, value), ArgumentError) << value;
    EXPECT_THROW(full({1}, value, DType::i8), ArgumentError) << value;
    EXPECT_THROW(add_(bytes, value), ArgumentError) << value;
    EXPECT_THROW(mul_(bytes, value), ArgumentError) << value;
  }
  EXPECT_THROW(add_(bytes, 0.5), ArgumentError);
  EXPECT_THROW(fill_(wide, -1), ArgumentError);
  EXPECT_THROW(fill_(wide, 0x1p64), ArgumentError);
  EXPECT_THROW(full({1}, 0x1p63, DType::i64), ArgumentError);
  EXPECT_THROW(full({1}, 8, DType::i4), ArgumentError);
  EXPECT_EQ(bytes.to_vector<int>(), (std::vector<int>{0, 0}));
  EXPECT_EQ(fill_(bytes, -128.5).to_vector<int>(), (std::vector<int>{-128, -128}));
  EXPECT_EQ(full({1}, -0x1p63, DType::i64).item<int64_t>(), std::numeric_limits<int64_t>::min());
  EXPECT_EQ(full({1}, 300, DType::f16).item<float>(), 300);
}

TEST(InPlace, AFactorThatIntegersCannotHaveIsRefused) {
  const Tensor x = Tensor::from<int32_t>({1, 2}, {2});
  EXPECT_THROW(add_(x, x, 0.5), DTypeError);
  EXPECT_EQ(add_(x, Tensor::from<int32_t>({4, 4}, {2}), 2).to_vector<int32_t>(), (std::vector<int32_t>{9, 10}));
}

}  // namespace
}  // namespace onemodel

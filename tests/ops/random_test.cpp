#include "ops/random.h"

#include <gtest/gtest.h>

#include <cmath>

#include "ops/dropout.h"
#include "ops/sample.h"
#include "ops/seeds.h"
#include "support/compare.h"
#include "support/direct_applier.h"
#include "support/inference.h"

namespace onemodel::test {
namespace {

struct Moments {
  double mean = 0, variance = 0, low = INFINITY, high = -INFINITY;
};

Moments moments(const Tensor& x) {
  Moments out;
  const auto values = x.to_vector<double>();
  for (const double v : values) {
    out.mean += v / static_cast<double>(values.size());
    out.low = std::min(out.low, v);
    out.high = std::max(out.high, v);
  }
  for (const double v : values) out.variance += (v - out.mean) * (v - out.mean) / static_cast<double>(values.size());
  return out;
}

TEST(RandomNormal, HasItsMeanAndDeviation) {
  const auto found = moments(run(RandomNormal{.mean = 3, .scale = 2, .seed = 1.0f, .shape = {100, 200}}, {}));
  EXPECT_NEAR(found.mean, 3, 0.06);
  EXPECT_NEAR(found.variance, 4, 0.2);
}

TEST(RandomUniform, CoversItsRange) {
  const auto found = moments(run(RandomUniform{.high = 5, .low = -1, .seed = 1.0f, .shape = {20000}}, {}));
  EXPECT_NEAR(found.mean, 2, 0.06);
  EXPECT_NEAR(found.variance, 3, 0.1);
  EXPECT_GE(found.low, -1);
  EXPECT_LT(found.low, -0.99);
  EXPECT_LE(found.high, 5);
  EXPECT_GT(found.high, 4.99);
}

TEST(Bernoulli, FollowsTheProbabilities) {
  const Tensor y = run(Bernoulli{.seed = 4.0f}, {Tensor::full({10000}, 0.3)});
  EXPECT_NEAR(moments(y).mean, 0.3, 0.02);
  const Tensor sure = run(Bernoulli{}, {Tensor::from<float>({0, 1, 0, 1}, {4})});
  EXPECT_EQ(sure.to_vector<float>(), (std::vector<float>{0, 1, 0, 1}));
}

TEST(Multinomial, FollowsTheLogarithms) {
  const Tensor logs =
      Tensor::from<float>({std::log(0.1f), std::log(0.6f), std::log(0.3f), -INFINITY, 0, -INFINITY}, {2, 3});
  const auto y = run(Multinomial{.sample_size = 10000, .seed = 4.0f}, {logs}).to_vector<int64_t>();
  std::vector<double> share(3);
  for (size_t i = 0; i < 10000; ++i) share[static_cast<size_t>(y[i])] += 1e-4;
  EXPECT_NEAR(share[0], 0.1, 0.02);
  EXPECT_NEAR(share[1], 0.6, 0.02);
  for (size_t i = 10000; i < y.size(); ++i) ASSERT_EQ(y[i], 1) << "the only class with a probability";
}

TEST(RandomOperators, DrawAnewUnlessSeeded) {
  const Tensor x = Tensor::full({4, 8}, 0.5), yes = Tensor::scalar(true), half = Tensor::scalar(0.5f);
  const auto pair = [](const Op& op, const std::vector<Tensor>& inputs) {
    return std::pair(run(op, inputs).front(), run(op, inputs).front());
  };
  const std::tuple<Op, Op, std::vector<Tensor>> cases[] = {
      {RandomNormal{.shape = {9}}, RandomNormal{.seed = 2.0f, .shape = {9}}, {}},
      {RandomUniform{.shape = {9}}, RandomUniform{.seed = 2.0f, .shape = {9}}, {}},
      {RandomNormalLike{}, RandomNormalLike{.seed = 2.0f}, {x}},
      {RandomUniformLike{}, RandomUniformLike{.seed = 2.0f}, {x}},
      {Bernoulli{}, Bernoulli{.seed = 2.0f}, {x}},
      {Multinomial{.sample_size = 32}, Multinomial{.sample_size = 32, .seed = 2.0f}, {x}},
      {Dropout{}, Dropout{.seed = 2}, {x, half, yes}}};
  for (const auto& [free, seeded, inputs] : cases) {
    EXPECT_TRUE(free.traits().info.random) << free.name();
    const auto [a, b] = pair(free, inputs);
    EXPECT_FALSE(same_bits(a, b)) << free.name();
    const auto [c, d] = pair(seeded, inputs);
    EXPECT_TRUE(same_bits(c, d)) << free.name();
    restart_seeds(5);
    const Tensor first = run(free, inputs).front();
    restart_seeds(5);
    EXPECT_TRUE(same_bits(first, run(free, inputs).front())) << free.name() << " after the same seed";
  }
}

TEST(RandomOperators, DifferBySeed) {
  const auto drawn = [](float seed) { return run(RandomUniform{.seed = seed, .shape = {9}}, {}); };
  EXPECT_FALSE(same_bits(drawn(1), drawn(2)));
  EXPECT_FALSE(same_bits(drawn(0.25f), drawn(0.5f))) << "seeds are not cut to whole numbers";
}

TEST(RandomOperators, KeepSymbolicShapes) {
  const Extent n = Extent::symbol("n");
  EXPECT_EQ(Inference(RandomNormalLike{}).input({n, 4}).text(), "[n, 4]");
  EXPECT_EQ(Inference(RandomUniformLike{.dtype = DType::f64}).input({n}, DType::i32).type().dtype, DType::f64);
  EXPECT_EQ(Inference(Multinomial{.sample_size = 3}).input({n, 4}).text(), "[n, 3]");
}

}  // namespace
}  // namespace onemodel::test

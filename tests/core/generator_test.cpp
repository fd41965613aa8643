#include "core/generator.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/error.h"

namespace onemodel {
namespace {

using Words4 = std::array<uint32_t, 4>;

// Known answers of the Random123 distribution (kat_vectors, philox4x32 10).
TEST(Generator, PhiloxMatchesPublishedAnswers) {
  EXPECT_EQ(Generator::philox({0, 0, 0, 0}, {0, 0}), (Words4{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
  EXPECT_EQ(Generator::philox({~0u, ~0u, ~0u, ~0u}, {~0u, ~0u}),
            (Words4{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}));
  EXPECT_EQ(Generator::philox({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, {0xa4093822, 0x299f31d0}),
            (Words4{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}));
}

TEST(Generator, DrawsTheBlocksInOrder) {
  Generator generator(0);
  EXPECT_EQ(generator.next_u32(), 0x6627e8d5u);
  EXPECT_EQ(generator.next_u32(), 0xe169c58du);
  EXPECT_EQ(generator.next_u64(), 0x9b00dbd8bc57ac4cu);
  EXPECT_EQ(generator.next_u32(), Generator::philox({1, 0, 0, 0}, {0, 0})[0]);
}

TEST(Generator, ContinuesFromASavedState) {
  Generator generator(42);
  for (int i = 0; i < 7; ++i) generator.next_u32();
  const Generator::State saved = generator.state();
  EXPECT_EQ(saved, (Generator::State{42, 7}));
  const float next = generator.normal();
  Generator other;
  other.set_state(saved);
  EXPECT_EQ(other.normal(), next);
  EXPECT_EQ(other.state(), generator.state());
}

TEST(Generator, UniformFillsItsRange) {
  Generator generator(1);
  double sum = 0;
  float lowest = 1, highest = 0;
  for (int i = 0; i < 100000; ++i) {
    const float u = generator.uniform();
    lowest = std::min(lowest, u);
    highest = std::max(highest, u);
    sum += u;
  }
  EXPECT_GE(lowest, 0.0f);
  EXPECT_LT(highest, 1.0f);
  EXPECT_NEAR(sum / 100000, 0.5, 0.003);
  EXPECT_LT(lowest, 1e-3f);
  EXPECT_GT(highest, 1 - 1e-3f);
}

TEST(Generator, NormalHasItsMoments) {
  Generator generator(2);
  std::vector<float> x(200000);
  generator.fill_normal(x.data(), x.size(), 3.0f, 2.0f);
  double mean = 0, square = 0, fourth = 0;
  for (float v : x) mean += v;
  mean /= static_cast<double>(x.size());
  for (float v : x) {
    const double d = (v - mean) / 2;
    square += d * d;
    fourth += d * d * d * d;
  }
  EXPECT_NEAR(mean, 3.0, 0.02);
  EXPECT_NEAR(square / static_cast<double>(x.size()), 1.0, 0.01);
  EXPECT_NEAR(fourth / static_cast<double>(x.size()), 3.0, 0.1);
}

TEST(Generator, FillsAsSingleDrawsDo) {
  Generator one(5), other(5);
  float filled[5];
  one.fill_uniform(filled, 5, -1.0f, 1.0f);
  for (float v : filled) EXPECT_EQ(v, other.uniform(-1.0f, 1.0f));
}

TEST(Generator, BelowIsEvenlySpread) {
  Generator generator(3);
  int counts[7] = {};
  for (int i = 0; i < 70000; ++i) ++counts[generator.below(7)];
  for (int c : counts) EXPECT_NEAR(c, 10000, 400);
  EXPECT_EQ(generator.below(1), 0u);
  EXPECT_THROW(generator.below(0), ArgumentError);
}

TEST(Generator, PermutationHoldsEachNumberOnce) {
  Generator generator(4);
  std::vector<int64_t> p = generator.permutation(1000);
  EXPECT_FALSE(std::is_sorted(p.begin(), p.end()));
  std::sort(p.begin(), p.end());
  for (int64_t i = 0; i < 1000; ++i) EXPECT_EQ(p[static_cast<size_t>(i)], i);
  EXPECT_TRUE(generator.permutation(0).empty());
  EXPECT_THROW(generator.permutation(-1), ArgumentError);
}

TEST(Generator, GivesTheSameNumbersEverywhere) {
  Generator generator(2026);
  EXPECT_EQ(generator.normal(), -0x1.48d69ep+0f);
  EXPECT_EQ(generator.normal(), -0x1.f036bcp-3f);
  EXPECT_EQ(generator.uniform(-3.0f, 5.0f), 0x1.39ffeap+2f);
  EXPECT_EQ(generator.permutation(6), (std::vector<int64_t>{2, 5, 0, 3, 1, 4}));
}

}  // namespace
}  // namespace onemodel

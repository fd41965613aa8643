#include "nn/random.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <numeric>

#include "core/error.h"
#include "trace/tracer.h"

namespace onemodel {
namespace {

TEST(Random, SameSeedSameNumbers) {
  nn::manual_seed(5);
  const std::vector<float> first = nn::rand({4, 3}, -2, 2).to_vector<float>();
  const std::vector<float> more = nn::randn({7}).to_vector<float>();
  nn::manual_seed(5);
  EXPECT_EQ(nn::rand({4, 3}, -2, 2).to_vector<float>(), first);
  EXPECT_EQ(nn::randn({7}).to_vector<float>(), more);
  EXPECT_TRUE(std::all_of(first.begin(), first.end(), [](float x) { return x >= -2 && x < 2; }));
}

TEST(Random, NormalNumbersHaveTheMomentsAskedFor) {
  nn::manual_seed(6);
  const std::vector<float> x = nn::randn({20000}, 3, 0.5f).to_vector<float>();
  const double mean = std::accumulate(x.begin(), x.end(), 0.0) / 20000;
  double variance = 0;
  for (const float value : x) variance += (value - mean) * (value - mean) / 20000;
  EXPECT_NEAR(mean, 3, 0.02);
  EXPECT_NEAR(variance, 0.25, 0.02);
}

TEST(Random, PermutationsHaveEachIndexOnce) {
  std::vector<int64_t> order = nn::randperm(50).to_vector<int64_t>();
  EXPECT_FALSE(std::is_sorted(order.begin(), order.end()));
  std::sort(order.begin(), order.end());
  std::vector<int64_t> all(50);
  std::iota(all.begin(), all.end(), 0);
  EXPECT_EQ(order, all);
  EXPECT_EQ(nn::randperm(0).dims(), Dims{0});
}

TEST(Random, RefusesToBeFrozenInATrace) {
  const std::pair<const char*, std::function<Tensor()>> makers[] = {{"rand", [] { return nn::rand({2}); }},
                                                                    {"randn", [] { return nn::randn({2}); }},
                                                                    {"randperm", [] { return nn::randperm(2); }}};
  for (const auto& [name, make] : makers) {
    Tracer tracer = Tracer::begin();
    try {
      make();
      ADD_FAILURE() << name << " is traced";
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), "UnsupportedOperation");
      EXPECT_NE(std::string(error.what()).find(name), std::string::npos) << error.what();
    }
  }
}

}  // namespace
}  // namespace onemodel

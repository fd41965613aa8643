#include "ops/shrink.h"

#include <gtest/gtest.h>

#include "support/direct_applier.h"

namespace onemodel::test {
namespace {

using Floats = std::vector<float>;

TEST(Shrink, HardAndSoft) {
  const Tensor x = Tensor::from<float>({-2, -1, 0, 1, 2}, {5});
  EXPECT_EQ(run(Shrink{.lambd = 1.5f}, {x}).to_vector<float>(), (Floats{-2, 0, 0, 0, 2}));
  EXPECT_EQ(run(Shrink{.bias = 1.5f, .lambd = 1.5f}, {x}).to_vector<float>(), (Floats{-0.5f, 0, 0, 0, 0.5f}));
}

}  // namespace
}  // namespace onemodel::test

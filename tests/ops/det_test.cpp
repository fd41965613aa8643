#include "ops/det.h"

#include <gtest/gtest.h>

#include "support/compare.h"
#include "support/direct_applier.h"

namespace onemodel::test {
namespace {

using Floats = std::vector<float>;

TEST(Det, OfSmallMatrices) {
  EXPECT_EQ(run(Det{}, {Tensor::from<float>({0, 1, 2, 3}, {2, 2})}).to_vector<float>(), Floats{-2});
  const Tensor three = Tensor::from<double>({2, 0, 1, 1, 3, 2, 0, 1, 4}, {3, 3});
  EXPECT_DOUBLE_EQ(run(Det{}, {three}).item<double>(), 21);
  EXPECT_EQ(run(Det{}, {Tensor::zeros({2, 0, 0})}).to_vector<float>(), (Floats{1, 1}));
}

TEST(Det, CofactorsOfASingularMatrix) {
  const Tensor x = Tensor::from<double>({1, 2, 3, 2, 4, 6, 1, 0, 1}, {3, 3});
  EXPECT_EQ(run(Det{}, {x}).item<double>(), 0);
  EXPECT_TRUE(close(run(Cofactors{}, {x}), Tensor::from<double>({4, 4, -4, -2, -2, 2, 0, 0, 0}, {3, 3}), 1e-12));
}

}  // namespace
}  // namespace onemodel::test

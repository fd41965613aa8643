#include "ops/col2im.h"

#include <gtest/gtest.h>

#include "ops/sample.h"
#include "support/direct_applier.h"
#include "support/inference.h"

namespace onemodel::test {
namespace {

using Floats = std::vector<float>;

TEST(Col2Im, AddsOverlappingBlocks) {
  const Tensor ones = Tensor::full({1, 4, 4}, 1);
  const Tensor y = run(Col2Im{}, {ones, sample_ints({3, 3}), sample_ints({2, 2})});
  EXPECT_EQ(y.to_vector<float>(), (Floats{1, 2, 1, 2, 4, 2, 1, 2, 1}));
}

TEST(Col2Im, FollowsSymbols) {
  const Extent n = Extent::symbol("n");
  EXPECT_EQ(Inference(Col2Im{}).input({n, 12, 6}).ints({3, 4}).ints({2, 2}).text(), "[n, 3, 3, 4]");
}

}  // namespace
}  // namespace onemodel::test

#include "ops/non_max_suppression.h"

#include <gtest/gtest.h>

#include "support/direct_applier.h"
#include "support/inference.h"

namespace onemodel::test {
namespace {

using Ints = std::vector<int64_t>;

TEST(NonMaxSuppression, LeavesOutOverlappingBoxes) {
  const Tensor boxes = Tensor::from<float>(
      {0, 0, 1, 1, 0, 0.1f, 1, 1.1f, 0, -0.1f, 1, 0.9f, 0, 10, 1, 11, 0, 10.1f, 1, 11.1f, 0, 100, 1, 101}, {1, 6, 4});
  const Tensor scores = Tensor::from<float>({0.9f, 0.75f, 0.6f, 0.95f, 0.5f, 0.3f}, {1, 1, 6});
  const Tensor half = Tensor::scalar(0.5f);
  const auto chosen = [&](int64_t most, const Tensor& least) {
    return run(NonMaxSuppression{}, {boxes, scores, Tensor::scalar(most), half, least}).to_vector<int64_t>();
  };
  EXPECT_EQ(chosen(3, Tensor()), (Ints{0, 0, 3, 0, 0, 0, 0, 0, 5}));
  EXPECT_EQ(chosen(2, Tensor()), (Ints{0, 0, 3, 0, 0, 0}));
  EXPECT_EQ(chosen(3, Tensor::scalar(0.4f)), (Ints{0, 0, 3, 0, 0, 0}));
  EXPECT_EQ(chosen(0, Tensor()), Ints{});
}

TEST(NonMaxSuppression, HasASizeThatOnlyValuesTell) {
  const auto of = [] {
    return Inference(NonMaxSuppression{}).input({1, 6, 4}).input({1, 1, 6}).constant(Tensor::scalar(int64_t{3}));
  };
  EXPECT_EQ(of().text(), "[NonMaxSuppression.count, 3]");
  EXPECT_NE(of().tracing().error().find("the size of the result depends on values"), std::string::npos);
}

}  // namespace
}  // namespace onemodel::test

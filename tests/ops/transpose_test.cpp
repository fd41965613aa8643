#include "ops/transpose.h"

#include <gtest/gtest.h>

#include "support/compare.h"
#include "support/direct_applier.h"
#include "support/inference.h"

namespace onemodel::test {
namespace {

TEST(Transpose, MovesAxes) {
  const Tensor x = Tensor::from<float>({1, 2, 3, 4, 5, 6}, {1, 2, 3});
  EXPECT_TRUE(same_bits(run(Transpose{.perm = {2, 0, 1}}, {x}), Tensor::from<float>({1, 4, 2, 5, 3, 6}, {3, 1, 2})));
}

TEST(Transpose, ReversesAxesByDefault) {
  const Extent batch = Extent::symbol("batch", 6);
  EXPECT_EQ(Inference(Transpose{}).input({batch, 3, 4}).text(), "[4, 3, batch]");
  EXPECT_EQ(Inference(Transpose{.perm = {1, 0, 2}}).input({batch, 3, 4}).text(), "[3, batch, 4]");
}

TEST(Transpose, TakesTheLargestRank) {
  const Tensor x = sample_values({2, 1, 3, 2, 1, 2, 3, 2});
  const Transpose op{.perm = {7, 5, 3, 1, 6, 4, 2, 0}};
  EXPECT_TRUE(same_bits(run(op, {x}), x.permute(op.perm)));
  const Tensor deep = sample_values({2, 2, 2, 2, 2, 2, 2, 2});
  EXPECT_TRUE(same_bits(run(op, {deep}), deep.permute(op.perm)));
}

TEST(Transpose, IsFastForEveryElementSize) {
  const KernelRequest::Operand x{DType::f64, {3, 4}, {}}, y{DType::f64, {4, 3}, {}};
  EXPECT_EQ(choose_kernel(Transpose{}, {{&x, 1}, {&y, 1}, Arithmetic::fast, {}}).name, "xnn.transpose");
}

}  // namespace
}  // namespace onemodel::test

#include "ops/reshape.h"

#include <gtest/gtest.h>

#include "ops/expand.h"
#include "support/compare.h"
#include "support/direct_applier.h"
#include "support/inference.h"

namespace onemodel::test {
namespace {

const Extent batch = Extent::symbol("batch", 6), seq = Extent::symbol("seq", 5);

TEST(Reshape, KeepsElementsInOrder) {
  const Tensor x = Tensor::from<float>({1, 2, 3, 4, 5, 6}, {2, 3});
  EXPECT_TRUE(same_bits(run(Reshape{}, {x, sample_ints({3, 2})}), Tensor::from<float>({1, 2, 3, 4, 5, 6}, {3, 2})));
  EXPECT_TRUE(
      same_bits(run(Reshape{}, {x.transpose(0, 1), sample_ints({-1})}), Tensor::from<float>({1, 4, 2, 5, 3, 6}, {6})));
}

TEST(Reshape, ZeroCopiesOrMeansEmpty) {
  const Shape x{2, 0, 3};
  EXPECT_EQ(Inference(Reshape{}).input(x).ints({0, 0, 3}).text(), "[2, 0, 3]");
  EXPECT_EQ(Inference(Reshape{.allowzero = true}).input(x).ints({0, 7}).text(), "[0, 7]");
  EXPECT_EQ(Inference(Reshape{}).input({4, 2}).ints({0, 1, -1}).text(), "[4, 1, 2]");
}

TEST(Reshape, InfersMinusOneBesideAnEmptyAxisOnlyWhenItCan) {
  EXPECT_EQ(Inference(Reshape{}).input({0, 4}).ints({-1, 2}).text(), "[0, 2]");
  EXPECT_EQ(Inference(Reshape{}).input({0, 4}).ints({0, -1}).error(),
            "ShapeError: Reshape: cannot reshape [0, 4] (0 elements) to [0, -1]: -1 could be anything "
            "beside an empty axis");
}

TEST(Reshape, ResolvesSymbolicSizesInAGraph) {
  EXPECT_EQ(Inference(Reshape{}).input({batch, seq, 64}).ints({0, 0, 8, -1}).text(), "[batch, seq, 8, 8]");
  EXPECT_EQ(Inference(Reshape{}).input({batch, 12}).ints({-1, 3}).text(), "[4*batch, 3]");
  EXPECT_EQ(Inference(Reshape{}).input({batch, seq}).ints({-1}).text(), "[batch*seq]");
  EXPECT_EQ(Inference(Reshape{}).input({batch, 3}).ints({-1, 2}).text(), "[batch + floor(batch / 2), 2]");
  EXPECT_EQ(Inference(Reshape{}).input({batch, seq, 64}).data({batch, -1, 8}).text(), "[batch, 8*seq, 8]");
  EXPECT_EQ(Inference(Reshape{}).input({batch * seq, 8}).data({batch, seq, 8}).text(), "[batch, seq, 8]");
}

TEST(Reshape, KnowsTheRankOfAnUnknownTarget) {
  const TensorType type = Inference(Reshape{}).input({batch, 4}).input({3}, DType::i64).type();
  EXPECT_EQ(type.shape.rank(), 3u);
  EXPECT_FALSE(type.shape[0].is_number());
  EXPECT_EQ(Inference(Reshape{}).input({4}).input({seq}, DType::i64).type().dtype, DType::undefined);
  EXPECT_EQ(Inference(Reshape{}).tracing().input({4}).input({seq}, DType::i64).error(),
            "ShapeError: Reshape: input 1 has seq elements; their number must be known, as it decides "
            "the rank");
}

TEST(Reshape, ReadsExampleSizesInATrace) {
  EXPECT_EQ(Inference(Reshape{}).tracing().input({batch * seq, 8}).ints({6, 5, 2, 4}).text(), "[batch, seq, 2, 4]");
  EXPECT_EQ(Inference(Reshape{}).tracing().input({batch, 3, seq}).ints({6, -1}).text(), "[batch, 3*seq]");
  EXPECT_EQ(Inference(Reshape{}).tracing().input({batch, 8}).ints({0, 2, 4}).text(), "[batch, 2, 4]");
  EXPECT_EQ(Inference(Reshape{}).tracing().input({2, 6}).ints({12}).text(), "[12]");
}

TEST(Reshape, RefusesToSplitASymbolInATrace) {
  EXPECT_EQ(Inference(Reshape{}).tracing().input({batch, 5}).ints({2, 15}).error(),
            "TraceError: Reshape: reshape of [batch, 5] to [2, 15]: 5*batch (batch = 6 in the example) "
            "cannot be split into [2, 15]: every symbol must stay whole");
  EXPECT_EQ(Inference(Reshape{}).tracing().input({batch, 5}).ints({4, 8}).error().substr(0, 10), "ShapeError");
}

TEST(Reshape, FollowsContents) {
  EXPECT_EQ(Inference(Reshape{}).data({batch}).ints({}).contents(), "[batch]");
  EXPECT_EQ(Inference(Reshape{}).data({batch, 3}).ints({-1}).contents(), "[batch, 3]");
  EXPECT_EQ(Inference(Reshape{}).data({batch, 3}).ints({2, 1}).contents(), "unknown");
}

TEST(Squeeze, RemovesAxesOfOne) {
  EXPECT_EQ(Inference(Squeeze{}).input({1, batch, 1}).text(), "[batch]");
  EXPECT_EQ(Inference(Squeeze{}).input({1, batch, 1}).ints({-1}).text(), "[1, batch]");
  EXPECT_EQ(Inference(Squeeze{}).data({seq}, {1}).ints({0}).contents(), "[seq]");
  EXPECT_EQ(Inference(Squeeze{}).input({1, 2}).input({1}, DType::i64).shape().rank(), 1u);
}

TEST(Squeeze, RefusesASymbolThatIsOneInTheExample) {
  const Extent one = Extent::symbol("one", 1);
  EXPECT_EQ(Inference(Squeeze{}).tracing().input({one, 3}).ints({0}).error(),
            "TraceError: Squeeze: axis 0 of [one, 3] has extent 1 in the example run only");
  EXPECT_EQ(Inference(Squeeze{}).tracing().input({one, 3}).error().substr(0, 10), "TraceError");
  EXPECT_EQ(Inference(Squeeze{}).tracing().input({batch, 1}).text(), "[batch]");
  EXPECT_EQ(Inference(Squeeze{}).tracing().input({batch, 1}).ints({0}).error(),
            "ShapeError: Squeeze: axis 0 of shape [batch, 1] has extent batch, expected 1");
}

TEST(Unsqueeze, InsertsAxes) {
  EXPECT_EQ(Inference(Unsqueeze{}).input({batch, 3}).ints({0, -1}).text(), "[1, batch, 3, 1]");
  EXPECT_EQ(Inference(Unsqueeze{}).data({seq}, {}).ints({0}).contents(), "[seq]");
  EXPECT_EQ(Inference(Unsqueeze{}).input({1, 1, 1, 1, 1, 1, 1, 1}).ints({0}).error(),
            "ShapeError: Unsqueeze: the result would have rank 9, above the largest supported, 8");
}

TEST(Flatten, JoinsAxes) {
  EXPECT_EQ(Inference(Flatten{}).input({batch, 3, seq}).text(), "[batch, 3*seq]");
  EXPECT_EQ(Inference(Flatten{.axis = 0}).input({batch, 3}).text(), "[1, 3*batch]");
  EXPECT_EQ(Inference(Flatten{.axis = -1}).input({batch, 3, seq}).text(), "[3*batch, seq]");
}

TEST(Expand, RepeatsAlongAxesOfOne) {
  const Tensor x = Tensor::from<int32_t>({1, 2}, {2, 1});
  EXPECT_TRUE(same_bits(run(Expand{}, {x, sample_ints({1, 3})}), Tensor::from<int32_t>({1, 1, 1, 2, 2, 2}, {2, 3})));
}

TEST(Expand, KeepsSymbols) {
  EXPECT_EQ(Inference(Expand{}).input({1, 4}).data({batch, 4}).text(), "[batch, 4]");
  EXPECT_EQ(Inference(Expand{}).input({batch, 1}).ints({1, 3}).text(), "[batch, 3]");
  EXPECT_EQ(Inference(Expand{}).tracing().input({batch, 1}).ints({6, 3}).text(), "[batch, 3]");
  EXPECT_EQ(Inference(Expand{}).tracing().input({batch, 1}).ints({4, 3}).error(),
            "TraceError: Expand: expand of [batch, 1] to [4, 3]: axis 0 has batch and 4, which do not "
            "broadcast");
  EXPECT_EQ(concat(Inference(Expand{}).input({3, 1}).input({2}, DType::i64).shape()[0]), "3");
}

}  // namespace
}  // namespace onemodel::test

#include "ops/slice.h"

#include <gtest/gtest.h>

#include <limits>

#include "ops/concat.h"
#include "support/compare.h"
#include "support/direct_applier.h"
#include "support/inference.h"

namespace onemodel::test {
namespace {

constexpr int64_t kMax = std::numeric_limits<int64_t>::max();
const Extent batch = Extent::symbol("batch", 6), seq = Extent::symbol("seq", 5);

Tensor sliced(const Tensor& x, int64_t start, int64_t end, int64_t axis, int64_t step) {
  return run(Slice{}, {x, sample_ints({start}), sample_ints({end}), sample_ints({axis}), sample_ints({step})});
}

TEST(Slice, TakesRangesAsPython) {
  const Tensor x = Tensor::from<int32_t>({0, 1, 2, 3, 4}, {5});
  EXPECT_EQ(sliced(x, 1, 4, 0, 1).to_vector<int>(), (std::vector{1, 2, 3}));
  EXPECT_EQ(sliced(x, -2, kMax, 0, 1).to_vector<int>(), (std::vector{3, 4}));
  EXPECT_EQ(sliced(x, 0, kMax, 0, 2).to_vector<int>(), (std::vector{0, 2, 4}));
  EXPECT_EQ(sliced(x, 4, -6, 0, -2).to_vector<int>(), (std::vector{4, 2, 0}));
  EXPECT_EQ(sliced(x, -1, -kMax - 1, -1, -1).to_vector<int>(), (std::vector{4, 3, 2, 1, 0}));
  EXPECT_EQ(sliced(x, -9, -kMax, 0, -1).to_vector<int>(), (std::vector{0})) << "the start becomes 0";
  EXPECT_EQ(sliced(x, 3, 3, 0, 1).numel(), 0);
  EXPECT_EQ(sliced(x, 9, 99, 0, kMax).numel(), 0);
}

TEST(Slice, KeepsTheWholeOfASymbolicAxis) {
  const auto cut = [](int64_t start, int64_t end, int64_t step, bool tracing) {
    Inference inference(Slice{});
    if (tracing) inference.tracing();
    return inference.input({batch, 3}).ints({start}).ints({end}).ints({0}).ints({step});
  };
  for (bool tracing : {false, true}) {
    EXPECT_EQ(cut(0, kMax, 1, tracing).text(), "[batch, 3]");
    EXPECT_EQ(cut(0, std::numeric_limits<int32_t>::max(), 1, tracing).text(), "[batch, 3]");
    EXPECT_EQ(cut(-1, -kMax, -1, tracing).text(), "[batch, 3]");
  }
  EXPECT_EQ(cut(0, 6, 1, true).text(), "[batch, 3]") << "its size in the example";
  EXPECT_FALSE(cut(0, 6, 1, false).shape()[0].is_number());
  EXPECT_EQ(cut(0, 5, 1, true).error(),
            "TraceError: Slice: takes a part of axis 0 of shape [batch, 3] with symbolic bounds; only "
            "all of a symbolic axis can be traced: select takes one element of it, gather several");
  EXPECT_FALSE(cut(0, 5, 1, false).shape()[0].example().has_value());
}

TEST(Slice, CutsFixedAxesBesideSymbolicOnes) {
  EXPECT_EQ(Inference(Slice{}).tracing().input({batch, 8}).ints({2}).ints({6}).ints({-1}).text(), "[batch, 4]");
}

TEST(Slice, TakesASymbolicEnd) {
  EXPECT_EQ(Inference(Slice{}).tracing().input({100, 8}).ints({0}).data({seq}).text(), "[seq, 8]");
  EXPECT_EQ(Inference(Slice{}).tracing().input({100, 8}).ints({2}).data({seq}).text(), "[seq - 2, 8]");
  EXPECT_EQ(Inference(Slice{}).input({batch, 8}).ints({0}).data({batch}).text(), "[batch, 8]");
  EXPECT_EQ(Inference(Slice{}).tracing().input({4, 8}).ints({0}).data({seq}).error().substr(0, 10), "TraceError");
}

TEST(Slice, KnowsOnlyTheRankWithoutAxes) {
  const Inference unknown = Inference(Slice{}).input({batch, 8}).ints({0}).ints({1}).input({1}, DType::i64);
  EXPECT_EQ(unknown.shape().rank(), 2u);
  EXPECT_FALSE(unknown.shape()[1].is_number());
}

TEST(Slice, FollowsContents) {
  EXPECT_EQ(Inference(Slice{}).data({batch, 3, seq, 4}).ints({1}).ints({3}).contents(), "[3, seq]");
  EXPECT_EQ(Inference(Slice{}).data({batch, 3, seq}).ints({-1}).ints({-kMax}).ints({0}).ints({-1}).contents(),
            "[seq, 3, batch]");
}

TEST(SliceGradient, PutsRowsBack) {
  const Tensor dy = Tensor::from<float>({1, 2}, {2});
  EXPECT_EQ(run(SliceGradient{{5}, {3}, {-2}}, {dy}).to_vector<float>(), (std::vector<float>{0, 2, 0, 1, 0}));
}

TEST(Concat, JoinsAlongAnAxis) {
  const Tensor a = Tensor::from<int8_t>({1, 2, 3, 4}, {2, 2}), b = Tensor::from<int8_t>({5, 6}, {2, 1});
  EXPECT_EQ(run(Concat{.axis = 1}, {a, b, b}).to_vector<int>(), (std::vector{1, 2, 5, 5, 3, 4, 6, 6}));
}

TEST(Concat, AddsSymbolicExtents) {
  EXPECT_EQ(Inference(Concat{.axis = 1}).input({batch, seq}).input({batch, 3}).text(), "[batch, seq + 3]");
  EXPECT_EQ(Inference(Concat{.axis = 1}).input({batch, seq}).input({batch, seq}).text(), "[batch, 2*seq]");
  EXPECT_EQ(Inference(Concat{.axis = 1}).input({batch, seq}).input({4, 3}).text(), "[4, seq + 3]");
}

TEST(Concat, RefusesSizesThatAreEqualInTheExampleOnly) {
  EXPECT_EQ(Inference(Concat{.axis = 1}).tracing().input({batch, 2}).input({6, 3}).error(),
            "TraceError: Concat: axis 0 has batch in shape [batch, 2] and 6 in shape [6, 3] of input 1, "
            "expected the same (equal in the example only)");
}

TEST(Concat, FollowsContents) {
  EXPECT_EQ(Inference(Concat{}).data({batch}).ints({-1}).data({seq}).contents(), "[batch, -1, seq]");
}

}  // namespace
}  // namespace onemodel::test

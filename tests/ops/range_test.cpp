#include "ops/range.h"

#include "ops/cum_sum.h"
#include "ops/one_hot.h"
#include "ops/sample.h"
#include "ops/triangle.h"

#include <gtest/gtest.h>

#include <limits>

#include "support/compare.h"
#include "support/direct_applier.h"
#include "support/inference.h"

namespace onemodel::test {
namespace {

const Extent batch = Extent::symbol("batch", 6), seq = Extent::symbol("seq", 5);

Tensor whole(int64_t value) { return Tensor::scalar(value); }

TEST(Range, CountsUpAndDown) {
  EXPECT_EQ(run(Range{}, {Tensor::scalar(1.0f), Tensor::scalar(5.0f), Tensor::scalar(2.0f)}).to_vector<float>(),
            (std::vector<float>{1, 3}));
  EXPECT_EQ(run(Range{}, {whole(10), whole(6), whole(-3)}).to_vector<int64_t>(), (std::vector<int64_t>{10, 7}));
  EXPECT_EQ(run(Range{}, {whole(0), whole(7), whole(2)}).to_vector<int64_t>(), (std::vector<int64_t>{0, 2, 4, 6}));
  EXPECT_EQ(run(Range{}, {whole(2), whole(2), whole(1)}).numel(), 0);
}

TEST(Range, RefusesWhatHasNoEnd) {
  constexpr int64_t least = std::numeric_limits<int64_t>::min(), most = std::numeric_limits<int64_t>::max();
  EXPECT_EQ(infer_error(Range{}, {whole(least), whole(most), whole(1)}),
            "Range: would have 18446744073709551615 elements");
  EXPECT_EQ(run(Range{}, {whole(most), whole(least), whole(least)}).to_vector<int64_t>(),
            (std::vector<int64_t>{most, -1}));
}

TEST(Range, HasASymbolicLength) {
  EXPECT_EQ(Inference(Range{}).constant(whole(0)).data({batch}, {}).constant(whole(1)).text(), "[batch]");
  EXPECT_EQ(Inference(Range{}).constant(whole(2)).data({batch}, {}).constant(whole(1)).text(), "[batch - 2]");
  EXPECT_EQ(Inference(Range{}).constant(whole(1)).constant(whole(7)).constant(whole(2)).contents(), "[1, 3, 5]");
  EXPECT_EQ(Inference(Range{}).tracing().constant(whole(0)).input({}, DType::i64).constant(whole(1)).error(),
            "TraceError: Range: the length depends on values");
}

TEST(Size, CountsElements) {
  EXPECT_EQ(run(Size{}, {Tensor::zeros({2, 3, 0})}).item<int64_t>(), 0);
  EXPECT_EQ(Inference(Size{}).input({batch, 3, seq}).contents(), "[3*batch*seq]");
}

TEST(CumSum, SumsAsTheSpecificationSays) {
  const Tensor x = Tensor::from<double>({1, 2, 3, 4, 5, 6}, {2, 3});
  const auto sums = [&](const Op& op, int32_t axis) { return run(op, {x, Tensor::scalar(axis)}).to_vector<double>(); };
  EXPECT_EQ(sums(CumSum{}, 0), (std::vector<double>{1, 2, 3, 5, 7, 9}));
  EXPECT_EQ(sums(CumSum{}, -1), (std::vector<double>{1, 3, 6, 4, 9, 15}));
  EXPECT_EQ(sums(CumSum{.exclusive = true}, 1), (std::vector<double>{0, 1, 3, 0, 4, 9}));
  EXPECT_EQ(sums(CumSum{.reverse = true}, 1), (std::vector<double>{6, 5, 3, 15, 11, 6}));
  EXPECT_EQ(sums(CumSum{.exclusive = true, .reverse = true}, 1), (std::vector<double>{5, 3, 0, 11, 6, 0}));
}

TEST(OneHot, MarksAsTheSpecificationSays) {
  const Tensor values = Tensor::from<float>({1, 3}, {2});
  EXPECT_TRUE(
      same_bits(run(OneHot{.axis = 1}, {Tensor::from<float>({1, 9, 2, 4}, {2, 2}), Tensor::scalar(10.0f), values})
                    .slice(1, 0, 3)
                    .contiguous(),
                Tensor::from<float>({1, 1, 3, 1, 1, 1, 1, 1, 1, 1, 3, 1}, {2, 3, 2})));
  EXPECT_EQ(run(OneHot{}, {sample_ints({0, -7, -10}), whole(10), values}).to_vector<float>()[13], 3);
  EXPECT_EQ(run(OneHot{}, {sample_ints({5, -4}), whole(3), values}).to_vector<float>(), std::vector<float>(6, 1));
  EXPECT_EQ(Inference(OneHot{.axis = 1}).input({batch, seq}, DType::i64).constant(whole(9)).input({2}).text(),
            "[batch, 9, seq]");
}

TEST(Trilu, KeepsATriangle) {
  const Tensor x = Tensor::from<int64_t>({4, 7, 3, 7, 9, 1, 2, 8, 6, 9, 9, 4}, {3, 4});
  EXPECT_EQ(run(Trilu{}, {x}).to_vector<int64_t>(), (std::vector<int64_t>{4, 7, 3, 7, 0, 1, 2, 8, 0, 0, 9, 4}));
  EXPECT_EQ(run(Trilu{}, {x, whole(2)}).to_vector<int64_t>(),
            (std::vector<int64_t>{0, 0, 3, 7, 0, 0, 0, 8, 0, 0, 0, 0}));
  EXPECT_EQ(run(Trilu{.upper = false}, {x, whole(-1)}).to_vector<int64_t>(),
            (std::vector<int64_t>{0, 0, 0, 0, 9, 0, 0, 0, 6, 9, 0, 0}));
}

TEST(EyeLike, HasADiagonal) {
  const Tensor x = Tensor::zeros({2, 3}, DType::i32);
  EXPECT_TRUE(same_bits(run(EyeLike{}, {x}), Tensor::from<int32_t>({1, 0, 0, 0, 1, 0}, {2, 3})));
  EXPECT_TRUE(
      same_bits(run(EyeLike{.dtype = DType::f32, .k = 1}, {x}), Tensor::from<float>({0, 1, 0, 0, 0, 1}, {2, 3})));
  EXPECT_EQ(run(EyeLike{.k = std::numeric_limits<int64_t>::min()}, {x}).to_vector<int32_t>(), std::vector<int32_t>(6));
}

}  // namespace
}  // namespace onemodel::test

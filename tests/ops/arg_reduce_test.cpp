#include "ops/arg_reduce.h"

#include "ops/sample.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "support/compare.h"
#include "support/direct_applier.h"
#include "support/inference.h"

namespace onemodel::test {
namespace {

const Extent batch = Extent::symbol("batch", 6);
const float kNaN = std::numeric_limits<float>::quiet_NaN();

std::vector<int64_t> places(const Op& op, const Tensor& x) { return run(op, {x}).to_vector<int64_t>(); }

TEST(ArgMax, FindsTheFirstOrLastLargest) {
  const Tensor x = Tensor::from<float>({2, 2, 3, 10}, {2, 2});
  EXPECT_EQ(places(ArgMax{.axis = 1}, x), (std::vector<int64_t>{0, 1}));
  EXPECT_EQ(places(ArgMax{.axis = 1, .keepdims = false, .select_last_index = true}, x), (std::vector<int64_t>{1, 1}));
  EXPECT_EQ(places(ArgMax{}, x), (std::vector<int64_t>{1, 1}));
  EXPECT_EQ(places(ArgMin{.axis = -1}, Tensor::from<float>({2, 1, 3, 10}, {2, 2})), (std::vector<int64_t>{1, 0}));
  EXPECT_EQ(places(ArgMin{.axis = 1, .select_last_index = true}, x), (std::vector<int64_t>{1, 0}));
}

TEST(ArgMax, PrefersNaN) {
  const Tensor x = Tensor::from<float>({1, kNaN, 5, kNaN}, {4});
  EXPECT_EQ(places(ArgMax{}, x), (std::vector<int64_t>{1}));
  EXPECT_EQ(places(ArgMin{}, x), (std::vector<int64_t>{1}));
  EXPECT_EQ(places(ArgMax{.select_last_index = true}, x), (std::vector<int64_t>{3}));
}

TEST(ArgMax, KeepsSymbolicExtents) {
  EXPECT_EQ(Inference(ArgMax{.axis = 1}).input({batch, 3}).text(), "[batch, 1]");
  EXPECT_EQ(Inference(ArgMin{.keepdims = false}).input({batch, 3}).text(), "[3]");
}

TEST(TopK, SortsAsTheSpecificationSays) {
  const Tensor x = Tensor::from<float>({0, 1, 2, 3, 4, 5, 6, 7, 11, 10, 9, 8}, {3, 4});
  const std::vector<Tensor> inputs = {x, sample_ints({3})};
  auto out = run(TopK{.axis = 1}, inputs, 2);
  EXPECT_TRUE(same_bits(out[0], Tensor::from<float>({3, 2, 1, 7, 6, 5, 11, 10, 9}, {3, 3})));
  EXPECT_TRUE(same_bits(out[1], Tensor::from<int64_t>({3, 2, 1, 3, 2, 1, 0, 1, 2}, {3, 3})));
  out = run(TopK{.axis = 1, .largest = false}, inputs, 2);
  EXPECT_TRUE(same_bits(out[0], Tensor::from<float>({0, 1, 2, 4, 5, 6, 8, 9, 10}, {3, 3})));
  EXPECT_TRUE(same_bits(out[1], Tensor::from<int64_t>({0, 1, 2, 0, 1, 2, 3, 2, 1}, {3, 3})));
}

TEST(TopK, OrdersEveryNumericDType) {
  const auto order = [](const Tensor& x) {
    const std::vector<Tensor> inputs = {x, sample_ints({x.dims()[0]})};
    return run(TopK{.largest = false}, inputs, 2)[1].to_vector<int64_t>();
  };
  for (const DType dtype : kAllDTypes) {
    if (!is_numeric(dtype)) continue;
    SCOPED_TRACE(concat(dtype));
    const bool negative = !is_unsigned_integer(dtype);
    const Tensor x =
        Tensor::from<float>({3, negative ? -2.0f : 1.0f, 100, 0, negative ? -100.0f : 0.0f}, {5}).cast(dtype);
    EXPECT_EQ(order(x), (negative ? std::vector<int64_t>{4, 1, 3, 0, 2} : std::vector<int64_t>{3, 4, 1, 0, 2}));
  }
  EXPECT_EQ(order(Tensor::from<int64_t>({INT64_MAX, INT64_MIN, -1, INT64_MAX - 1}, {4})),
            (std::vector<int64_t>{1, 2, 3, 0}));
  EXPECT_EQ(order(Tensor::from<uint64_t>({UINT64_MAX, 0, UINT64_MAX - 1}, {3})), (std::vector<int64_t>{1, 2, 0}));
  EXPECT_EQ(order(Tensor::from<double>({0.0, -0.0, INFINITY, -INFINITY, 0.0}, {5})),
            (std::vector<int64_t>{3, 0, 1, 4, 2}));
}

TEST(TopK, PutsEqualsInOrderAndNaNAboveAll) {
  const Tensor x = Tensor::from<float>({1, kNaN, 1, 3, 1}, {5});
  const auto order = [&](bool largest) {
    const std::vector<Tensor> inputs = {x, sample_ints({5})};
    return run(TopK{.largest = largest}, inputs, 2)[1].to_vector<int64_t>();
  };
  EXPECT_EQ(order(true), (std::vector<int64_t>{1, 3, 0, 2, 4}));
  EXPECT_EQ(order(false), (std::vector<int64_t>{0, 2, 4, 3, 1}));
}

TEST(TopK, HasTheExtentOfK) {
  EXPECT_EQ(Inference(TopK{}).input({batch, 30}).ints({5}).text(), "[batch, 5]");
  EXPECT_EQ(Inference(TopK{.axis = 0}).input({30, 2}).data({batch}).text(), "[batch, 2]");
  EXPECT_EQ(Inference(TopK{}).tracing().input({batch, 30}).input({1}, DType::i64).error(),
            "TraceError: TopK: K depends on values");
}

TEST(Hardmax, MarksTheFirstLargest) {
  const Tensor x = Tensor::from<float>({3, 0, 1, 2, 2, 5, 1, 5}, {2, 4});
  EXPECT_EQ(run(Hardmax{}, {x}).to_vector<float>(), (std::vector<float>{1, 0, 0, 0, 0, 1, 0, 0}));
  EXPECT_EQ(run(Hardmax{.axis = 0}, {x}).to_vector<float>(), (std::vector<float>{1, 0, 1, 0, 0, 1, 0, 1}));
}

}  // namespace
}  // namespace onemodel::test

#include "eager/prepared_call.h"

#include <gtest/gtest.h>

#include "eager/apply.h"
#include "eager/functions.h"
#include "ops/range.h"
#include "ops/reduce.h"
#include "ops/unary.h"
#include "support/compare.h"
#include "support/error_text.h"
#include "support/operator_case.h"

namespace onemodel::test {
namespace {

class PreparedCalls : public testing::TestWithParam<OperatorCase> {};

TEST_P(PreparedCalls, GiveTheBitsOfTheFirst) {
  for (const Sample& sample : GetParam().samples) {
    if (!sample.error.empty()) continue;
    const auto first = apply(sample.op, sample.inputs, sample.outputs);
    const auto second = apply(sample.op, sample.inputs, sample.outputs);
    for (size_t i = 0; i < first.size(); ++i) EXPECT_TRUE(same_bits(first[i], second[i])) << describe(sample);
  }
}

INSTANTIATE_TEST_SUITE_P(Operators, PreparedCalls, testing::ValuesIn(operator_cases()),
                         [](const auto& info) { return info.param.struct_name; });

TEST(PreparedCall, IsSharedByCallsOfTheSameSizes) {
  const Tensor a = Tensor::zeros({3, 61}), b = Tensor::full({3, 61}, 1);
  const auto prepare = [](const Tensor& x, const Op& op, Arithmetic arithmetic = Arithmetic::fast) {
    return prepare_call(op, std::span(&x, 1), 1, arithmetic);
  };
  const auto call = prepare(a, LeakyRelu{});
  EXPECT_TRUE(call->kernel);
  EXPECT_EQ(prepare(b, LeakyRelu{}), call);
  EXPECT_NE(prepare(b, LeakyRelu{.alpha = 0.5f}), call);
  EXPECT_NE(prepare(b.reshape({61, 3}), LeakyRelu{}), call);
  EXPECT_NE(prepare(b.cast(DType::f64), LeakyRelu{}), call);
  const auto exact = prepare(b, LeakyRelu{}, Arithmetic::exact);
  EXPECT_FALSE(exact->kernel);
  EXPECT_EQ(prepare(a, LeakyRelu{}), call);
}

TEST(PreparedCall, IsKnownByItsShapeData) {
  const Tensor x = Tensor::from<float>({1, 2, 3, 4, 5, 6}, {2, 3});
  for (int repeat = 0; repeat < 2; ++repeat) {
    EXPECT_EQ(sum(x, {0}).to_vector<float>(), (std::vector<float>{5, 7, 9}));
    EXPECT_EQ(sum(x, {1}).to_vector<float>(), (std::vector<float>{6, 15}));
    EXPECT_EQ(reshape(x, {3, 2}).dims(), (Dims{3, 2}));
    EXPECT_EQ(reshape(x, {6, 1}).dims(), (Dims{6, 1}));
  }
}

TEST(PreparedCall, IsNotKeptWhenValuesDecideTheSizes) {
  const auto range = [](float limit) {
    return apply(Range{}, {Tensor::scalar(0.0f), Tensor::scalar(limit), Tensor::scalar(1.0f)}).dims();
  };
  EXPECT_EQ(range(3), (Dims{3}));
  EXPECT_EQ(range(5), (Dims{5}));
}

TEST(PreparedCall, DoesNotHideErrors) {
  const Tensor two = Tensor::zeros({2}), three = Tensor::zeros({3});
  add(two, two);
  for (int repeat = 0; repeat < 2; ++repeat)
    EXPECT_ERROR(add(two, three), ShapeError, "Add: shapes [2] and [3] do not broadcast");
}

TEST(PreparedCall, TakesViewsWithAndWithoutGaps) {
  const Tensor x = Tensor::from<float>({1, 2, 3, 4, 5, 6}, {2, 3});
  const Tensor turned = x.permute(std::vector<int64_t>{1, 0}), straight = turned.contiguous();
  for (const Tensor& each : {straight, turned, straight}) {
    EXPECT_EQ(reshape(each, {6}).to_vector<float>(), (std::vector<float>{1, 4, 2, 5, 3, 6}));
    EXPECT_EQ(neg(each).to_vector<float>(), (std::vector<float>{-1, -4, -2, -5, -3, -6}));
  }
}

TEST(PreparedCall, IsForgottenWhenThereAreTooMany) {
  for (int64_t n = 1; n <= 2 * static_cast<int64_t>(kMostPreparedCalls); ++n) {
    EXPECT_EQ(neg(Tensor::zeros({n})).numel(), n);
    ASSERT_LE(prepared_calls(), kMostPreparedCalls);
  }
}

}  // namespace
}  // namespace onemodel::test

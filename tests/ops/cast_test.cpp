#include "ops/cast.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "ops/conditions.h"
#include "ops/shape.h"
#include "support/compare.h"
#include "support/direct_applier.h"
#include "support/inference.h"

namespace onemodel::test {
namespace {

const Extent batch = Extent::symbol("batch", 6), seq = Extent::symbol("seq", 5);

TEST(Cast, TruncatesAndSaturates) {
  const float infinity = std::numeric_limits<float>::infinity();
  const Tensor x = Tensor::from<float>({-1.9f, 1.9f, 300, -infinity, infinity, NAN}, {6});
  EXPECT_EQ(run(Cast{.to = DType::i8}, {x}).to_vector<int>(), (std::vector{-1, 1, 127, -128, 127, 0}));
  EXPECT_EQ(run(Cast{.to = DType::u8}, {x}).to_vector<int>(), (std::vector{0, 1, 255, 0, 255, 0}));
  EXPECT_EQ(run(Cast{.to = DType::boolean}, {Tensor::from<float>({0, 0.25f, NAN}, {3})}).to_vector<bool>(),
            (std::vector<bool>{false, true, true}));
}

TEST(Cast, FollowsContentsToIntegersOnly) {
  EXPECT_EQ(Inference(Cast{.to = DType::i32}).data({batch, 3}).contents(), "[batch, 3]");
  EXPECT_EQ(Inference(Cast{.to = DType::f32}).data({batch, 3}).contents(), "unknown");
}

TEST(Cast, HasNoGradientFromIntegers) {
  DirectApplier applier;
  const Tensor x = sample_ints({1, 2});
  const Tensor y = run(Cast{.to = DType::f32}, {x}), g = sample_values({2});
  const bool needed[] = {true};
  GradContext context({&x, 1}, {&y, 1}, {&g, 1}, needed, applier);
  EXPECT_TRUE(Cast{.to = DType::f32}.vjp(context).empty());
}

TEST(ShapeOf, TellsExtentsInRange) {
  const Tensor x = sample_values({2, 3, 4});
  EXPECT_EQ(run(ShapeOf{}, {x}).to_vector<int>(), (std::vector{2, 3, 4}));
  EXPECT_EQ(run(ShapeOf{.start = -1}, {x}).to_vector<int>(), (std::vector{4}));
  EXPECT_EQ(Inference(ShapeOf{.start = 0, .end = -1}).input({batch, 3, seq}).contents(), "[batch, 3]");
}

TEST(ConstantOfShape, Fills) {
  EXPECT_EQ(run(ConstantOfShape{Tensor::from<int64_t>({7}, {1})}, {sample_ints({2})}).to_vector<int>(),
            (std::vector{7, 7}));
  EXPECT_EQ(Inference(ConstantOfShape{}).data({batch, 3}).text(), "[batch, 3]");
  EXPECT_EQ(Inference(ConstantOfShape{Tensor::from<int64_t>({1}, {1})}).ints({3}).contents(), "[1, 1, 1]");
}

TEST(Constant, GivesTheAttributeThatIsSet) {
  EXPECT_EQ(run(Constant{.value_ints = {{3, -1}}}, {}).to_vector<int>(), (std::vector{3, -1}));
  EXPECT_EQ(run(Constant{.value_floats = {{0.5, 2}}}, {}).dtype(), DType::f32);
  EXPECT_EQ(Inference(Constant{.value_int = 4}).contents(), "[4]");
}

TEST(Where, ChoosesByCondition) {
  const Tensor condition = Tensor::from<bool>({true, false}, {2, 1});
  EXPECT_EQ(run(Where{}, {condition, Tensor::from<float>({1, 2}, {2}), Tensor::scalar(0.0f)}).to_vector<int>(),
            (std::vector{1, 2, 0, 0}));
}

TEST(Compare, IsFalseBesideNaN) {
  const Tensor x = Tensor::from<float>({1, NAN, 3}, {3}), y = Tensor::from<float>({1, NAN, 2}, {3});
  const auto of = [&](const Op& op) { return run(op, {x, y}).to_vector<int>(); };
  EXPECT_EQ(of(Equal{}), (std::vector{1, 0, 0}));
  EXPECT_EQ(of(Less{}), (std::vector{0, 0, 0}));
  EXPECT_EQ(of(GreaterOrEqual{}), (std::vector{1, 0, 1}));
}

TEST(Logic, Connects) {
  const Tensor a = Tensor::from<bool>({false, false, true, true}, {4});
  const Tensor b = Tensor::from<bool>({false, true, false, true}, {4});
  EXPECT_EQ(run(And{}, {a, b}).to_vector<int>(), (std::vector{0, 0, 0, 1}));
  EXPECT_EQ(run(Or{}, {a, b}).to_vector<int>(), (std::vector{0, 1, 1, 1}));
  EXPECT_EQ(run(Not{}, {a}).to_vector<int>(), (std::vector{1, 1, 0, 0}));
}

// What PyTorch exports for `expand(-1, n)`: Where(shape = -1, ones, shape).
TEST(ShapeChains, DecideComparisonsOfSizes) {
  EXPECT_EQ(Inference(Equal{}).data({batch, -1, 4}).ints({-1, -1, 4}).contents(), "[0, 1, 1]");
  EXPECT_EQ(Inference(Equal{}).data({batch}).ints({4}).contents(), "unknown");
  EXPECT_EQ(
      Inference(Where{}).constant(Tensor::from<bool>({false, true}, {2})).ints({1, 1}).data({batch, -1}).contents(),
      "[batch, 1]");
}

}  // namespace
}  // namespace onemodel::test

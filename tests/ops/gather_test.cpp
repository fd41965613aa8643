#include "ops/gather.h"

#include <gtest/gtest.h>

#include "support/compare.h"
#include "support/direct_applier.h"
#include "support/inference.h"

namespace onemodel::test {
namespace {

const Extent batch = Extent::symbol("batch", 6), seq = Extent::symbol("seq", 5);

TEST(Gather, PicksRows) {
  const Tensor x = Tensor::from<float>({1, 2, 3, 4, 5, 6}, {3, 2});
  EXPECT_TRUE(same_bits(run(Gather{}, {x, Tensor::from<int64_t>({2, 0, -1, 1}, {2, 2})}),
                        Tensor::from<float>({5, 6, 1, 2, 5, 6, 3, 4}, {2, 2, 2})));
  EXPECT_TRUE(same_bits(run(Gather{.axis = 1}, {x, Tensor::scalar<int32_t>(-1)}), Tensor::from<float>({2, 4, 6}, {3})));
}

TEST(Gather, NamesIndexAndBoundWhenOutOfRange) {
  const Tensor x = sample_values({3, 2});
  for (const auto& [index, op] : {std::pair<int64_t, Op>{3, Gather{}}, {-4, Gather{}}, {2, Gather{.axis = 1}}}) {
    try {
      run(op, {x, Tensor::scalar(index)});
      ADD_FAILURE() << "took index " << index;
    } catch (const ShapeError& error) {
      const std::string message = error.what();
      EXPECT_TRUE(message.starts_with("Gather: ")) << message;
      EXPECT_NE(message.find(std::to_string(index)), std::string::npos) << message;
    }
  }
}

TEST(Gather, PutsTheIndicesShapeInPlaceOfTheAxis) {
  EXPECT_EQ(Inference(Gather{}).input({30000, 64}).input({batch, seq}, DType::i64).text(), "[batch, seq, 64]");
  EXPECT_EQ(Inference(Gather{.axis = 1}).input({batch, seq, 8}).input({}, DType::i64).text(), "[batch, 8]");
}

TEST(Gather, PicksKnownContents) {
  EXPECT_EQ(Inference(Gather{}).data({batch, 3, seq}).ints({-1, 0}).contents(), "[seq, batch]");
  EXPECT_EQ(Inference(Gather{}).data({batch, 3, seq}).constant(Tensor::scalar<int64_t>(0)).contents(), "[batch]");
  EXPECT_EQ(Inference(Gather{}).data({batch, 3}).constant(Tensor::scalar<int64_t>(2)).contents(), "unknown");
}

TEST(GatherGradient, AddsUpRepeatedRows) {
  const Tensor dy = Tensor::from<float>({1, 2, 4, 8}, {4});
  EXPECT_EQ(run(GatherGradient{0, {3}}, {dy, sample_ints({0, -1, 0, 2})}).to_vector<float>(),
            (std::vector<float>{5, 0, 10}));
}

}  // namespace
}  // namespace onemodel::test

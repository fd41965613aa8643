#include "ops/depth_space.h"

#include <cmath>

#include "ops/normalization_formulas.h"
#include "ops/prelu.h"
#include "ops/reverse_sequence.h"
#include "ops/sample.h"

#include <gtest/gtest.h>

#include "support/compare.h"
#include "support/direct_applier.h"
#include "support/inference.h"

namespace onemodel::test {
namespace {

const Extent batch = Extent::symbol("batch", 6), height = Extent::symbol("h", 8);

// [1, 8, 2, 3] of the specification: channel c has c * 9 and what follows.
Tensor channels() {
  std::vector<float> values;
  for (int c = 0; c < 8; ++c)
    for (int i = 0; i < 6; ++i) values.push_back(static_cast<float>(c * 9 + i));
  return Tensor::from(std::span<const float>(values), {1, 8, 2, 3});
}

TEST(DepthToSpace, OrdersChannelsAsTheSpecificationSays) {
  const Tensor deep = run(DepthToSpace{2}, {channels()}).slice(1, 0, 1).slice(2, 0, 2);
  EXPECT_EQ(deep.contiguous().to_vector<float>(), (std::vector<float>{0, 18, 1, 19, 2, 20, 36, 54, 37, 55, 38, 56}));
  const Tensor columns = run(DepthToSpace{2, "CRD"}, {channels()}).slice(1, 0, 1).slice(2, 0, 2);
  EXPECT_EQ(columns.contiguous().to_vector<float>(), (std::vector<float>{0, 9, 1, 10, 2, 11, 18, 27, 19, 28, 20, 29}));
}

TEST(SpaceToDepth, IsTheWayBack) {
  EXPECT_TRUE(same_bits(run(SpaceToDepth{2}, {run(DepthToSpace{2}, {channels()})}), channels()));
  EXPECT_EQ(Inference(SpaceToDepth{2}).input({batch, 3, 8, height}).text(), "[batch, 12, 4, floor(h / 2)]");
  EXPECT_EQ(Inference(DepthToSpace{2}).input({batch, 8, height, 3}).text(), "[batch, 2, 2*h, 6]");
}

TEST(ReverseSequence, TurnsAsTheSpecificationSays) {
  const Tensor x = Tensor::from<float>({0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15}, {4, 4});
  EXPECT_EQ(run(ReverseSequence{}, {x, sample_ints({4, 3, 2, 1})}).to_vector<float>(),
            (std::vector<float>{3, 6, 9, 12, 2, 5, 8, 13, 1, 4, 10, 14, 0, 7, 11, 15}));
  const Tensor y = Tensor::from<float>({0, 1, 2, 3, 4, 5, 6, 7}, {2, 4});
  EXPECT_EQ(run(ReverseSequence{.time_axis = 1, .batch_axis = 0}, {y, sample_ints({0, 3})}).to_vector<float>(),
            (std::vector<float>{0, 1, 2, 3, 6, 5, 4, 7}));
}

TEST(ReverseSequence, NamesTheWrongLength) {
  try {
    run(ReverseSequence{}, {Tensor::zeros({2, 2}), sample_ints({1, 3})});
    ADD_FAILURE() << "took a length of 3";
  } catch (const ShapeError& error) {
    EXPECT_STREQ(error.what(), "ReverseSequence: length 3 of sequence 1 is outside 0 to 2");
  }
}

TEST(PRelu, HasASlopeBelowZero) {
  const Tensor x = Tensor::from<float>({-2, 3, -4, 0}, {2, 2}), slope = Tensor::from<float>({0.5f, 2}, {2});
  EXPECT_EQ(run(PRelu{}, {x, slope}).to_vector<float>(), (std::vector<float>{-1, 3, -2, 0}));
}

TEST(LpNormalization, DividesByTheNorm) {
  const Tensor x = Tensor::from<float>({3, -4, 0, 0}, {2, 2});
  EXPECT_EQ(run(LpNormalization{}, {x}).to_vector<float>(), (std::vector<float>{0.6f, -0.8f, 0, 0}));
  EXPECT_TRUE(close(run(LpNormalization{.p = 1}, {x}), Tensor::from<float>({3.0f / 7, -4.0f / 7, 0, 0}, {2, 2}), 1e-7));
}

TEST(MeanVarianceNormalization, HasMeanZeroAndVarianceOne) {
  const Tensor x = Tensor::from<double>({1, 2, 3, 4}, {4});
  const double s = std::sqrt(1.25);
  EXPECT_TRUE(close(run(MeanVarianceNormalization{{0}}, {x}),
                    Tensor::from<double>({-1.5 / s, -0.5 / s, 0.5 / s, 1.5 / s}, {4}), 1e-8));
  EXPECT_EQ(run(MeanVarianceNormalization{{0}}, {Tensor::full({3}, 7)}).to_vector<float>(), std::vector<float>(3));
}

}  // namespace
}  // namespace onemodel::test

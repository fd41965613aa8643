#include "ops/pad.h"

#include "ops/sample.h"
#include "ops/split.h"
#include "ops/tile.h"

#include <gtest/gtest.h>

#include "support/compare.h"
#include "support/direct_applier.h"
#include "support/inference.h"

namespace onemodel::test {
namespace {

const Extent batch = Extent::symbol("batch", 6), seq = Extent::symbol("seq", 5);

TEST(Pad, AddsAsTheSpecificationSays) {
  const Tensor x = Tensor::from<float>({1.0f, 1.2f, 2.3f, 3.4f, 4.5f, 5.7f}, {3, 2}), pads = sample_ints({0, 2, 0, 0});
  EXPECT_TRUE(same_bits(run(Pad{}, {x, pads, Tensor::scalar(0.0f)}),
                        Tensor::from<float>({0, 0, 1.0f, 1.2f, 0, 0, 2.3f, 3.4f, 0, 0, 4.5f, 5.7f}, {3, 4})));
  EXPECT_TRUE(
      same_bits(run(Pad{.mode = "edge"}, {x, pads}),
                Tensor::from<float>({1.0f, 1.0f, 1.0f, 1.2f, 2.3f, 2.3f, 2.3f, 3.4f, 4.5f, 4.5f, 4.5f, 5.7f}, {3, 4})));
  const Tensor wrapped = run(Pad{.mode = "wrap"}, {x, sample_ints({2, 1, 1, 1})});
  EXPECT_TRUE(
      same_bits(wrapped, Tensor::from<float>({3.4f, 2.3f, 3.4f, 2.3f, 5.7f, 4.5f, 5.7f, 4.5f, 1.2f, 1.0f, 1.2f, 1.0f,
                                              3.4f, 2.3f, 3.4f, 2.3f, 5.7f, 4.5f, 5.7f, 4.5f, 1.2f, 1.0f, 1.2f, 1.0f},
                                             {6, 4})));
}

TEST(Pad, ReflectsOnce) {
  const Tensor x = Tensor::from<float>({1, 2, 3}, {3});
  const auto padded = [&](int64_t before, int64_t after) {
    return run(Pad{.mode = "reflect"}, {x, sample_ints({before, after})}).to_vector<float>();
  };
  EXPECT_EQ(padded(2, 0), (std::vector<float>{3, 2, 1, 2, 3}));
  EXPECT_EQ(padded(1, 2), (std::vector<float>{2, 1, 2, 3, 2, 1}));
  EXPECT_EQ(padded(1, -1), (std::vector<float>{2, 1, 2}));
  EXPECT_THROW(padded(1, 3), ShapeError);
  EXPECT_THROW(padded(2, -1), ShapeError) << "the second element is the last one that is left";
}

TEST(Pad, TakesAxes) {
  const Tensor x = Tensor::from<float>({1, 2, 3, 4}, {2, 2});
  EXPECT_TRUE(same_bits(run(Pad{}, {x, sample_ints({1, 0}), Tensor::scalar(9.0f), sample_ints({-1})}),
                        Tensor::from<float>({9, 1, 2, 9, 3, 4}, {2, 3})));
}

TEST(Pad, KeepsSymbolicExtents) {
  EXPECT_EQ(Inference(Pad{}).input({batch, seq}).ints({0, 1, 0, 2}).text(), "[batch, seq + 3]");
  EXPECT_EQ(Inference(Pad{}).tracing().input({batch, 2}).input({4}, DType::i64).error(),
            "TraceError: Pad: the pads depend on values");
}

TEST(Tile, RepeatsAlongEachAxis) {
  EXPECT_TRUE(same_bits(run(Tile{}, {Tensor::from<float>({0, 1, 2, 3}, {2, 2}), sample_ints({2, 2})}),
                        Tensor::from<float>({0, 1, 0, 1, 2, 3, 2, 3, 0, 1, 0, 1, 2, 3, 2, 3}, {4, 4})));
  EXPECT_EQ(Inference(Tile{}).input({batch, 3}).ints({2, 4}).text(), "[2*batch, 12]");
  EXPECT_EQ(Inference(Tile{}).input({1, 3}).data({batch, 1}).text(), "[batch, 3]");
}

TEST(Split, CutsIntoEqualOrGivenParts) {
  const Tensor x = Tensor::from<float>({1, 2, 3, 4, 5, 6, 7}, {7});
  const auto parts = [&](const Op& op, std::vector<Tensor> inputs, size_t count) {
    std::vector<std::vector<float>> out;
    for (const Tensor& part : run(op, inputs, count)) out.push_back(part.to_vector<float>());
    return out;
  };
  using Parts = std::vector<std::vector<float>>;
  EXPECT_EQ(parts(Split{.num_outputs = 4}, {x}, 4), (Parts{{1, 2}, {3, 4}, {5, 6}, {7}}));
  EXPECT_EQ(parts(Split{}, {x, sample_ints({2, 0, 5})}, 3), (Parts{{1, 2}, {}, {3, 4, 5, 6, 7}}));
}

TEST(Split, KeepsSymbolicExtents) {
  EXPECT_EQ(Inference(Split{.axis = 1, .num_outputs = 1}).input({batch, 3}).text(), "[batch, 3]");
  EXPECT_EQ(Inference(Split{}).tracing().input({batch, 3}).ints({6}).error(),
            "TraceError: Split: cuts a symbolic extent, batch, into parts that sum to 6");
  EXPECT_EQ(Inference(Split{}).tracing().input({batch, 3}).data({batch}).text(), "[batch, 3]");
  EXPECT_EQ(Inference(Split{.axis = 1, .num_outputs = 1}).tracing().input({3, seq * 2 + 4}).text(), "[3, 2*seq + 4]");
  const TensorType joined{DType::f32, {3, seq * 2 + 4}};
  const Op halves = Split{.axis = 1, .num_outputs = 2};
  InferContext context(halves.traits(), std::span(&joined, 1), {}, 2);
  context.set_tracing(true);
  EXPECT_EQ(concat(infer(halves, context)[1].shape), "[3, seq + 2]");
  EXPECT_EQ(traits_of<Split>().outputs[63], "output_63");
}

}  // namespace
}  // namespace onemodel::test

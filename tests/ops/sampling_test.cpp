// GridSample, RoiAlign, DeformConv: what is sampled between elements.

#include <gtest/gtest.h>

#include <cmath>

#include "ops/conv.h"
#include "ops/deform_conv.h"
#include "ops/grid_sample.h"
#include "ops/roi_align.h"
#include "ops/sample.h"
#include "support/compare.h"
#include "support/direct_applier.h"
#include "support/error_text.h"
#include "support/inference.h"

namespace onemodel::test {
namespace {

// The places of the elements themselves, `shift` elements further.
Tensor own_places(int64_t height, int64_t width, bool align, double shift = 0) {
  std::vector<float> out;
  const auto place = [&](int64_t i, int64_t extent) {
    const double at = static_cast<double>(i) + shift, length = static_cast<double>(extent);
    return static_cast<float>(align ? 2 * at / (length - 1) - 1 : (2 * at + 1) / length - 1);
  };
  for (int64_t i = 0; i < height; ++i)
    for (int64_t j = 0; j < width; ++j) out.insert(out.end(), {place(j, width), place(i, height)});
  return Tensor::from(std::span<const float>(out), {1, height, width, 2});
}

TEST(GridSample, AtTheElementsIsTheImage) {
  const Tensor x = sample_values({1, 2, 4, 5});
  for (const char* mode : {"linear", "nearest", "cubic"})
    for (const char* padding : {"zeros", "border", "reflection"})
      for (const bool align : {false, true})
        EXPECT_TRUE(close(run(GridSample{{align, mode, padding}}, {x, own_places(4, 5, align)}), x, 1e-5))
            << mode << ' ' << padding << ' ' << align;
}

TEST(GridSample, BeyondTheEdges) {
  const Tensor x = Tensor::from<float>({1, 2, 3, 4}, {1, 1, 4});
  const Tensor grid = Tensor::from<float>({-1.75f, -1.25f, 1.25f, 1.75f, 5.25f}, {1, 5, 1});  // -2, -1, 4, 5, 12
  const auto at = [&](const char* padding) {
    return run(GridSample{{.padding_mode = padding}}, {x, grid}).to_vector<float>();
  };
  EXPECT_EQ(at("zeros"), (std::vector<float>{0, 0, 0, 0, 0}));
  EXPECT_EQ(at("border"), (std::vector<float>{1, 1, 4, 4, 4}));
  EXPECT_EQ(at("reflection"), (std::vector<float>{2, 1, 4, 3, 4}));
}

TEST(GridSample, SamplesNothingAtNaNAndInfinity) {
  const Tensor x = sample_values({1, 1, 3, 3});
  const Tensor grid = Tensor::from<float>({NAN, 0, INFINITY, 0, 0, -INFINITY}, {1, 1, 3, 2});
  EXPECT_EQ(run(GridSample{}, {x, grid}).to_vector<float>(), (std::vector<float>{0, 0, 0}));
  for (const char* mode : {"linear", "nearest", "cubic"})
    for (const char* padding : {"border", "reflection"})
      for (const float value : run(GridSample{{.mode = mode, .padding_mode = padding}}, {x, grid}).to_vector<float>())
        EXPECT_TRUE(std::isfinite(value));
}

TEST(GridSample, FollowsSymbols) {
  const Extent n = Extent::symbol("n"), h = Extent::symbol("h");
  EXPECT_EQ(Inference(GridSample{}).input({n, 3, h, h}).input({n, h, 7, 2}).text(), "[n, 3, h, 7]");
}

TEST(RoiAlign, OfAWholeImageIsItsMeans) {
  const Tensor x = Tensor::from<float>({1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16}, {1, 1, 4, 4});
  const Tensor roi = Tensor::from<float>({0, 0, 4, 4}, {1, 4});
  const RoiAlign op{.output_height = 2, .output_width = 2, .sampling_ratio = 2};
  const Tensor y = run(op, {x, roi, sample_ints({0})});
  EXPECT_EQ(y.to_vector<float>(), (std::vector<float>{3.5f, 5.5f, 11.5f, 13.5f}));
}

TEST(RoiAlign, NamesTheImageThatIsOutOfRange) {
  EXPECT_ERROR(run(RoiAlign{}, {sample_values({2, 1, 3, 3}), sample_values({1, 4}), sample_ints({2})}), ShapeError,
               "RoiAlign: batch_indices[0] is 2, out of range for 2 images");
}

TEST(DeformConv, WithoutOffsetsIsAConvolution) {
  const Tensor x = sample_values({2, 4, 6, 5}), w = sample_values({6, 2, 3, 2}), b = sample_values({6});
  const DeformConv op{.dilations = {1, 2}, .group = 2, .pads = {1, 0, 1, 2}, .strides = {2, 1}};
  const Conv conv{.dilations = op.dilations, .group = 2, .pads = op.pads, .strides = op.strides};
  const Tensor expected = run(conv, {x, w, b});
  const Dims& out = expected.dims();
  const Tensor still = Tensor::zeros({2, 12, out[2], out[3]}), half = Tensor::full({2, 6, out[2], out[3]}, 0.5);
  EXPECT_TRUE(close(run(op, {x, w, still, b}), expected, 1e-5));
  EXPECT_TRUE(
      close(run(op, {x, w, still, Tensor(), Tensor::full({2, 6, out[2], out[3]}, 1)}), run(conv, {x, w}), 1e-5));
  EXPECT_FALSE(close(run(op, {x, w, still, b, half}), expected, 1e-2));
}

TEST(DeformConv, OffsetsMoveTheWindow) {
  const Tensor x = sample_values({1, 1, 4, 4}), w = Tensor::full({1, 1, 1, 1}, 1);
  const Tensor offset = Tensor::zeros({1, 2, 4, 4});
  offset.select(1, 0).fill(1);
  offset.select(1, 1).fill(-0.5);
  const auto from = x.to_vector<double>(), to = run(DeformConv{}, {x, w, offset}).to_vector<double>();
  for (size_t i = 0; i < 4; ++i)
    for (size_t j = 0; j < 4; ++j) {
      const double left = i < 3 && j > 0 ? from[(i + 1) * 4 + j - 1] : 0, right = i < 3 ? from[(i + 1) * 4 + j] : 0;
      EXPECT_NEAR(to[i * 4 + j], (left + right) / 2, 1e-6) << i << ' ' << j;
    }
}

}  // namespace
}  // namespace onemodel::test

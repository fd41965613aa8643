#include "ops/resize.h"

#include <gtest/gtest.h>

#include "ops/sample.h"
#include "support/compare.h"
#include "support/direct_applier.h"
#include "support/inference.h"

namespace onemodel::test {
namespace {

Tensor row(std::initializer_list<float> values) { return Tensor::from(values, {static_cast<int64_t>(values.size())}); }
Tensor image() {
  std::vector<float> values;
  for (int i = 1; i <= 16; ++i) values.push_back(static_cast<float>(i));
  return Tensor::from(std::span<const float>(values), {4, 4});
}
Resize with_mode(std::string mode, std::string coordinates = "half_pixel") {
  Resize op;
  op.mode = std::move(mode);
  op.coordinate_transformation_mode = std::move(coordinates);
  return op;
}
Tensor by(const Resize& op, const Tensor& x, std::initializer_list<float> scales) {
  return run(op, {x, Tensor(), row(scales)});
}
Tensor to(const Resize& op, const Tensor& x, std::initializer_list<int64_t> sizes) {
  return run(op, {x, Tensor(), Tensor(), sample_ints(sizes)});
}

Resize antialiased(std::string mode) {
  Resize op = with_mode(std::move(mode));
  op.antialias = true;
  return op;
}

// By hand: the filter reaches 1 / scale times as far, and its weights sum to 1.
TEST(Resize, FiltersWhatBecomesSmaller) {
  const Tensor x = row({1, 2, 4, 8});
  // Half the size: weights 1, 3, 3, 1 of 8 around each place; beyond the edges the outermost elements.
  EXPECT_TRUE(
      close(by(antialiased("linear"), x, {0.5f}), row({(1 + 3 + 6 + 4) / 8.0f, (2 + 12 + 24 + 8) / 8.0f}), 1e-6));
  Resize inside = antialiased("linear");
  inside.exclude_outside = true;
  EXPECT_TRUE(close(by(inside, x, {0.5f}), row({(3 + 6 + 4) / 7.0f, (2 + 12 + 24) / 7.0f}), 1e-6));
  EXPECT_TRUE(close(to(antialiased("linear"), row({1, 1, 1, 1, 1}), {2}), row({1, 1}), 1e-6));
  EXPECT_TRUE(close(to(antialiased("cubic"), row({3, 3, 3, 3, 3, 3, 3}), {2}), row({3, 3}), 1e-6));
  for (const char* mode : {"linear", "cubic"})
    EXPECT_TRUE(same_bits(by(antialiased(mode), x, {2}), by(with_mode(mode), x, {2}))) << "larger";
  EXPECT_TRUE(same_bits(by(antialiased("nearest"), x, {0.5f}), by(with_mode("nearest"), x, {0.5f})));
}

// Values of ONNX's operator tests (onnx/backend/test/case/node/resize.py).
TEST(Resize, LinearMatchesOnnx) {
  const Tensor x = Tensor::from({1.0f, 2.0f, 3.0f, 4.0f}, {2, 2});
  EXPECT_TRUE(close(by(with_mode("linear"), x, {2, 2}),
                    Tensor::from({1.0f, 1.25f, 1.75f, 2.0f, 1.5f, 1.75f, 2.25f, 2.5f, 2.5f, 2.75f, 3.25f, 3.5f, 3.0f,
                                  3.25f, 3.75f, 4.0f},
                                 {4, 4}),
                    1e-6));
  EXPECT_TRUE(close(by(with_mode("linear", "align_corners"), x, {2, 2}).slice(0, 0, 1).contiguous(),
                    Tensor::from({1.0f, 1.33333333f, 1.66666667f, 2.0f}, {1, 4}), 1e-6));
  const Tensor wide = Tensor::from({1.0f, 2.0f, 3.0f, 4.0f, 5.0f, 6.0f, 7.0f, 8.0f}, {2, 4});
  EXPECT_TRUE(close(by(with_mode("linear"), wide, {0.6f, 0.6f}), Tensor::from({2.6666665f, 4.3333331f}, {1, 2}), 1e-6));
}

TEST(Resize, CubicMatchesOnnx) {
  EXPECT_TRUE(close(by(with_mode("cubic"), image(), {0.8f, 0.8f}),
                    Tensor::from({1.47119141f, 2.78125f, 4.08251953f, 6.71142578f, 8.02148438f, 9.32275391f,
                                  11.91650391f, 13.2265625f, 14.52783203f},
                                 {3, 3}),
                    1e-6));
  Resize excluding = with_mode("cubic");
  excluding.cubic_coeff_a = -0.5f;
  excluding.exclude_outside = true;
  EXPECT_TRUE(close(by(excluding, image(), {0.8f, 0.8f}),
                    Tensor::from({1.36812675f, 2.6695014f, 4.0133367f, 6.57362535f, 7.875f, 9.2188353f, 11.94896657f,
                                  13.25034122f, 14.59417652f},
                                 {3, 3}),
                    1e-6));
}

TEST(Resize, NearestRoundsAsAsked) {
  const Tensor x = row({1, 2});
  // Places 0, 0.5, 1 and 1.5 in X.
  const std::pair<const char*, std::vector<float>> expected[] = {{"round_prefer_floor", {1, 1, 2, 2}},
                                                                 {"round_prefer_ceil", {1, 2, 2, 2}},
                                                                 {"floor", {1, 1, 2, 2}},
                                                                 {"ceil", {1, 2, 2, 2}}};
  for (const auto& [rounding, values] : expected) {
    Resize op = with_mode("nearest", "asymmetric");
    op.nearest_mode = rounding;
    EXPECT_EQ(by(op, x, {2}).to_vector<float>(), values) << rounding;
  }
}

TEST(Resize, KeepsTheAspectRatio) {
  Resize op = with_mode("nearest");
  op.keep_aspect_ratio_policy = "not_larger";
  EXPECT_EQ(to(op, image(), {8, 6}).dims(), (Dims{6, 6}));
  op.keep_aspect_ratio_policy = "not_smaller";
  EXPECT_EQ(to(op, image(), {8, 6}).dims(), (Dims{8, 8}));
}

TEST(Resize, CropsAndExtrapolates) {
  Resize op = with_mode("linear", "tf_crop_and_resize");
  op.extrapolation_value = 10;
  const Tensor y = run(op, {row({1, 2, 3}), row({0, 1.5f}), Tensor(), sample_ints({4})});
  EXPECT_TRUE(close(y, row({1, 2, 3, 10}), 1e-6));
}

TEST(Resize, KeepsSymbolsByScale) {
  const Extent batch = Extent::symbol("batch"), h = Extent::symbol("h", 6);
  const auto inferred = [&](std::initializer_list<float> scales) {
    return Inference(Resize{}).input({batch, h}).absent().constant(row(scales)).text();
  };
  EXPECT_EQ(inferred({1, 2}), "[batch, 2*h]");
  EXPECT_EQ(inferred({1, 0.5f}), "[batch, floor(h / 2)]");
  EXPECT_EQ(inferred({1, 1.5f}), "[batch, floor(1.5 * h)]");
  Resize spatial;
  spatial.axes = {1};
  EXPECT_EQ(Inference(spatial).input({batch, 6}).absent().absent().ints({9}).tracing().text(), "[batch, 9]");
  EXPECT_NE(Inference(spatial)
                .input({batch, h})
                .absent()
                .absent()
                .ints({9})
                .tracing()
                .error()
                .find("TraceError: Resize: makes axis 1 of shape [batch, h] the fixed size 9"),
            std::string::npos);
}

}  // namespace
}  // namespace onemodel::test

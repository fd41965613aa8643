#include "ops/clip.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "ops/sample.h"
#include "support/compare.h"
#include "support/direct_applier.h"
#include "support/fast_kernel.h"
#include "support/inference.h"

namespace onemodel::test {
namespace {

const Tensor& example() {
  static const Tensor x = Tensor::from({-3.0f, -1.0f, 0.5f, 2.0f, 7.0f}, {5});
  return x;
}

TEST(Clip, BoundsOnEitherSideOrBoth) {
  const Tensor low = Tensor::scalar(-1.5f), high = Tensor::scalar(2.5f);
  const auto clip = [](std::initializer_list<Tensor> inputs) { return run(Clip{}, inputs).to_vector<float>(); };
  EXPECT_EQ(clip({example(), low, high}), (std::vector<float>{-1.5f, -1, 0.5f, 2, 2.5f}));
  EXPECT_EQ(clip({example(), low}), (std::vector<float>{-1.5f, -1, 0.5f, 2, 7}));
  EXPECT_EQ(clip({example(), Tensor(), high}), (std::vector<float>{-3, -1, 0.5f, 2, 2.5f}));
  EXPECT_EQ(clip({example()}), example().to_vector<float>());
  EXPECT_EQ(clip({example(), high, low}), (std::vector<float>(5, -1.5f))) << "the upper bound wins";
}

TEST(Clip, WithoutBoundsKeepsExtremes) {
  const Tensor i64 =
      Tensor::from<int64_t>({std::numeric_limits<int64_t>::min(), std::numeric_limits<int64_t>::max()}, {2});
  EXPECT_TRUE(same_bits(run(Clip{}, {i64}), i64));
  const Tensor u8 = Tensor::from<uint8_t>({0, 255}, {2});
  EXPECT_TRUE(same_bits(run(Clip{}, {u8}), u8));
}

// ONNX: absent limits "default to numeric_limits::lowest() and numeric_limits::max()".
TEST(Clip, WithoutBoundsMakesInfinitiesFinite) {
  const float infinity = std::numeric_limits<float>::infinity(), most = std::numeric_limits<float>::max();
  const Tensor f = Tensor::from({-infinity, infinity, NAN}, {3}), two = Tensor::scalar(2.0f);
  for (const Tensor& y : {run(Clip{}, {f}), run_fast(Clip{}, {f}).outputs[0]}) {
    const auto values = y.to_vector<float>();
    EXPECT_EQ(values[0], -most);
    EXPECT_EQ(values[1], most);
    EXPECT_TRUE(std::isnan(values[2]));
  }
  EXPECT_EQ(run(Clip{}, {f, Tensor(), two}).to_vector<float>()[0], -most);
  EXPECT_EQ(run(Clip{}, {f.cast(DType::f16)}).to_vector<float>()[1], 65504);
  EXPECT_EQ(run(Clip{}, {f.cast(DType::bf16)}).to_vector<float>()[0], -0x1.fep127f);
  EXPECT_EQ(run(Clip{}, {f.cast(DType::f64)}).to_vector<double>()[0], std::numeric_limits<double>::lowest());
}

TEST(Clip, KeepsSymbolicShapes) {
  EXPECT_EQ(Inference(Clip{}).input({Extent::symbol("n"), 2}).input({}).text(), "[n, 2]");
}

TEST(Clip, RefusesBoundsThatDoNotFit) {
  EXPECT_EQ(infer_error(Clip{}, {example(), sample_values({2})}), "Clip: 'min' expects one element, got shape [2]");
  EXPECT_EQ(infer_error(Clip{}, {example(), Tensor(), Tensor::scalar(1.0)}),
            "Clip: inputs 'input' and 'max' must have one dtype, got float32 and float64");
}

TEST(Clip, IsFastWithConstantBounds) {
  const Tensor low = Tensor::scalar(-1.0f), high = Tensor::scalar(1.0f);
  const auto fast = run_fast(Clip{}, {example(), low, high}, {.constants = {1, 2}});
  EXPECT_EQ(fast.name, "simd.unary");
  EXPECT_TRUE(same_bits(fast.outputs[0], run(Clip{}, {example(), low, high})));
  EXPECT_EQ(run_fast(Clip{}, {example(), low, high}, {.constants = {1}}).refusals,
            std::vector<std::string>{"simd.unary: the bounds are not constant"});
  const auto reversed = run_fast(Clip{}, {example(), high, low}, {.constants = {1, 2}});
  EXPECT_TRUE(same_bits(reversed.outputs[0], run(Clip{}, {example(), high, low})));
}

TEST(Clip, GradientPassesOnTheBounds) {
  DirectApplier applier;
  const Tensor inputs[] = {Tensor::from({-2.0, -1.0, 0.0, 1.0, 2.0, 3.0}, {6}), Tensor::scalar(-1.0),
                           Tensor::scalar(1.0)};
  const Tensor y = run(Clip{}, {inputs[0], inputs[1], inputs[2]}),
               g = Tensor::from({1.0, 2.0, 4.0, 8.0, 16.0, 32.0}, {6});
  const bool needed[] = {true, true, true};
  GradContext context(inputs, {&y, 1}, {&g, 1}, needed, applier);
  const auto out = Clip{}.vjp(context);
  EXPECT_EQ(out[0].tensor().to_vector<double>(), (std::vector<double>{0, 2, 4, 8, 0, 0}));
  EXPECT_EQ(out[1].tensor().item<double>(), 1);
  EXPECT_EQ(out[2].tensor().item<double>(), 48);
}

}  // namespace
}  // namespace onemodel::test

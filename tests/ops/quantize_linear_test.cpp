#include "ops/quantize_linear.h"

#include <gtest/gtest.h>

#include <limits>

#include "ops/dynamic_quantize_linear.h"
#include "ops/sample.h"
#include "support/compare.h"
#include "support/direct_applier.h"
#include "support/error_text.h"

namespace onemodel::test {
namespace {

using Limits = std::numeric_limits<float>;

template <class T>
Tensor list(std::initializer_list<T> values) {
  return Tensor::from(values, {static_cast<int64_t>(values.size())});
}

TEST(QuantizeLinear, GivesTheExamplesOfOnnx) {
  const Tensor x = list<float>({0, 2, 3, 1000, -254, -1000});
  EXPECT_TRUE(same_bits(run(QuantizeLinear{}, {x, Tensor::scalar(2.f), Tensor::scalar<uint8_t>(128)}),
                        list<uint8_t>({128, 129, 130, 255, 1, 0})));
  const Tensor rows = Tensor::from<float>({-162, 10, -100, 232, -20, -50, -76, 0, 0, 252, 32, -44}, {3, 2, 2});
  EXPECT_TRUE(same_bits(run(QuantizeLinear{.axis = 0}, {rows, list<float>({2, 4, 5}), list<uint8_t>({84, 24, 196})}),
                        Tensor::from<uint8_t>({3, 89, 34, 200, 19, 12, 5, 24, 196, 246, 202, 187}, {3, 2, 2})));
}

// As those of ONNX's own cases.
TEST(QuantizeLinear, GivesSmallNumbers) {
  const Tensor x = list<float>({0, 1, 2, 100000, 200}), two = Tensor::scalar(2.f);
  const auto floats = [&](DType dtype) { return run(QuantizeLinear{}, {x, two, Tensor::zeros({}, dtype)}); };
  EXPECT_EQ(floats(DType::f8e4m3fn).to_vector<float>(), (std::vector<float>{0, 0.5f, 1, 448, 96}));
  EXPECT_EQ(floats(DType::f8e5m2).to_vector<float>(), (std::vector<float>{0, 0.5f, 1, 49152, 96}));
  EXPECT_EQ(floats(DType::f4e2m1).to_vector<float>(), (std::vector<float>{0, 0.5f, 1, 6, 6}));
  const Tensor unsaturated = run(QuantizeLinear{.output_dtype = DType::f8e5m2, .saturate = false},
                                 {list<float>({131072, -131072}), Tensor::scalar(1.f)});
  EXPECT_EQ(unsaturated.to_vector<float>(), (std::vector<float>{Limits::infinity(), -Limits::infinity()}));

  const Tensor rows = Tensor::from<float>({0, 2.5f, 4.8f, 8.6f, -30, -20, 6, 9, 12, 15, 16, 40}, {3, 4});
  const Tensor steps = list<float>({2, 3, 4}), zeros = list<int32_t>({1, 2, 3});
  const QuantizeLinear by_rows{.axis = 0};
  EXPECT_EQ(run(by_rows, {rows, steps, zeros.cast(DType::u4)}).to_vector<int64_t>(),
            (std::vector<int64_t>{1, 2, 3, 5, 0, 0, 4, 5, 6, 7, 7, 13}));
  EXPECT_EQ(run(by_rows, {rows, steps, zeros.cast(DType::i4)}).to_vector<int64_t>(),
            (std::vector<int64_t>{1, 2, 3, 5, -8, -5, 4, 5, 6, 7, 7, 7}));
}

TEST(QuantizeLinear, HasNoZeroPointsOfSmallFloatsBut0) {
  const Tensor one = Tensor::scalar(1.f);
  EXPECT_ERROR(run(QuantizeLinear{}, {list<float>({1}), one, one.cast(DType::f8e5m2)}), ArgumentError, "QuantizeLinear",
               "the zero point of a float8e5m2 expects 0, got 1");
}

TEST(DequantizeLinear, TakesSmallNumbers) {
  const Tensor two = Tensor::scalar(2.f);
  EXPECT_EQ(
      run(DequantizeLinear{}, {list<float>({0, 0.5f, 1, 448, -104}).cast(DType::f8e4m3fn), two}).to_vector<float>(),
      (std::vector<float>{0, 1, 2, 896, -208}));
  EXPECT_EQ(run(DequantizeLinear{}, {list<float>({0, 1, -1, 1.5f, -4}).cast(DType::f4e2m1), two}).to_vector<float>(),
            (std::vector<float>{0, 2, -2, 3, -8}));
  EXPECT_EQ(
      run(DequantizeLinear{}, {list<float>({0, 1, 7, 10, 15}).cast(DType::u4), two, Tensor::full({}, 1, DType::u4)})
          .to_vector<float>(),
      (std::vector<float>{-2, 0, 12, 18, 28}));
  EXPECT_EQ(run(DequantizeLinear{.output_dtype = DType::f32},
                {list<float>({-8, 7}).cast(DType::i4), Tensor::full({}, 0.25, DType::f8e8m0)})
                .to_vector<float>(),
            (std::vector<float>{-2, 1.75f}));
}

TEST(QuantizeLinear, RoundsHalvesToEvenAndSaturates) {
  const Tensor halves = list<float>({-2.5, -1.5, -0.5, 0.5, 1.5, 2.5, 126.5, 127.5, -128.5, 1e30f, -1e30f});
  EXPECT_TRUE(same_bits(run(QuantizeLinear{.output_dtype = DType::i8}, {halves, Tensor::scalar(1.f)}),
                        list<int8_t>({-2, -2, 0, 0, 2, 2, 126, 127, -128, 127, -128})));
}

TEST(QuantizeLinear, RoundsBeforeItAddsTheZeroPoint) {
  const Tensor halves = list<float>({-1.5, -0.5, 0.5, 1.5});
  EXPECT_TRUE(same_bits(run(QuantizeLinear{}, {halves, Tensor::scalar(1.f), Tensor::scalar<uint8_t>(7)}),
                        list<uint8_t>({5, 7, 7, 9})));
}

TEST(QuantizeLinear, TakesNaNForTheZeroPointAndInfinitiesForTheBounds) {
  const Tensor x = list<float>({Limits::quiet_NaN(), Limits::infinity(), -Limits::infinity()});
  EXPECT_TRUE(same_bits(run(QuantizeLinear{}, {x, Tensor::scalar(1.f), Tensor::scalar<int16_t>(-3)}),
                        list<int16_t>({-3, 32767, -32768})));
  // 0 / 0 is NaN too
  EXPECT_TRUE(
      same_bits(run(QuantizeLinear{}, {list<float>({0, 1, -1}), Tensor::scalar(0.f)}), list<uint8_t>({0, 255, 0})));
}

TEST(QuantizeLinear, DividesInTheGivenPrecision) {
  // 2049 is 2048 in half precision, and 257 is 256 in bfloat16
  const Tensor x = list<float>({2049}), one = Tensor::scalar(1.f);
  EXPECT_TRUE(same_bits(run(QuantizeLinear{.output_dtype = DType::i16}, {x, one}), list<int16_t>({2049})));
  EXPECT_TRUE(same_bits(run(QuantizeLinear{.output_dtype = DType::i16, .precision = DType::f16}, {x, one}),
                        list<int16_t>({2048})));
  // the default is that of the scale
  EXPECT_TRUE(
      same_bits(run(QuantizeLinear{.output_dtype = DType::i16}, {x, one.cast(DType::f16)}), list<int16_t>({2048})));
  EXPECT_TRUE(
      same_bits(run(QuantizeLinear{.output_dtype = DType::i16, .precision = DType::bf16}, {list<int32_t>({257}), one}),
                list<int16_t>({256})));
}

TEST(QuantizeLinear, HasAScaleForEachBlock) {
  const Tensor x = Tensor::from<float>({1, 2, 3, 4, 5, 6, 7, 8, 9, 10}, {2, 5});
  const Tensor steps = Tensor::from<float>({1, 2, 0.5, 1, 2, 4}, {2, 3});
  EXPECT_TRUE(same_bits(run(QuantizeLinear{.block_size = 2}, {x, steps}),
                        Tensor::from<uint8_t>({1, 2, 2, 2, 10, 6, 7, 4, 4, 2}, {2, 5})));
  const Tensor down = Tensor::from<float>({1, 2, 4, 0.5, 1}, {1, 5});
  EXPECT_TRUE(same_bits(run(QuantizeLinear{.axis = 0, .block_size = 2}, {x, down}),
                        Tensor::from<uint8_t>({1, 1, 1, 8, 5, 6, 4, 2, 18, 10}, {2, 5})));
}

TEST(QuantizeLinear, GivesTheSameAlongAnyAxisAsOneScaleAtATime) {
  const Tensor x = sample_values({3, 4, 300}, -900, 900);
  for (int64_t axis = 0; axis < 3; ++axis) {
    const int64_t extent = x.dims()[static_cast<size_t>(axis)];
    const Tensor steps = sample_values({extent}, 1, 9), zeros = sample_values({extent}, -99, 99, DType::i8);
    const Tensor all = run(QuantizeLinear{.axis = axis}, {x, steps, zeros});
    const Tensor back = run(DequantizeLinear{.axis = axis}, {all, steps, zeros});
    for (int64_t i = 0; i < extent; ++i) {
      const Tensor step = steps.select(0, i), zero = zeros.select(0, i), part = all.select(axis, i);
      EXPECT_TRUE(same_bits(part, run(QuantizeLinear{}, {x.select(axis, i), step, zero}))) << axis << ", " << i;
      EXPECT_TRUE(same_bits(back.select(axis, i), run(DequantizeLinear{}, {part, step, zero}))) << axis << ", " << i;
    }
  }
}

TEST(DequantizeLinear, GivesTheExamplesOfOnnx) {
  EXPECT_TRUE(same_bits(
      run(DequantizeLinear{}, {list<uint8_t>({0, 3, 128, 255}), Tensor::scalar(2.f), Tensor::scalar<uint8_t>(128)}),
      list<float>({-256, -250, 0, 254})));
}

TEST(DequantizeLinear, RoundsHalfPrecisionOnce) {
  const Tensor x = list<int32_t>({2049, -70000}), step = Tensor::scalar(1.f);
  EXPECT_TRUE(same_bits(run(DequantizeLinear{.output_dtype = DType::f16}, {x, step}),
                        list<float>({2048, -Limits::infinity()}).cast(DType::f16)));
  EXPECT_TRUE(same_bits(run(DequantizeLinear{}, {list<int16_t>({2049}), Tensor::scalar(0.5f).cast(DType::f16)}),
                        list<float>({1024.5}).cast(DType::f16)));
}

TEST(DequantizeLinear, WrapsDifferencesOfInt32) {
  constexpr int32_t low = std::numeric_limits<int32_t>::min();
  EXPECT_TRUE(
      same_bits(run(DequantizeLinear{}, {list<int32_t>({low}), Tensor::scalar(1.f), Tensor::scalar<int32_t>(1)}),
                list<float>({2147483648.0f})));
}

TEST(DynamicQuantizeLinear, GivesTheExamplesOfOnnx) {
  const Tensor x = list<float>({0, 2, -3, -2.5f, 1.34f, 0.5f});
  const auto results = run(DynamicQuantizeLinear{}, std::vector<Tensor>{x}, 3);
  EXPECT_TRUE(same_bits(results[0], list<uint8_t>({153, 255, 0, 26, 221, 179})));
  EXPECT_TRUE(same_bits(results[1], Tensor::scalar(0.0196078438f)));
  EXPECT_TRUE(same_bits(results[2], Tensor::scalar<uint8_t>(153)));
}

TEST(DynamicQuantizeLinear, KeepsZeroInTheRange) {
  const auto above = run(DynamicQuantizeLinear{}, std::vector<Tensor>{list<float>({51, 255})}, 3);
  EXPECT_TRUE(same_bits(above[0], list<uint8_t>({51, 255})));
  EXPECT_TRUE(same_bits(above[2], Tensor::scalar<uint8_t>(0)));
  const auto below = run(DynamicQuantizeLinear{}, std::vector<Tensor>{list<float>({-51, -255})}, 3);
  EXPECT_TRUE(same_bits(below[0], list<uint8_t>({204, 0})));
  EXPECT_TRUE(same_bits(below[2], Tensor::scalar<uint8_t>(255)));
}

TEST(DynamicQuantizeLinear, HasAScaleOfOneForNothingButZeros) {
  const auto zeros = run(DynamicQuantizeLinear{}, std::vector<Tensor>{list<float>({0, -0.0f})}, 3);
  EXPECT_TRUE(same_bits(zeros[0], list<uint8_t>({0, 0})));
  EXPECT_TRUE(same_bits(zeros[1], Tensor::scalar(1.f)));
}

}  // namespace
}  // namespace onemodel::test

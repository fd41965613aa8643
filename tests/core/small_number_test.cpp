// Numbers of at most 8 bits, against what ONNX's documentation says of each type.

#include "core/small_number.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "core/convert.h"
#include "core/tensor.h"

namespace onemodel {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr DType kFloats[] = {DType::f8e4m3fn, DType::f8e4m3fnuz, DType::f8e5m2, DType::f8e5m2fnuz, DType::f4e2m1};

int codes_of(DType dtype) { return 1 << packed_bits(dtype); }

// The bits of the numbers that are not negative, ascending: bits and values have one order.
std::vector<uint8_t> finite_codes(DType dtype) {
  std::vector<uint8_t> out;
  for (int bits = 0; bits < codes_of(dtype) / 2; ++bits)
    if (std::isfinite(small_to_float(dtype, static_cast<uint8_t>(bits)))) out.push_back(static_cast<uint8_t>(bits));
  return out;
}

TEST(SmallFloat, HasTheLargestAndSmallestNumbersOfItsType) {
  const struct {
    DType dtype;
    float smallest, largest;
    size_t finite;
  } types[] = {{DType::f8e4m3fn, 0x1p-9f, 448, 127},
               {DType::f8e4m3fnuz, 0x1p-10f, 240, 128},
               {DType::f8e5m2, 0x1p-16f, 57344, 124},
               {DType::f8e5m2fnuz, 0x1p-17f, 57344, 128},
               {DType::f4e2m1, 0.5f, 6, 8}};
  for (const auto& type : types) {
    SCOPED_TRACE(dtype_name(type.dtype));
    const auto codes = finite_codes(type.dtype);
    EXPECT_EQ(codes.size(), type.finite);
    EXPECT_EQ(small_to_float(type.dtype, codes[0]), 0);
    EXPECT_EQ(small_to_float(type.dtype, codes[1]), type.smallest);
    EXPECT_EQ(small_to_float(type.dtype, codes.back()), type.largest);
    for (size_t i = 1; i < codes.size(); ++i)
      EXPECT_LT(small_to_float(type.dtype, codes[i - 1]), small_to_float(type.dtype, codes[i]));
  }
  const std::vector<float> few = {0, 0.5f, 1, 1.5f, 2, 3, 4, 6};
  for (uint8_t bits = 0; bits < 8; ++bits) EXPECT_EQ(small_to_float(DType::f4e2m1, bits), few[bits]);
}

TEST(SmallFloat, EveryNumberIsItself) {
  for (const DType dtype : kFloats) {
    for (int bits = 0; bits < codes_of(dtype); ++bits) {
      const float value = small_to_float(dtype, static_cast<uint8_t>(bits));
      if (std::isnan(value))
        EXPECT_TRUE(std::isnan(small_to_float(dtype, float_to_small(dtype, value)))) << dtype_name(dtype);
      else
        EXPECT_EQ(float_to_small(dtype, value, false), bits) << dtype_name(dtype) << ' ' << value;
    }
  }
}

TEST(SmallFloat, RoundsToNearestAndHalvesToEvenBits) {
  for (const DType dtype : kFloats) {
    const auto codes = finite_codes(dtype);
    for (size_t i = 1; i < codes.size(); ++i) {
      const double low = small_to_float(dtype, codes[i - 1]), high = small_to_float(dtype, codes[i]);
      const double half = (low + high) / 2, step = (high - low) * 0x1p-30;
      EXPECT_EQ(float_to_small(dtype, half - step), codes[i - 1]) << dtype_name(dtype) << half;
      EXPECT_EQ(float_to_small(dtype, half + step), codes[i]) << dtype_name(dtype) << half;
      EXPECT_EQ(float_to_small(dtype, half), codes[i] % 2 == 0 ? codes[i] : codes[i - 1]) << dtype_name(dtype) << half;
    }
  }
}

// The two tables of ONNX's Cast: the bits of 0, -0, inf, -inf, of what rounds above and below the largest number.
TEST(SmallFloat, IsWhatOnnxSaysOfSpecialValues) {
  const double specials[] = {0.0, -0.0, kInfinity, -kInfinity, 1e6, -1e6};
  const struct {
    DType dtype;
    bool saturate;
    uint8_t bits[6];
  } rows[] = {{DType::f8e4m3fn, true, {0, 0x80, 0x7e, 0xfe, 0x7e, 0xfe}},
              {DType::f8e4m3fnuz, true, {0, 0, 0x80, 0x80, 0x7f, 0xff}},
              {DType::f8e5m2, true, {0, 0x80, 0x7b, 0xfb, 0x7b, 0xfb}},
              {DType::f8e5m2fnuz, true, {0, 0, 0x80, 0x80, 0x7f, 0xff}},
              {DType::f8e4m3fn, false, {0, 0x80, 0x7f, 0xff, 0x7f, 0xff}},
              {DType::f8e4m3fnuz, false, {0, 0, 0x80, 0x80, 0x80, 0x80}},
              {DType::f8e5m2, false, {0, 0x80, 0x7c, 0xfc, 0x7c, 0xfc}},
              {DType::f8e5m2fnuz, false, {0, 0, 0x80, 0x80, 0x80, 0x80}},
              {DType::f4e2m1, true, {0, 0x8, 0x7, 0xf, 0x7, 0xf}},
              {DType::f4e2m1, false, {0, 0x8, 0x7, 0xf, 0x7, 0xf}}};
  for (const auto& row : rows)
    for (size_t i = 0; i < std::size(specials); ++i)
      EXPECT_EQ(float_to_small(row.dtype, specials[i], row.saturate), row.bits[i])
          << dtype_name(row.dtype) << (row.saturate ? " saturated " : " ") << specials[i];
  EXPECT_EQ(float_to_small(DType::f4e2m1, NAN), 0x7);
}

// What rounds to the largest number is not out of range; half a step above it is.
TEST(SmallFloat, OverflowsWhereTheNextNumberWouldBe) {
  EXPECT_EQ(float_to_small(DType::f8e4m3fn, 463.99, false), 0x7e);
  EXPECT_EQ(float_to_small(DType::f8e4m3fn, 464, false), 0x7e);
  EXPECT_EQ(float_to_small(DType::f8e4m3fn, 464.01, false), 0x7f);
  EXPECT_EQ(float_to_small(DType::f8e4m3fn, 480, false), 0x7f);
  EXPECT_EQ(float_to_small(DType::f8e5m2, 61439, false), 0x7b);
  EXPECT_EQ(float_to_small(DType::f8e5m2, 61440, false), 0x7c);
  EXPECT_EQ(float_to_small(DType::f8e4m3fnuz, 247.9, false), 0x7f);
  EXPECT_EQ(float_to_small(DType::f8e4m3fnuz, 248, false), 0x80);
}

TEST(PowersOfTwo, AreExactAndRoundAsAsked) {
  for (int bits = 0; bits < 255; ++bits)
    EXPECT_EQ(float_to_power(small_to_float(DType::f8e8m0, static_cast<uint8_t>(bits)), PowerRounding::nearest, false),
              bits);
  EXPECT_TRUE(std::isnan(small_to_float(DType::f8e8m0, 255)));
  EXPECT_EQ(small_to_float(DType::f8e8m0, 0), 0x1p-127f);
  const double values[] = {2.5, 3, 3.5};
  const uint8_t up[] = {129, 129, 129}, down[] = {128, 128, 128}, nearest[] = {128, 129, 129};
  for (size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(float_to_power(values[i], PowerRounding::up, true), up[i]);
    EXPECT_EQ(float_to_power(values[i], PowerRounding::down, true), down[i]);
    EXPECT_EQ(float_to_power(values[i], PowerRounding::nearest, true), nearest[i]);
  }
  const double specials[] = {0, 1e39, kInfinity, 1e-39, NAN, -1};
  const uint8_t saturated[] = {0, 254, 254, 0, 255, 255};
  for (size_t i = 0; i < std::size(specials); ++i) {
    EXPECT_EQ(float_to_power(specials[i], PowerRounding::up, true), saturated[i]) << specials[i];
    EXPECT_EQ(float_to_power(specials[i], PowerRounding::nearest, false), 255) << specials[i];
  }
}

TEST(SmallInteger, RoundsAndSaturatesFloatsAndDropsBitsOfIntegers) {
  const std::vector<double> values = {-20, -1.5, -0.5, 0.5, 1.5, 2.4999, 7.5, 200, NAN};
  const Tensor x = Tensor::from(std::span<const double>(values), {9});
  const auto as = [](const Tensor& tensor, DType dtype) { return tensor.cast(dtype).to_vector<int64_t>(); };
  EXPECT_EQ(as(x, DType::i4), (std::vector<int64_t>{-8, -2, 0, 0, 2, 2, 7, 7, 0}));
  EXPECT_EQ(as(x, DType::u4), (std::vector<int64_t>{0, 0, 0, 0, 2, 2, 8, 15, 0}));
  EXPECT_EQ(as(x, DType::i2), (std::vector<int64_t>{-2, -2, 0, 0, 1, 1, 1, 1, 0}));
  EXPECT_EQ(as(x, DType::u2), (std::vector<int64_t>{0, 0, 0, 0, 2, 2, 3, 3, 0}));
  const Tensor integers = Tensor::from<int64_t>({200, -1, 8, 7, 1}, {5});
  EXPECT_EQ(as(integers, DType::i4), (std::vector<int64_t>{-8, -1, -8, 7, 1}));
  EXPECT_EQ(as(integers, DType::u4), (std::vector<int64_t>{8, 15, 8, 7, 1}));
  EXPECT_EQ(as(integers, DType::u2), (std::vector<int64_t>{0, 3, 0, 3, 1}));
  EXPECT_EQ(as(integers, DType::i2), (std::vector<int64_t>{0, -1, 0, -1, 1}));
}

TEST(SmallInteger, IgnoresBitsThatItDoesNotHave) {
  EXPECT_EQ(small_to_integer(DType::i4, 0x18), -8);
  EXPECT_EQ(small_to_integer(DType::u4, 0xf3), 3);
  EXPECT_EQ(small_to_float(DType::f4e2m1, 0x1f), -6);
}

TEST(StoredNumbers, ConvertBetweenEachOther) {
  const Tensor x = Tensor::from<float>({-2, -1, 0, 1, 0.5f, 1.5f}, {2, 3}).transpose(0, 1);
  for (const DType dtype : kFloats) {
    EXPECT_EQ(x.cast(dtype).to_vector<float>(), x.to_vector<float>());
    EXPECT_EQ(x.cast(dtype).cast(DType::f16).cast(DType::f8e5m2).to_vector<float>(), x.to_vector<float>());
    EXPECT_EQ(to_string(x.cast(dtype)), to_string(x));
  }
  EXPECT_EQ(x.cast(DType::f8e4m3fn).cast(DType::boolean).to_vector<int64_t>(),
            (std::vector<int64_t>{1, 1, 1, 1, 0, 1}));
}

}  // namespace
}  // namespace onemodel

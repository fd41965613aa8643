#include "core/error.h"

#include <gtest/gtest.h>

#include <bit>
#include <charconv>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "core/dims.h"
#include "core/dtype.h"

namespace onemodel {
namespace {

template <class T>
std::string standard_text(T value) {
  char text[400];
  return {text, std::to_chars(text, text + sizeof text, value).ptr};
}

template <class T, class Bits>
std::vector<T> many_numbers() {
  using Limits = std::numeric_limits<T>;
  std::vector<T> out = {0,
                        T(-0.0),
                        1,
                        -1,
                        T(0.1),
                        T(-2.5),
                        T(1e5),
                        T(123456),
                        T(1e-5),
                        T(0.001),
                        T(1e22),
                        T(9007199254740993.0),
                        Limits::max(),
                        Limits::lowest(),
                        Limits::min(),
                        Limits::denorm_min(),
                        Limits::epsilon(),
                        Limits::infinity(),
                        -Limits::infinity(),
                        Limits::quiet_NaN()};
  std::mt19937_64 random(1);
  for (int i = 0; i < 20'000; ++i) {
    const T any = std::bit_cast<T>(static_cast<Bits>(random()));
    if (std::isfinite(any)) out.push_back(any);
    const auto whole = static_cast<int64_t>(random() >> (random() % 63));
    out.push_back(static_cast<T>(whole));
    out.push_back(static_cast<T>(whole) / T(1000));
  }
  return out;
}

TEST(Message, NumbersHaveTheShortestText) {
  for (const double value : many_numbers<double, uint64_t>()) ASSERT_EQ(concat(value), standard_text(value));
  for (const float value : many_numbers<float, uint32_t>()) ASSERT_EQ(concat(value), standard_text(value));
}

TEST(Message, IntegersKeepTheirSign) {
  EXPECT_EQ(concat(INT64_MIN, ' ', UINT64_MAX, ' ', int8_t{-3}, ' ', uint8_t{200}),
            "-9223372036854775808 18446744073709551615 -3 200");
}

TEST(Message, HasPartsOfAllKinds) {
  const std::string text = "text";
  const std::string_view view = std::string_view("a view").substr(2);
  EXPECT_EQ(concat(text, ' ', view, " literal ", true, ' ', DType::f16, ' ', Dims{2, 3}, ' ', -7, ' ', 0.5f),
            "text view literal true float16 [2, 3] -7 0.5");
}

TEST(Message, IsWhatAFailedCheckThrows) {
  try {
    check<ShapeError>(false, "extent ", 3, " of ", Dims{3, 4});
    FAIL() << "did not throw";
  } catch (const ShapeError& error) {
    EXPECT_STREQ(error.what(), "extent 3 of [3, 4]");
    EXPECT_EQ(error.name(), "ShapeError");
  }
  EXPECT_NO_THROW(check(true, "never"));
}

}  // namespace
}  // namespace onemodel

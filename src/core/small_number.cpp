#include "core/small_number.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

namespace onemodel {
namespace {

/// Sign, exponent and mantissa, from the highest bit on.
struct FloatFormat {
  enum Special : uint8_t {
    infinity,  // as IEEE 754: the highest exponent is infinity or NaN
    nan,       // all ones is NaN
    uz,        // minus zero is NaN
    none,
  };
  uint8_t exponent_bits, mantissa_bits, bias;
  Special special;
  uint8_t largest;  // the bits of the largest number

  int sign() const { return 1 << (exponent_bits + mantissa_bits); }
};

FloatFormat format_of(DType dtype) {
  switch (dtype) {
    case DType::f8e4m3fn: return {4, 3, 7, FloatFormat::nan, 0x7e};
    case DType::f8e4m3fnuz: return {4, 3, 8, FloatFormat::uz, 0x7f};
    case DType::f8e5m2: return {5, 2, 15, FloatFormat::infinity, 0x7b};
    case DType::f8e5m2fnuz: return {5, 2, 16, FloatFormat::uz, 0x7f};
    default: return {2, 1, 1, FloatFormat::none, 0x7};
  }
}

constexpr uint8_t kPowerNaN = 0xff;
constexpr int kLargestPower = 0xfe;

float power_of_two(int exponent) { return std::bit_cast<float>(static_cast<uint32_t>(exponent + 127) << 23); }

float bits_to_float(const FloatFormat& format, int bits) {
  const int exponent = (bits >> format.mantissa_bits) & ((1 << format.exponent_bits) - 1);
  const int mantissa = bits & ((1 << format.mantissa_bits) - 1), magnitude = bits & (format.sign() - 1);
  const float sign = bits & format.sign() ? -1.f : 1.f;
  const bool is_nan = (format.special == FloatFormat::uz && bits == 0x80) ||
                      (format.special == FloatFormat::nan && magnitude == 0x7f) ||
                      (format.special == FloatFormat::infinity && magnitude > 0x7c);
  if (is_nan) return std::numeric_limits<float>::quiet_NaN();
  if (format.special == FloatFormat::infinity && magnitude == 0x7c)
    return sign * std::numeric_limits<float>::infinity();
  const int digits = exponent == 0 ? mantissa : mantissa + (1 << format.mantissa_bits);
  return sign * static_cast<float>(digits) * power_of_two(std::max(exponent, 1) - format.bias - format.mantissa_bits);
}

int exponent_of(double magnitude) { return static_cast<int>(std::bit_cast<uint64_t>(magnitude) >> 52) - 1023; }

/// To nearest, halves to even; `value` is not negative and small.
int round_half_even(double value) {
  const int below = static_cast<int>(value);
  const double rest = value - below;
  return below + (rest > 0.5 || (rest == 0.5 && below % 2 != 0));
}

uint8_t float_to_bits(const FloatFormat& format, double value, bool saturate) {
  constexpr int kUzNaN = 0x80;
  const int sign = std::signbit(value) ? format.sign() : 0;
  const double magnitude = std::abs(value);
  int out = 0;
  if (value != value) {
    out = format.special == FloatFormat::none ? format.largest : 0x7f | sign;
    return static_cast<uint8_t>(format.special == FloatFormat::uz ? kUzNaN : out);
  }
  const bool is_infinite = std::isinf(magnitude);
  if (!is_infinite) {
    const int exponent = std::max(exponent_of(magnitude), 1 - format.bias);
    out = round_half_even(std::ldexp(magnitude, format.mantissa_bits - exponent)) +
          ((exponent + format.bias - 1) << format.mantissa_bits);
  }
  if (is_infinite || out > format.largest) {
    const bool is_nan = format.special == FloatFormat::uz && (is_infinite || !saturate);
    if (is_nan) return kUzNaN;
    out = saturate || format.special == FloatFormat::none ? format.largest
          : format.special == FloatFormat::infinity       ? 0x7c
                                                          : 0x7f;
  }
  if (format.special == FloatFormat::uz && out == 0) return 0;
  return static_cast<uint8_t>(out | sign);
}

struct Range {
  int lowest, highest;
};

Range range_of(DType dtype) {
  switch (dtype) {
    case DType::u4: return {0, 15};
    case DType::i4: return {-8, 7};
    case DType::u2: return {0, 3};
    default: return {-2, 1};
  }
}

uint8_t float_to_integer(DType dtype, double value) {
  if (value != value) return 0;
  const auto [lowest, highest] = range_of(dtype);
  const double clamped = std::clamp<double>(value, lowest, highest);
  return static_cast<uint8_t>(round_half_even(clamped - lowest) + lowest);
}

}  // namespace

float small_to_float(DType dtype, uint8_t bits) {
  if (is_small_integer(dtype)) return static_cast<float>(small_to_integer(dtype, bits));
  if (dtype != DType::f8e8m0) return bits_to_float(format_of(dtype), bits);
  if (bits == kPowerNaN) return std::numeric_limits<float>::quiet_NaN();
  return bits == 0 ? 0x1p-127f : power_of_two(bits - 127);
}

int64_t small_to_integer(DType dtype, uint8_t bits) {
  const auto [lowest, highest] = range_of(dtype);
  const int kept = bits & (highest - lowest);
  return kept > highest ? kept - (highest - lowest + 1) : kept;
}

uint8_t float_to_small(DType dtype, double value, bool saturate) {
  if (is_small_integer(dtype)) return float_to_integer(dtype, value);
  if (dtype == DType::f8e8m0) return float_to_power(value, PowerRounding::up, saturate);
  return float_to_bits(format_of(dtype), value, saturate);
}

uint8_t integer_to_small(DType dtype, int64_t value, bool saturate) {
  if (!is_small_integer(dtype)) return float_to_small(dtype, static_cast<double>(value), saturate);
  return static_cast<uint8_t>(small_to_integer(dtype, static_cast<uint8_t>(value)));
}

uint8_t float_to_power(double value, PowerRounding rounding, bool saturate) {
  if (value != value || value < 0) return kPowerNaN;
  if (std::isinf(value)) return saturate ? kLargestPower : kPowerNaN;
  int exponent = exponent_of(value);
  const double power = std::ldexp(1.0, exponent);
  const double half_way = power * 1.5;
  if (rounding == PowerRounding::up ? value > power : rounding == PowerRounding::nearest && value >= half_way)
    ++exponent;
  const int out = exponent + 127;
  if (out >= 0 && out <= kLargestPower) return static_cast<uint8_t>(out);
  return saturate ? static_cast<uint8_t>(out < 0 ? 0 : kLargestPower) : kPowerNaN;
}

}  // namespace onemodel

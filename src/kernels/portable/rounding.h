#pragma once
// Floats to integers in a form that vectorises everywhere.

#include <bit>
#include <cstdint>

namespace onemodel::kernels {

/// `value` rounded to nearest, halves to even, and kept within [low, high], integers of less than 2^22 with
/// low <= 0 <= high; NaN gives 0.
inline int32_t round_within(float value, float low, float high) {
  constexpr float kUnits = 0x1.8p23f;  // floats of this size have no fraction
  value = value == value ? value : 0;
  value = value < low ? low : value;
  value = value > high ? high : value;
  return static_cast<int32_t>(std::bit_cast<uint32_t>(value + kUnits) - std::bit_cast<uint32_t>(kUnits));
}
inline int32_t round_within(double value, double low, double high) {
  constexpr double kUnits = 0x1.8p52;
  value = value == value ? value : 0;
  value = value < low ? low : value;
  value = value > high ? high : value;
  return static_cast<int32_t>(std::bit_cast<uint64_t>(value + kUnits) - std::bit_cast<uint64_t>(kUnits));
}

}  // namespace onemodel::kernels

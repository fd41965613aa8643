#pragma once
// Places between the elements of an axis, as weights of the elements around: what samplers share.

#include <array>
#include <cmath>
#include <cstdint>

namespace onemodel::kernels {

/// The elements along one axis that a sampled value is made of: their index, or -1 for a zero; their weight; and the
/// slope of the weight by the place.
struct AxisPlace {
  struct Tap {
    int64_t index;
    double weight, slope;
  };
  std::array<Tap, 4> taps;
  size_t count = 0;

  void add(int64_t index, int64_t extent, double weight, double slope) {
    taps[count++] = {index >= 0 && index < extent ? index : -1, weight, slope};
  }
};

/// The two neighbours of `x`, zero beyond the ends. |x| is below 2^62.
inline AxisPlace linear_place(double x, int64_t extent) {
  const double below = std::floor(x);
  const auto index = static_cast<int64_t>(below);
  AxisPlace out;
  out.add(index, extent, 1 - (x - below), -1);
  out.add(index + 1, extent, x - below, 1);
  return out;
}

/// Places beyond are moved here, NaN to the negative one.
inline constexpr double kFarPlace = 0x1p30;
inline double near_place(double x) { return std::abs(x) < kFarPlace ? x : x > 0 ? kFarPlace : -kFarPlace; }

}  // namespace onemodel::kernels

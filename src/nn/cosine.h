#pragma once
// Half a cosine, the course of rates that schedules take.

#include <numbers>

#include "core/math.h"

namespace onemodel::nn {

/// From `start` at part 0 to `end` at part 1.
inline double half_cosine(double start, double end, double part) {
  return end + (start - end) / 2 * (1 + math::cos(std::numbers::pi * part));
}

}  // namespace onemodel::nn

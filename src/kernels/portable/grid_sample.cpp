#include "kernels/portable/grid_sample.h"

#include <algorithm>

#include "kernels/portable/internal.h"
#include "kernels/portable/places.h"

namespace onemodel::kernels {
namespace {

double as_single(double value, bool single) { return single ? static_cast<double>(static_cast<float>(value)) : value; }

/// Reflects x by `low` and `high` until it is between. `sign` turns with every reflection.
double reflect(double x, double low, double high, double& sign) {
  const double range = high - low;
  if (x >= low && x <= high) return x;
  if (range <= 0) return sign = 0, low;
  const double beyond = x < low ? low - x : x - high;
  const auto turns = static_cast<int64_t>(beyond / range);
  const double rest = beyond - static_cast<double>(turns) * range;
  const bool from_low = (x < low) == (turns % 2 == 0);
  if (turns % 2 == 0) sign = -sign;
  return from_low ? low + rest : high - rest;
}

/// Where the samples along one axis lie.
struct Axis {
  int64_t extent;
  double low, high, scale;
};

Axis axis_of(const GridSampleShape& shape, size_t i) {
  const auto length = static_cast<double>(shape.input[i]);
  return shape.align_corners ? Axis{shape.input[i], 0, length - 1, (length - 1) / 2}
                             : Axis{shape.input[i], -0.5, length - 0.5, length / 2};
}

int64_t inside(const GridSampleShape& shape, const Axis& axis, int64_t index) {
  if (shape.outside == Outside::zeros) return index;
  double sign = 1;
  if (shape.outside == Outside::reflection)
    index = static_cast<int64_t>(reflect(static_cast<double>(index), axis.low, axis.high, sign));
  return std::clamp<int64_t>(index, 0, axis.extent - 1);
}

/// Keys's kernel with -3/4, at the distances 1 + s, s, 1 - s and 2 - s.
void add_cubic(const GridSampleShape& shape, const Axis& axis, double x, double slope, AxisPlace& out) {
  constexpr double a = -0.75;
  const double below = std::floor(x), s = x - below;
  const auto near = [](double d) { return ((a + 2) * d - (a + 3)) * d * d + 1; };
  const auto far = [](double d) { return ((a * d - 5 * a) * d + 8 * a) * d - 4 * a; };
  const auto near_slope = [](double d) { return (3 * (a + 2) * d - 2 * (a + 3)) * d; };
  const auto far_slope = [](double d) { return (3 * a * d - 10 * a) * d + 8 * a; };
  const double weights[] = {far(s + 1), near(s), near(1 - s), far(2 - s)};
  const double slopes[] = {far_slope(s + 1), near_slope(s), -near_slope(1 - s), -far_slope(2 - s)};
  const auto first = static_cast<int64_t>(below) - 1;
  for (int64_t k = 0; k < 4; ++k) out.add(inside(shape, axis, first + k), axis.extent, weights[k], slopes[k] * slope);
}

AxisPlace place_along(const GridSampleShape& shape, const Axis& axis, double position) {
  const auto round = [&](double value) { return as_single(value, shape.single); };
  const auto length = static_cast<double>(axis.extent);
  const double up = round(position + 1);
  double x = shape.align_corners ? round(round(up / 2) * (length - 1)) : round(round(round(up * length) - 1) / 2);
  x = near_place(x);
  if (shape.mode == Interpolation::nearest) x = std::nearbyint(x);
  double slope = axis.scale;
  if (x < axis.low || x > axis.high) {
    if (shape.outside == Outside::border) {
      x = std::clamp(x, 0.0, length - 1);
      slope = 0;
    } else if (shape.outside == Outside::reflection) {
      x = reflect(x, axis.low, axis.high, slope);
    }
  }
  AxisPlace out;
  if (shape.mode == Interpolation::cubic) {
    add_cubic(shape, axis, x, slope, out);
  } else if (shape.mode == Interpolation::nearest) {
    out.add(inside(shape, axis, static_cast<int64_t>(x)), axis.extent, 1, 0);
  } else {
    const double below = std::floor(x);
    const auto index = static_cast<int64_t>(below);
    out.add(inside(shape, axis, index), axis.extent, 1 - (x - below), -slope);
    out.add(inside(shape, axis, index + 1), axis.extent, x - below, slope);
  }
  return out;
}

/// The places of one point along all axes, and the elements that they combine to.
struct Point {
  std::array<AxisPlace, kMaxRank> axes;
  size_t rank;
  Dims strides;

  Point(const GridSampleShape& shape, const double* position)
      : rank(shape.input.size()), strides(contiguous_strides(shape.input)) {
    for (size_t i = 0; i < rank; ++i) axes[i] = place_along(shape, axis_of(shape, i), position[rank - 1 - i]);
  }

  /// Calls f(offset, tap along each axis) for every element that is not a zero from outside.
  template <class F>
  void each_element(const F& f) const {
    std::array<size_t, kMaxRank> k{};
    for (;;) {
      int64_t offset = 0;
      bool zero = false;
      for (size_t i = 0; i < rank; ++i) {
        const int64_t index = axes[i].taps[k[i]].index;
        zero |= index < 0;
        offset += index * strides[i];
      }
      if (!zero) f(offset, k);
      size_t i = rank;
      while (i > 0 && ++k[i - 1] == axes[i - 1].count) k[--i] = 0;
      if (i == 0) return;
    }
  }

  /// The product of all weights, or of all but that of axis `sloped`, of which it takes the slope.
  double weight(const std::array<size_t, kMaxRank>& k, size_t sloped = kMaxRank) const {
    double out = 1;
    for (size_t i = 0; i < rank; ++i) out *= i == sloped ? axes[i].taps[k[i]].slope : axes[i].taps[k[i]].weight;
    return out;
  }
};

}  // namespace

void grid_sample(const GridSampleShape& shape, const double* x, const double* grid, double* y) {
  const int64_t plane = numel(shape.input);
  const auto rank = static_cast<int64_t>(shape.input.size());
  parallel(shape.batch * shape.points, grain_for(32 * shape.channels), [&](int64_t begin, int64_t end) {
    for (int64_t p = begin; p < end; ++p) {
      const Point point(shape, grid + p * rank);
      const int64_t n = p / shape.points;
      double* to = y + n * shape.channels * shape.points + p % shape.points;
      for (int64_t c = 0; c < shape.channels; ++c) to[c * shape.points] = 0;
      const double* from = x + n * shape.channels * plane;
      point.each_element([&](int64_t offset, const auto& k) {
        const double weight = point.weight(k);
        for (int64_t c = 0; c < shape.channels; ++c) to[c * shape.points] += weight * from[c * plane + offset];
      });
    }
  });
}

void grid_sample_gradient(const GridSampleShape& shape, const double* x, const double* grid, const double* y_gradient,
                          double* x_gradient, double* grid_gradient) {
  const int64_t plane = numel(shape.input);
  const auto rank = static_cast<int64_t>(shape.input.size());
  const int64_t image = shape.channels * plane;
  parallel(shape.batch, 1, [&](int64_t begin, int64_t end) {
    if (x_gradient) std::fill_n(x_gradient + begin * image, (end - begin) * image, 0.0);
    for (int64_t p = begin * shape.points; p < end * shape.points; ++p) {
      const Point point(shape, grid + p * rank);
      const int64_t n = p / shape.points;
      const double* from = y_gradient + n * shape.channels * shape.points + p % shape.points;
      double* slopes = grid_gradient ? grid_gradient + p * rank : nullptr;
      if (slopes) std::fill_n(slopes, rank, 0.0);
      point.each_element([&](int64_t offset, const auto& k) {
        const int64_t place = n * image + offset;
        const double weight = point.weight(k);
        double sum = 0;
        for (int64_t c = 0; c < shape.channels; ++c) {
          const double g = from[c * shape.points];
          if (x_gradient) x_gradient[place + c * plane] += weight * g;
          sum += g * x[place + c * plane];
        }
        for (int64_t i = 0; slopes && i < rank; ++i)
          slopes[rank - 1 - i] += sum * point.weight(k, static_cast<size_t>(i));
      });
    }
  });
}

}  // namespace onemodel::kernels

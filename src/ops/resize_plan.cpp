#include "ops/resize_plan.h"

#include <algorithm>
#include <cmath>

namespace onemodel {
namespace resize {

std::vector<size_t> axes_of(std::string_view who, const std::vector<int64_t>& axes, size_t rank) {
  std::vector<size_t> out;
  for (size_t i = 0; i < rank && axes.empty(); ++i) out.push_back(i);
  for (const int64_t axis : axes) out.push_back(normalize_axis(who, axis, rank));
  return out;
}

int64_t scaled_extent(int64_t extent, float scale) {
  return static_cast<int64_t>(std::floor(static_cast<float>(extent) * scale));
}

float common_scale(const ResizeAttributes& a, const std::vector<int64_t>& from, std::span<const int64_t> sizes) {
  float out = 0;
  for (size_t i = 0; i < from.size(); ++i) {
    const float scale = static_cast<float>(sizes[i]) / static_cast<float>(from[i]);
    const bool better = a.keep_aspect_ratio_policy == "not_larger" ? scale < out : scale > out;
    if (i == 0 || better) out = scale;
  }
  return out;
}

int64_t rounded(int64_t extent, float scale) {
  return static_cast<int64_t>(std::floor(static_cast<float>(extent) * scale + 0.5f));
}

}  // namespace resize

namespace {

using namespace resize;

std::vector<float> floats(const Tensor& tensor) { return tensor.to_vector<float>(); }

// Places beyond are moved here; NaN too.
constexpr float kFar = 0x1p30f;

// Along one axis, everything a coordinate depends on.
struct Axis {
  int64_t from, to;
  float scale, start, end;
};

float coordinate(const std::string& mode, const Axis& axis, int64_t position) {
  const auto at = static_cast<float>(position), last = static_cast<float>(axis.from - 1);
  if (mode == "asymmetric") return at / axis.scale;
  if (mode == "tf_half_pixel_for_nn") return (at + 0.5f) / axis.scale;
  if (mode == "align_corners") return axis.to == 1 ? 0 : at * last / static_cast<float>(axis.to - 1);
  if (mode == "tf_crop_and_resize")
    return axis.to > 1 ? axis.start * last + at * (axis.end - axis.start) * last / static_cast<float>(axis.to - 1)
                       : 0.5f * (axis.start + axis.end) * last;
  const float half = (at + 0.5f) / axis.scale - 0.5f;
  if (mode == "pytorch_half_pixel") return axis.to > 1 ? half : 0;
  if (mode == "half_pixel_symmetric") {
    const float exact = axis.scale * static_cast<float>(axis.from);
    const float adjustment = static_cast<float>(axis.to) / exact;
    return static_cast<float>(axis.from) / 2 * (1 - adjustment) + half;
  }
  return half;
}

int64_t nearest(const std::string& mode, float x) {
  if (mode == "floor") return static_cast<int64_t>(std::floor(x));
  if (mode == "ceil") return static_cast<int64_t>(std::ceil(x));
  if (mode == "round_prefer_ceil") return static_cast<int64_t>(std::floor(x + 0.5f));
  return static_cast<int64_t>(std::ceil(x - 0.5f));
}

void add_tap(kernels::Taps& taps, int64_t index, double weight) {
  taps.index.push_back(std::clamp<int64_t>(index, 0, taps.extent - 1));
  taps.weight.push_back(weight);
}

void add_linear(kernels::Taps& taps, float x) {
  const float inside = std::clamp(x, 0.0f, static_cast<float>(taps.extent - 1));
  const float below = std::floor(inside);
  const double part = static_cast<double>(inside) - static_cast<double>(below);
  add_tap(taps, static_cast<int64_t>(below), 1 - part);
  add_tap(taps, static_cast<int64_t>(below) + 1, part);
}

// Keys' kernel, `d` from the place.
double cubic(double d, double a) {
  if (d <= 1) return ((a + 2) * d - (a + 3)) * d * d + 1;
  return d < 2 ? ((a * d - 5 * a) * d + 8 * a) * d - 4 * a : 0;
}

void add_cubic(kernels::Taps& taps, float x, double a, bool exclude_outside) {
  const auto below = static_cast<int64_t>(std::floor(x));
  const double s = static_cast<double>(x) - static_cast<double>(below);
  double weights[] = {cubic(s + 1, a), cubic(s, a), cubic(1 - s, a), cubic(2 - s, a)};
  if (exclude_outside) {
    double total = 0;
    for (int64_t k = 0; k < 4; ++k) {
      const int64_t index = below - 1 + k;
      if (index < 0 || index >= taps.extent) weights[k] = 0;
      total += weights[k];
    }
    for (double& weight : weights) weight /= total;
  }
  for (int64_t k = 0; k < 4; ++k) add_tap(taps, below - 1 + k, weights[k]);
}

// The filter is `wider` times as wide as between neighbours, so that every element between two places counts; the
// weights sum to 1.
void add_filtered(kernels::Taps& taps, const ResizeAttributes& a, float x, double wider) {
  const int64_t first = static_cast<int64_t>(std::floor(x)) - taps.taps / 2 + 1;
  const auto coefficient = static_cast<double>(a.cubic_coeff_a);
  std::vector<double> weights;
  double total = 0;
  for (int64_t k = 0; k < taps.taps; ++k) {
    const double distance = std::abs(static_cast<double>(first + k) - static_cast<double>(x)) / wider;
    const bool is_left_out = a.exclude_outside && (first + k < 0 || first + k >= taps.extent);
    const double weight = a.mode == "linear" ? std::max(1 - distance, 0.0) : cubic(distance, coefficient);
    weights.push_back(is_left_out ? 0 : weight);
    total += weights.back();
  }
  for (int64_t k = 0; k < taps.taps; ++k) add_tap(taps, first + k, weights[static_cast<size_t>(k)] / total);
}

// How much wider an antialiasing filter is; no wider than the axis needs.
double filter_width(const ResizeAttributes& a, const Axis& axis) {
  if (!a.antialias || a.mode == "nearest" || axis.scale >= 1) return 1;
  return std::min(1 / static_cast<double>(axis.scale), static_cast<double>(std::max<int64_t>(axis.from, 1)));
}

AxisTaps taps_along(const ResizeAttributes& a, size_t index, const Axis& axis) {
  const bool is_nearest = a.mode == "nearest", is_linear = a.mode == "linear";
  const double wider = filter_width(a, axis);
  const int64_t taps = is_nearest ? 1 : 2 * static_cast<int64_t>(std::ceil((is_linear ? 1 : 2) * wider));
  AxisTaps out{index, {.extent = axis.from, .count = axis.to, .taps = taps}, {}};
  for (int64_t o = 0; o < axis.to; ++o) {
    float x = coordinate(a.coordinate_transformation_mode, axis, o);
    if (!(std::abs(x) < kFar)) x = x > 0 ? kFar : -kFar;
    if (is_tf_crop(a) && (x < 0 || x > static_cast<float>(axis.from - 1))) out.outside.push_back(o);
    if (is_nearest)
      add_tap(out.taps, nearest(a.nearest_mode, x), 1);
    else if (wider > 1)
      add_filtered(out.taps, a, x, wider);
    else if (is_linear)
      add_linear(out.taps, x);
    else
      add_cubic(out.taps, x, static_cast<double>(a.cubic_coeff_a), a.exclude_outside);
  }
  return out;
}

bool keeps_all(const AxisTaps& axis) {
  if (axis.taps.extent != axis.taps.count || !axis.outside.empty()) return false;
  for (size_t k = 0; k < axis.taps.index.size(); ++k) {
    const bool own = axis.taps.index[k] == static_cast<int64_t>(k) / axis.taps.taps;
    if (own ? false : axis.taps.weight[k] != 0) return false;
  }
  return true;
}

// Extents and scales along the axes that the operands tell of.
std::vector<Axis> axes_along(const ResizeAttributes& a, const std::vector<size_t>& axes, const Dims& x,
                             std::span<const Tensor> operands) {
  const auto has = [&](size_t i) { return i < operands.size() && operands[i].defined() && operands[i].numel() > 0; };
  const std::vector<float> scales = has(2) ? floats(operands[2]) : std::vector<float>();
  const std::vector<float> roi = is_tf_crop(a) && has(1) ? floats(operands[1]) : std::vector<float>();
  const std::vector<int64_t> sizes = has(2) ? std::vector<int64_t>() : operands[3].to_vector<int64_t>();
  std::vector<int64_t> from;
  from.reserve(axes.size());
  for (const size_t axis : axes) from.push_back(x[axis]);
  const bool stretch = a.keep_aspect_ratio_policy == "stretch";
  const float common = sizes.empty() || stretch ? 1 : common_scale(a, from, sizes);
  std::vector<Axis> out;
  for (size_t i = 0; i < axes.size(); ++i) {
    Axis axis{from[i], 0, 1, 0, 1};
    if (!roi.empty()) {
      axis.start = roi[i];
      axis.end = roi[axes.size() + i];
    }
    if (sizes.empty()) {
      axis.scale = scales[i];
      axis.to =
          roi.empty()
              ? scaled_extent(axis.from, axis.scale)
              : static_cast<int64_t>(std::floor(static_cast<float>(axis.from) * (axis.end - axis.start) * axis.scale));
    } else {
      axis.to = stretch ? sizes[i] : rounded(axis.from, common);
      axis.scale = stretch ? static_cast<float>(axis.to) / static_cast<float>(axis.from) : common;
    }
    out.push_back(axis);
  }
  return out;
}

}  // namespace

std::vector<AxisTaps> resize_taps(const ResizeAttributes& a, const Dims& x, std::span<const Tensor> operands) {
  const std::vector<size_t> axes = axes_of("Resize", a.axes, x.size());
  const std::vector<Axis> all = axes_along(a, axes, x, operands);
  std::vector<AxisTaps> out;
  for (size_t i = 0; i < axes.size(); ++i) {
    AxisTaps taps = taps_along(a, axes[i], all[i]);
    if (!keeps_all(taps)) out.push_back(std::move(taps));
  }
  return out;
}

}  // namespace onemodel

#include "kernels/portable/roi_align.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "kernels/portable/internal.h"

namespace onemodel::kernels {
namespace {

/// One axis of a region: where the bins begin, how large they are, how many samples each has.
struct Bins {
  double start, size;
  int64_t samples;
};

/// Two neighbours and their weights; both weights 0 outside.
struct Pair {
  int64_t low, high;
  double low_weight, high_weight;
};

class Rounding {
 public:
  explicit Rounding(bool single) : single_(single) {}
  double operator()(double value) const { return single_ ? static_cast<double>(static_cast<float>(value)) : value; }

 private:
  bool single_;
};

Bins bins_of(const RoiAlignShape& shape, double from, double to, int64_t bins, int64_t extent) {
  const Rounding r(shape.single);
  const double offset = shape.half_pixel ? 0.5 : 0.0;
  const double start = r(r(from * shape.scale) - offset), end = r(r(to * shape.scale) - offset);
  double length = r(end - start);
  if (!shape.half_pixel) length = std::max(length, 1.0);
  const double size = r(length / static_cast<double>(bins));
  int64_t samples = shape.samples;
  // More samples than twice the axis has elements can only repeat them; this also bounds what a bad region costs.
  if (samples == 0)
    samples = size > 0 ? static_cast<int64_t>(std::ceil(std::min(size, 2.0 * static_cast<double>(extent) + 2))) : 0;
  return {start, size, samples};
}

Pair neighbours(double at, int64_t extent) {
  if (!(at >= -1.0 && at <= static_cast<double>(extent))) return {0, 0, 0, 0};
  at = std::max(at, 0.0);
  const auto low = static_cast<int64_t>(at);
  if (low >= extent - 1) return {extent - 1, extent - 1, 1, 0};
  const double part = at - static_cast<double>(low);
  return {low, low + 1, 1 - part, part};
}

/// The samples of all bins along one axis.
std::vector<Pair> samples_along(const RoiAlignShape& shape, const Bins& axis, int64_t bins, int64_t extent) {
  const Rounding r(shape.single);
  std::vector<Pair> out;
  for (int64_t bin = 0; bin < bins; ++bin)
    for (int64_t k = 0; k < axis.samples; ++k) {
      const double within = r(r((static_cast<double>(k) + 0.5) * axis.size) / static_cast<double>(axis.samples));
      out.push_back(neighbours(r(r(axis.start + r(static_cast<double>(bin) * axis.size)) + within), extent));
    }
  return out;
}

/// Joins the samples of one bin.
class Joined {
 public:
  Joined(bool maximum, int64_t count) : maximum_(maximum), count_(count) {}
  void add(const Pair& y, const Pair& x, const double* image, int64_t width) {
    // A sample outside is 0, whatever the elements there are.
    const bool none = (y.low_weight == 0 && y.high_weight == 0) || (x.low_weight == 0 && x.high_weight == 0);
    const double parts[] = {y.low_weight * x.low_weight * image[y.low * width + x.low],
                            y.low_weight * x.high_weight * image[y.low * width + x.high],
                            y.high_weight * x.low_weight * image[y.high * width + x.low],
                            y.high_weight * x.high_weight * image[y.high * width + x.high]};
    if (!maximum_) {
      if (!none) value_ += ((parts[0] + parts[1]) + parts[2]) + parts[3];
      return;
    }
    for (const double part : parts) {
      const double value = none ? 0 : part;
      if (!any_ || value > value_ || value != value) value_ = value;
      any_ = true;
    }
  }
  double value() const { return maximum_ ? value_ : value_ / static_cast<double>(std::max<int64_t>(count_, 1)); }

 private:
  bool maximum_, any_ = false;
  int64_t count_;
  double value_ = 0;
};

}  // namespace

void roi_align(const RoiAlignShape& s, const double* x, const double* regions, const int64_t* images, double* y) {
  const int64_t plane = s.height * s.width, out_plane = s.out_height * s.out_width;
  parallel(s.count, grain_for(32 * s.channels * out_plane), [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      const double* region = regions + i * 4;
      const Bins across = bins_of(s, region[0], region[2], s.out_width, s.width);
      const Bins down = bins_of(s, region[1], region[3], s.out_height, s.height);
      const std::vector<Pair> columns = samples_along(s, across, s.out_width, s.width);
      const std::vector<Pair> rows = samples_along(s, down, s.out_height, s.height);
      for (int64_t c = 0; c < s.channels; ++c) {
        const double* image = x + (images[i] * s.channels + c) * plane;
        double* to = y + (i * s.channels + c) * out_plane;
        for (int64_t bin = 0; bin < out_plane; ++bin) {
          Joined joined(s.maximum, down.samples * across.samples);
          const Pair* row = rows.data() + bin / s.out_width * down.samples;
          const Pair* column = columns.data() + bin % s.out_width * across.samples;
          for (int64_t a = 0; a < down.samples; ++a)
            for (int64_t b = 0; b < across.samples; ++b) joined.add(row[a], column[b], image, s.width);
          to[bin] = joined.value();
        }
      }
    }
  });
}

}  // namespace onemodel::kernels

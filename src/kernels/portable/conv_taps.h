#pragma once
// Convolution and its transpose as one problem: each target place sums, over source channels and
// window taps, source places that lie a fixed shift away.

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <vector>

#include "kernels/portable/window3.h"

namespace onemodel::kernels {

/// Along one axis, the t-th target sees source place t * step + shift through a tap; places outside
/// are zeros.
struct TapAxis {
  struct Tap {
    int64_t kernel;  // place in the window
    int64_t shift;
    Range reach;  // the t that see a place inside
  };
  int64_t source = 1, count = 1, step = 1;
  int64_t start = 0, spread = 1;  // the t-th target is at start + t * spread
  std::vector<Tap> taps;

  /// Targets are the outputs of the window.
  static TapAxis forward(const Window3& w, size_t axis) {
    TapAxis out{w.input[axis], w.output[axis], w.stride[axis], 0, 1, {}};
    for (int64_t k = 0; k < w.kernel[axis]; ++k) out.taps.push_back({k, w.shift(axis, k), w.reach(axis, k)});
    return out;
  }

  /// Targets are the inputs of the window at `phase` modulo its stride, which see the same taps.
  static TapAxis transposed(const Window3& w, size_t axis, int64_t phase) {
    const int64_t s = w.stride[axis];
    const int64_t count = (w.input[axis] - phase + s - 1) / s;
    TapAxis out{w.output[axis], std::max<int64_t>(count, 0), 1, phase, s, {}};
    for (int64_t k = 0; k < w.kernel[axis]; ++k) {
      const int64_t distance = phase - w.shift(axis, k);
      if (distance % s != 0) continue;
      const int64_t shift = distance / s;
      const int64_t end = std::clamp<int64_t>(out.source - shift, 0, out.count);
      out.taps.push_back({k, shift, {std::min(std::max<int64_t>(-shift, 0), end), end}});
    }
    return out;
  }
};

/// One combination of the taps of three axes.
struct Tap3 {
  std::array<TapAxis::Tap, 3> axis;
  int64_t offset;  // in the weights of one channel pair
};

using TapAxes = std::array<TapAxis, 3>;

inline int64_t targets(const TapAxes& axes) { return axes[0].count * axes[1].count * axes[2].count; }

/// All combinations, in the order of the weights.
inline std::vector<Tap3> all_taps(const TapAxes& axes, const Triple& kernel) {
  std::vector<Tap3> out;
  for (const auto& d : axes[0].taps)
    for (const auto& h : axes[1].taps)
      for (const auto& w : axes[2].taps)
        out.push_back({{d, h, w}, (d.kernel * kernel[1] + h.kernel) * kernel[2] + w.kernel});
  return out;
}

/// The source row that targets (d, h, …) see through `tap`, or null outside.
template <class C>
const C* source_row(const TapAxes& axes, const Tap3& tap, int64_t d, int64_t h, const C* plane) {
  const int64_t sd = d * axes[0].step + tap.axis[0].shift;
  const int64_t sh = h * axes[1].step + tap.axis[1].shift;
  if (sd < 0 || sd >= axes[0].source || sh < 0 || sh >= axes[1].source) return nullptr;
  return plane + (sd * axes[1].source + sh) * axes[2].source;
}

/// Calls `f(d, h, w, length)` for the pieces of rows that make targets [begin, begin + count).
template <class F>
void for_row_pieces(const TapAxes& axes, int64_t begin, int64_t count, const F& f) {
  const int64_t width = axes[2].count, height = axes[1].count;
  while (count > 0) {
    const int64_t w = begin % width, row = begin / width;
    const int64_t length = std::min(width - w, count);
    f(row / height, row % height, w, length);
    begin += length;
    count -= length;
  }
}

/// y = x, for rows so short that a call of memcpy takes as long as the copy.
template <class T>
void copy_row(const T* x, int64_t count, T* y) {
  typedef uint8_t Bytes __attribute__((vector_size(16)));
  constexpr auto kStep = static_cast<int64_t>(sizeof(Bytes) / sizeof(T));
  const auto copy_at = [=](int64_t i) {
    Bytes bytes;
    std::memcpy(&bytes, x + i, sizeof(bytes));
    std::memcpy(y + i, &bytes, sizeof(bytes));
  };
  if (count < kStep) {
    for (int64_t i = 0; i < count; ++i) y[i] = x[i];
    return;
  }
  for (int64_t i = 0; i + kStep < count; i += kStep) copy_at(i);
  copy_at(count - kStep);  // may write a part of the step before again
}

/// What targets [begin, begin + count) see of `plane` through `tap`.
template <class C>
void see(const TapAxes& axes, const Tap3& tap, const C* plane, int64_t begin, int64_t count, C* out) {
  const int64_t step = axes[2].step, shift = tap.axis[2].shift;
  const Range reach = tap.axis[2].reach;
  for_row_pieces(axes, begin, count, [&](int64_t d, int64_t h, int64_t w, int64_t length) {
    const C* row = source_row(axes, tap, d, h, plane);
    const int64_t low = row ? std::clamp(reach.begin - w, int64_t{0}, length) : length;
    const int64_t high = row ? std::clamp(reach.end - w, low, length) : length;
    std::fill_n(out, low, C(0));
    std::fill_n(out + high, length - high, C(0));
    const C* from = row ? row + (w * step + shift) : nullptr;
    if (!from) {
      // outside: zeros only
    } else if (step == 1) {
      copy_row(from + low, high - low, out + low);
    } else {
      for (int64_t i = low; i < high; ++i) out[i] = from[i * step];
    }
    out += length;
  });
}

}  // namespace onemodel::kernels

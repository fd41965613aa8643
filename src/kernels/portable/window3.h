#pragma once
// Spatial loops over any window of 1 to 3 axes as loops over three, and the part of a row that a
// window place can reach.

#include <algorithm>
#include <array>
#include <cstdint>
#include <string_view>

#include "kernels/portable/window.h"

namespace onemodel::kernels {

/// A number for depth, height and width.
using Triple = std::array<int64_t, 3>;

inline int64_t volume(const Triple& t) { return t[0] * t[1] * t[2]; }

/// Places o in [begin, end) with 0 <= o * stride + shift < extent.
struct Range {
  int64_t begin, end;
};

/// A window with leading axes of extent 1 put before it.
struct Window3 {
  Triple input{1, 1, 1}, output{1, 1, 1}, kernel{1, 1, 1};
  Triple stride{1, 1, 1}, dilation{1, 1, 1}, pad_begin{}, pad_end{};

  /// Throws ShapeError naming `kernel_name`.
  Window3(std::string_view kernel_name, const Dims& in, const Dims& out, const Window& window) {
    const size_t rank = in.size();
    check<ShapeError>(rank >= 1 && rank <= 3, kernel_name, ": ", rank, " spatial axes (1 to 3 are supported)");
    for (const Dims* d :
         {&out, &window.kernel, &window.strides, &window.dilations, &window.pads_begin, &window.pads_end})
      check<ShapeError>(d->size() == rank, kernel_name, ": ", *d, " has not one entry for each of ", rank,
                        " spatial axes");
    for (size_t i = 0; i < rank; ++i) {
      const size_t at = 3 - rank + i;
      input[at] = in[i];
      output[at] = out[i];
      kernel[at] = window.kernel[i];
      stride[at] = window.strides[i];
      dilation[at] = window.dilations[i];
      pad_begin[at] = window.pads_begin[i];
      pad_end[at] = window.pads_end[i];
    }
  }

  /// Input place o * stride + shift(axis, k) is seen by output o through window place k.
  int64_t shift(size_t axis, int64_t k) const { return k * dilation[axis] - pad_begin[axis]; }

  /// Outputs along `axis` that see a place inside the input through window place k.
  Range reach(size_t axis, int64_t k) const {
    const int64_t s = stride[axis], low = -shift(axis, k), high = input[axis] + low;
    const auto up = [s](int64_t v) { return v <= 0 ? 0 : (v + s - 1) / s; };
    const int64_t end = std::min(output[axis], up(high));
    return {std::min(up(low), end), end};
  }

  /// Calls `f(kd, kh, kw, row)` for each window place whose depth and height, seen from output
  /// (od, oh), lie inside; `row` is the index of that input row.
  template <class F>
  void for_rows(int64_t od, int64_t oh, const F& f) const {
    for (int64_t kd = 0; kd < kernel[0]; ++kd) {
      const int64_t d = od * stride[0] + shift(0, kd);
      if (d < 0 || d >= input[0]) continue;
      for (int64_t kh = 0; kh < kernel[1]; ++kh) {
        const int64_t h = oh * stride[1] + shift(1, kh);
        if (h < 0 || h >= input[1]) continue;
        for (int64_t kw = 0; kw < kernel[2]; ++kw) f(kd, kh, kw, d * input[1] + h);
      }
    }
  }
};

}  // namespace onemodel::kernels

#pragma once
// Convolutions by their definition, and comparison with those of constant weights.

#include <algorithm>

#include "kernels/xnn/conv.h"
#include "kernels/xnn_support.h"

namespace onemodel::kernels::xnn {

using Floats = std::vector<float>;
inline constexpr double kTolerance = 5e-6;

/// Calls `f(x index, weight index, y index)` for every multiplication of the convolution.
template <class F>
void each_product(const Conv2d& p, const F& f) {
  const int64_t in = p.c / p.groups, out = p.m / p.groups;
  for (int64_t n = 0; n < p.n; ++n)
    for (int64_t m = 0; m < p.m; ++m)
      for (int64_t i = 0; i < p.out_h(); ++i)
        for (int64_t j = 0; j < p.out_w(); ++j)
          for (int64_t c = 0; c < in; ++c)
            for (int64_t a = 0; a < p.kernel_h; ++a)
              for (int64_t b = 0; b < p.kernel_w; ++b) {
                const int64_t y = i * p.stride_h + a * p.dilation_h - p.pad_top;
                const int64_t x = j * p.stride_w + b * p.dilation_w - p.pad_left;
                if (y < 0 || y >= p.h || x < 0 || x >= p.w) continue;
                f(((n * p.c + m / out * in + c) * p.h + y) * p.w + x, ((m * in + c) * p.kernel_h + a) * p.kernel_w + b,
                  ((n * p.m + m) * p.out_h() + i) * p.out_w() + j);
              }
}

inline int64_t x_size(const Conv2d& p) { return p.n * p.c * p.h * p.w; }
inline int64_t y_size(const Conv2d& p) { return p.n * p.m * p.out_h() * p.out_w(); }
inline int64_t weight_size(const Conv2d& p) { return p.m * (p.c / p.groups) * p.kernel_h * p.kernel_w; }

template <class T>
std::vector<T> to_nhwc(const std::vector<T>& x, int64_t n, int64_t c, int64_t plane) {
  std::vector<T> y(x.size());
  for (int64_t i = 0; i < n; ++i)
    for (int64_t j = 0; j < c; ++j)
      for (int64_t k = 0; k < plane; ++k) y[size_t((i * plane + k) * c + j)] = x[size_t((i * c + j) * plane + k)];
  return y;
}

/// Refused in NHWC.
inline bool scales_channels(const Conv2d& p) {
  return p.kernel_h * p.kernel_w == 1 && p.groups > 1 && p.c == p.groups && p.m == p.groups;
}

inline std::string describe(const Conv2d& p) {
  return concat("x [", p.n, ", ", p.c, ", ", p.h, ", ", p.w, "] to ", p.m, " by ", p.kernel_h, "x", p.kernel_w,
                ", stride ", p.stride_h, " ", p.stride_w, ", dilation ", p.dilation_h, " ", p.dilation_w, ", pads ",
                p.pad_top, " ", p.pad_left, " ", p.pad_bottom, " ", p.pad_right, ", groups ", p.groups);
}

struct Data {
  explicit Data(const Conv2d& p)
      : x(random_floats(x_size(p), 1)),
        w(random_floats(weight_size(p), 2)),
        bias(random_floats(p.m, 3)),
        dy(random_floats(y_size(p), 4)) {}
  Floats x, w, bias, dy;

  std::vector<double> convolve(const Conv2d& p, bool with_bias) const {
    std::vector<double> y(dy.size());
    each_product(p, [&](auto i, auto j, auto k) { y[size_t(k)] += double{x[size_t(i)]} * double{w[size_t(j)]}; });
    const size_t plane = size_t(p.out_h() * p.out_w());
    for (size_t i = 0; i < y.size(); ++i) {
      if (with_bias) y[i] += double{bias[i / plane % size_t(p.m)]};
      y[i] = std::min(std::max(y[i], double{p.min}), double{p.max});
    }
    return y;
  }
};

inline void check_constant(const Conv2d& p, bool with_bias) {
  SCOPED_TRACE(describe(p));
  const Data data(p);
  const auto make = [&](std::string& refusal) {
    Floats w = data.w, bias = data.bias;  // gone before the run
    return conv2d(p, w.data(), with_bias ? bias.data() : nullptr, refusal);
  };
  std::vector<double> y = data.convolve(p, with_bias);
  if (p.nhwc_output) y = to_nhwc(y, p.n, p.m, p.out_h() * p.out_w());
  check_kernel(make, {p.nhwc_input ? to_nhwc(data.x, p.n, p.c, p.h * p.w) : data.x}, y, kTolerance);
}

}  // namespace onemodel::kernels::xnn

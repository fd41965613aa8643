#include "kernels/portable/fourier.h"

#include <bit>
#include <cstddef>
#include <numbers>
#include <utility>

#include "core/math.h"

namespace onemodel::kernels {
namespace {

/// e^(-2 pi i k / n), from an angle of at most an eighth of a turn.
Complex root_of_unity(int64_t k, int64_t n) {
  k %= n;
  const bool below = 2 * k > n;  // the lower half of the circle mirrors the upper
  if (below) k = n - k;
  const bool left = 4 * k > n;
  if (left) k = n - 2 * k, n *= 2;  // half a turn less the angle, as a part of twice n
  const bool steep = 8 * k > n;
  if (steep) k = n - 4 * k, n *= 4;  // a quarter of a turn less the angle
  const double angle = 2 * std::numbers::pi * static_cast<double>(k) / static_cast<double>(n);
  double re = math::cos(angle), im = math::sin(angle);
  if (steep) std::swap(re, im);
  if (left) re = -re;
  return {re, below ? im : -im};
}

size_t index(int64_t i) { return static_cast<size_t>(i); }

}  // namespace

Fourier::Fourier(int64_t length, bool inverse) : length_(length), padded_(length), inverse_(inverse) {
  const bool any = !std::has_single_bit(static_cast<uint64_t>(length));
  if (any) padded_ = static_cast<int64_t>(std::bit_ceil(static_cast<uint64_t>(2 * length - 1)));
  for (int64_t k = 0; k < padded_ / 2; ++k) roots_.push_back(root_of_unity(k, padded_));
  if (!any) return;
  work_.resize(index(padded_));
  filter_.resize(index(padded_));
  for (int64_t k = 0; k < length; ++k) {
    // k^2 modulo 2 length, without overflow for any length that fits memory.
    const Complex root = root_of_unity(k * k % (2 * length), 2 * length);
    chirp_.push_back(root);
    filter_[index(k)] = filter_[index((padded_ - k) % padded_)] = {root.re, -root.im};
  }
  run_power_of_two(filter_.data(), false);
}

void Fourier::run(Complex* x) {
  // The inverse is the conjugate of the transform of the conjugate.
  if (inverse_)
    for (int64_t k = 0; k < length_; ++k) x[k].im = -x[k].im;
  if (chirp_.empty())
    run_power_of_two(x, false);
  else
    run_any(x);
  if (!inverse_) return;
  const auto n = static_cast<double>(length_);
  for (int64_t k = 0; k < length_; ++k) x[k] = {x[k].re / n, -x[k].im / n};
}

void Fourier::run_power_of_two(Complex* x, bool conjugate) const {
  const int64_t n = padded_;
  for (int64_t i = 1, j = 0; i < n; ++i) {  // in the order of reversed bits
    int64_t bit = n >> 1;
    for (; j & bit; bit >>= 1) j ^= bit;
    j ^= bit;
    if (i < j) std::swap(x[i], x[j]);
  }
  for (int64_t half = 1; half < n; half *= 2)
    for (int64_t begin = 0; begin < n; begin += 2 * half)
      for (int64_t k = 0; k < half; ++k) {
        Complex root = roots_[index(k * (n / (2 * half)))];
        if (conjugate) root.im = -root.im;
        const Complex odd = x[begin + half + k] * root, even = x[begin + k];
        x[begin + k] = even + odd;
        x[begin + half + k] = even - odd;
      }
}

void Fourier::run_any(Complex* x) {
  // kn = (k^2 + n^2 - (k - n)^2) / 2: a convolution with the chirp.
  for (int64_t k = 0; k < length_; ++k) work_[index(k)] = x[k] * chirp_[index(k)];
  for (int64_t k = length_; k < padded_; ++k) work_[index(k)] = {0, 0};
  run_power_of_two(work_.data(), false);
  for (int64_t k = 0; k < padded_; ++k) work_[index(k)] = work_[index(k)] * filter_[index(k)];
  run_power_of_two(work_.data(), true);
  const auto n = static_cast<double>(padded_);
  for (int64_t k = 0; k < length_; ++k) {
    const Complex value = work_[index(k)] * chirp_[index(k)];
    x[k] = {value.re / n, value.im / n};
  }
}

}  // namespace onemodel::kernels

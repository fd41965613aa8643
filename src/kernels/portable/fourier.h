#pragma once
// Discrete Fourier transforms of any length.
//
// Dtype: f64. Powers of two by Cooley and Tukey's algorithm, other lengths by Bluestein's ("A linear filtering approach
//   to the computation of discrete Fourier transform", 1970), so that no length takes more than n log n.
// Order: fixed; the same bits everywhere.
// Threads: a plan may be used by one thread at a time.

#include <cstdint>
#include <vector>

namespace onemodel::kernels {

struct Complex {
  double re, im;
  friend Complex operator+(Complex a, Complex b) { return {a.re + b.re, a.im + b.im}; }
  friend Complex operator-(Complex a, Complex b) { return {a.re - b.re, a.im - b.im}; }
  friend Complex operator*(Complex a, Complex b) { return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re}; }
};

/// Transforms of one length: y[k] = the sum of x[n] e^(-2 pi i k n / length), or with `inverse` e^(+…), divided by the
/// length.
class Fourier {
 public:
  /// `length` is 1 or more.
  Fourier(int64_t length, bool inverse);
  int64_t length() const { return length_; }
  /// In place.
  void run(Complex* x);

 private:
  void run_power_of_two(Complex* x, bool conjugate) const;
  void run_any(Complex* x);

  int64_t length_, padded_;
  bool inverse_;
  std::vector<Complex> roots_;           // e^(-2 pi i k / padded), k below half
  std::vector<Complex> chirp_, filter_;  // of Bluestein's algorithm, else empty
  std::vector<Complex> work_;
};

}  // namespace onemodel::kernels

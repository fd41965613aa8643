#pragma once
// Transcendental functions that give the same bits on every machine.
//
// Only correctly rounded operations are used (+ - * / and bit moves), so the result depends on the
// source alone when it is compiled without contraction and fast-math. The float functions but sin
// and cos are free of branches: a loop over them vectorises.
// Values: as C's functions of the same name at zeros, infinities, NaN, subnormals and overflow;
//   the NaN that results has any payload. tests/core/math_test.cpp bounds the errors.
// Threads: pure functions.
//
// Polynomials are minimax fits made for this file with Remez's exchange, in the arrangements named
// beside them: Cody and Waite, "Software Manual for the Elementary Functions" (1980); Sun's fdlibm
// (1993); Payne and Hanek, "Radian reduction for trigonometric functions" (1983).

#include <bit>
#include <cstdint>
#include <limits>

namespace onemodel::math {

double exp(double x);
double log(double x);
double sin(double x);
double cos(double x);
double tanh(double x);
double sigmoid(double x);
double erf(double x);
double pow(double x, double y);

// In math_inverse.cpp, to within 4 units in the last place.
double tan(double x);
double asin(double x);
double acos(double x);
double atan(double x);
double sinh(double x);
double cosh(double x);
double asinh(double x);
double acosh(double x);
double atanh(double x);
double expm1(double x);
double log1p(double x);

namespace detail {

/// e^x = 2^n (1 + m), |m| < 0.42, for |x| < 2000.
struct WideExpParts {
  double m;
  int64_t n;
};
WideExpParts exp_parts(double x);

/// c0 + x c1 + x^2 c2 + …, by Horner.
template <class T>
inline T polynomial(T, T c0) {
  return c0;
}
template <class T, class... Rest>
inline T polynomial(T x, T c0, Rest... rest) {
  return c0 + x * polynomial(x, rest...);
}

inline constexpr float kInfinity = std::numeric_limits<float>::infinity();
// Adding it rounds a float below 2^22 in magnitude to an integer, held by the low bits.
inline constexpr float kRoundFloat = 0x1.8p23f;
inline constexpr double kRoundDouble = 0x1.8p52;

inline float absolute(float x) { return std::bit_cast<float>(std::bit_cast<uint32_t>(x) & 0x7fffffffu); }
inline float copy_sign(float magnitude, float sign) {
  return std::bit_cast<float>((std::bit_cast<uint32_t>(magnitude) & 0x7fffffffu) |
                              (std::bit_cast<uint32_t>(sign) & 0x80000000u));
}
inline float two_to(int32_t n) { return std::bit_cast<float>((n + 127) << 23); }
inline double two_to_double(int64_t n) { return std::bit_cast<double>((n + 1023) << 52); }

/// e^x = 2^n (1 + m), |m| < 0.42.
struct ExpParts {
  float m;
  int32_t n;
};

/// For |x| < 2^14: Cody and Waite's reduction, then e^r - 1 = r + r^2 P(r) for |r| <= ln(2) / 2.
inline ExpParts exp_parts(float x) {
  const float shifted = x * 0x1.715476p+0f + kRoundFloat;
  const float n = shifted - kRoundFloat;
  const float r = (x - n * 0x1.63p-1f) - n * -0x1.bd0106p-13f;
  const float p = polynomial(r, 0x1.fffffcp-2f, 0x1.555492p-3f, 0x1.5558f2p-5f, 0x1.123a2p-7f, 0x1.6a23eap-10f);
  return {r * r * p + r, std::bit_cast<int32_t>(shifted) - std::bit_cast<int32_t>(kRoundFloat)};
}

/// Beyond it, sin and cos leave the fast reduction.
inline constexpr float kTrigLimit = 1e6f;

/// sin(x + quarter pi/2) for |x| <= kTrigLimit. Reduced in double, so that fdlibm's polynomials
/// (shortened) round once.
inline float sin_reduced(float x, int64_t quarter) {
  const double wide = x;
  const double shifted = wide * 0x1.45f306dc9c883p-1 + kRoundDouble;
  const double n = shifted - kRoundDouble;
  const int64_t quadrant = std::bit_cast<int64_t>(shifted) + quarter;
  const double r = (wide - n * 0x1.921fb544p+0) - n * 0x1.0b4611a626331p-34;
  const double z = r * r;
  const double sine = r * (1.0 + z * polynomial(z, -0x1.5555554cb9ec1p-3, 0x1.111108964dadcp-7, -0x1.a00f9da8658d7p-13,
                                                0x1.6cd858d9a7068p-19));
  const double cosine =
      1.0 - 0.5 * z + z * z * polynomial(z, 0x1.55554a107a6c9p-5, -0x1.6c0c331bb4660p-10, 0x1.99eb73397bc81p-16);
  const auto value = static_cast<float>((quadrant & 1) ? cosine : sine);
  return (quadrant & 2) ? -value : value;
}

}  // namespace detail

/// Scaled in two steps, so that a subnormal result rounds once.
inline float exp(float x) {
  x = x < -104.0f ? -104.0f : x;
  x = x > 89.0f ? 89.0f : x;
  const auto [m, n] = detail::exp_parts(x);
  const int32_t half = n >> 1;
  return (1.0f + m) * detail::two_to(half) * detail::two_to(n - half);
}

/// x = 2^k (1 + f), s = f / (2 + f): log(1 + f) = f - f^2/2 + s (f^2/2 + s^2 R(s^2)), as fdlibm.
inline float log(float x) {
  const bool subnormal = x < std::numeric_limits<float>::min();
  const auto bits = std::bit_cast<uint32_t>(subnormal ? x * 0x1p23f : x);
  const int32_t exponent = static_cast<int32_t>(bits - 0x3f3504f3u) >> 23;
  const float f = std::bit_cast<float>(bits - (static_cast<uint32_t>(exponent) << 23)) - 1.0f;
  const float k = static_cast<float>(exponent) - (subnormal ? 23.0f : 0.0f);
  const float s = f / (2.0f + f);
  const float z = s * s;
  const float tail = z * detail::polynomial(z, 0x1.555554p-1f, 0x1.999c26p-2f, 0x1.23d3ep-2f, 0x1.f13bdcp-3f);
  const float half = 0.5f * f * f;
  float y = s * (half + tail) + k * 0x1.2fefa4p-17f - half + f + k * 0x1.62e3p-1f;
  y = x < detail::kInfinity ? y : x;
  y = x == 0.0f ? -detail::kInfinity : y;
  return x < 0.0f ? std::numeric_limits<float>::quiet_NaN() : y;
}

/// Past detail::kTrigLimit through the double function.
inline float sin(float x) {
  if (detail::absolute(x) <= detail::kTrigLimit) [[likely]]
    return detail::sin_reduced(x, 0);
  return static_cast<float>(sin(double{x}));
}

inline float cos(float x) {
  if (detail::absolute(x) <= detail::kTrigLimit) [[likely]]
    return detail::sin_reduced(x, 1);
  return static_cast<float>(cos(double{x}));
}

/// E / (E + 2) with E = e^2|x| - 1, which is exact to the last bits for small x.
inline float tanh(float x) {
  float a = detail::absolute(x);
  a = a > 10.0f ? 10.0f : a;
  const auto [m, n] = detail::exp_parts(2.0f * a);
  const float scale = detail::two_to(n);
  const float e = m * scale + (scale - 1.0f);
  return detail::copy_sign(e / (e + 2.0f), x);
}

/// 1 / (1 + e^-x), from e^-|x| so that neither side overflows.
inline float sigmoid(float x) {
  const float e = exp(-detail::absolute(x));
  return (x < 0.0f ? e : 1.0f) / (1.0f + e);
}

/// x + x P(x^2) for small x, 1 - exp(Q(|x|)) beyond, where Q fits log(erfc).
inline float erf(float x) {
  const float z = x * x;
  const float small = x + x * detail::polynomial(z, 0x1.06eba8p-3f, -0x1.81274p-2f, 0x1.ce2d64p-4f, -0x1.b80124p-6f,
                                                 0x1.544b08p-8f, -0x1.a6180ep-11f, 0x1.4fa90ep-14f);
  const float magnitude = detail::absolute(x);
  const float a = magnitude > 4.0f ? 4.0f : magnitude;
  const float q = detail::polynomial(a, 0x1.763d62p-13f, -0x1.212916p+0f, -0x1.44412ep-1f, -0x1.bbaf08p-4f,
                                     0x1.9bfeccp-6f, -0x1.120674p-8f, 0x1.c9cb5cp-12f, -0x1.650448p-16f);
  const float large = detail::copy_sign(1.0f - exp(q), x);
  return magnitude < 0.9375f ? small : large;
}

/// 2^(y log2 x) in double, rounded once. pow(x, 2) is x * x.
inline float pow(float x, float y) {
  const float magnitude = detail::absolute(x);
  const auto bits = std::bit_cast<int64_t>(double{magnitude});
  const int64_t exponent = (bits - 0x3fe6a09e667f3bcd) >> 52;
  const double f = std::bit_cast<double>(bits - (exponent << 52)) - 1.0;
  const double s = f / (2.0 + f);
  double log2 = static_cast<double>(static_cast<int32_t>(exponent)) +
                s * detail::polynomial(s * s, 0x1.71547652b824fp+1, 0x1.ec709dc53fbbfp-1, 0x1.2776c28f60af7p-1,
                                       0x1.a61a31e817f14p-2, 0x1.4794d3a17bcc4p-2, 0x1.21b859e947335p-2);
  log2 = magnitude < detail::kInfinity ? log2 : double{magnitude};
  log2 = magnitude == 0.0f ? -std::numeric_limits<double>::infinity() : log2;

  double t = y * log2;
  t = t < -160.0 ? -160.0 : t;
  t = t > 136.0 ? 136.0 : t;
  const double shifted = t + detail::kRoundDouble;
  const double r = t - (shifted - detail::kRoundDouble);
  const int64_t n = std::bit_cast<int64_t>(shifted) - std::bit_cast<int64_t>(detail::kRoundDouble);
  const double power = 1.0 + r * detail::polynomial(r, 0x1.62e42fef897cdp-1, 0x1.ebfbdff8ed568p-3, 0x1.c6b08dcfb4b54p-5,
                                                    0x1.3b2ab5f006765p-7, 0x1.5d874bf10fb44p-10, 0x1.430aa12757f56p-13,
                                                    0x1.00d90f8847d86p-16, 0x1.61cf91118f354p-20);
  float value = static_cast<float>(power * detail::two_to_double(n));

  // 0x1p23 added to a float below it rounds to an integer; above, every float is one.
  const float ay = detail::absolute(y);
  const bool whole = ay >= 0x1p23f || (ay + 0x1p23f) - 0x1p23f == ay;
  const float hy = 0.5f * ay;
  const bool odd = whole && !(hy >= 0x1p23f || (hy + 0x1p23f) - 0x1p23f == hy);
  value = odd ? detail::copy_sign(value, x) : value;
  value =
      x < 0.0f && magnitude < detail::kInfinity && !whole && y == y ? std::numeric_limits<float>::quiet_NaN() : value;
  value = x == 1.0f || y == 0.0f || (x == -1.0f && ay == detail::kInfinity) ? 1.0f : value;
  return y == 2.0f ? x * x : value;
}

}  // namespace onemodel::math

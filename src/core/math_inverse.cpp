// The less common transcendental functions of core/math.h, in double. Floats are computed here and rounded once.

#include <cmath>

#include "core/math.h"

namespace onemodel::math {
namespace {

using detail::polynomial;
using detail::two_to_double;

constexpr double kInf = std::numeric_limits<double>::infinity();
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr double kHalfPi = 0x1.921fb54442d18p+0, kHalfPiLow = 0x1.1a62633145c07p-54;
constexpr double kLn2 = 0x1.62e42fefa39efp-1;
// Beyond it x^2 + 1 is x^2.
constexpr double kHuge = 0x1p28;

/// asin(s) - s for s^2 = z <= 1/4.
double asin_tail(double s, double z) {
  return s * z *
         polynomial(z, 0x1.5555555555555p-3, 0x1.3333333333388p-4, 0x1.6db6db6dac1e0p-5, 0x1.f1c71c7a52ba3p-6,
                    0x1.6e8ba123e494cp-6, 0x1.1c4efce23019fp-6, 0x1.c990ad3d8fdcap-7, 0x1.7b027ee1dd585p-7,
                    0x1.3b49de7121487p-7, 0x1.31622469ce5adp-7, 0x1.8f193743418ffp-9, 0x1.406192d124629p-6,
                    -0x1.3b416bb7d9257p-6, 0x1.e529c6fce9bb4p-6);
}

/// acos(a) for 1/2 <= a <= 1: twice the arcsine of half the chord.
double acos_near_one(double a) {
  const double z = 0.5 * (1.0 - a), s = std::sqrt(z);
  return 2.0 * (s + asin_tail(s, z));
}

}  // namespace

double tan(double x) { return sin(x) / cos(x); }

double asin(double x) {
  const double a = std::fabs(x);
  if (!(a <= 1.0)) return a == a ? kNaN : x;
  if (a <= 0.5) return x + asin_tail(x, x * x);
  return std::copysign(kHalfPi - (acos_near_one(a) - kHalfPiLow), x);
}

double acos(double x) {
  const double a = std::fabs(x);
  if (!(a <= 1.0)) return a == a ? kNaN : x;
  if (a <= 0.5) return kHalfPi - (x - (kHalfPiLow - asin_tail(x, x * x)));
  return x > 0.0 ? acos_near_one(a) : 2.0 * kHalfPi - (acos_near_one(a) - 2.0 * kHalfPiLow);
}

/// Reduced to |t| <= tan(pi/8) by the tangents' subtraction from 0, pi/4 or pi/2.
double atan(double x) {
  const double a = std::fabs(x);
  double t = a, high = 0.0, low = 0.0;
  if (a > 0x1.3504f333f9de6p+1) {
    t = -1.0 / a;
    high = kHalfPi;
    low = kHalfPiLow;
  } else if (a > 0x1.a827999fcef32p-2) {
    t = (a - 1.0) / (a + 1.0);
    high = 0.5 * kHalfPi;
    low = 0.5 * kHalfPiLow;
  }
  const double z = t * t;
  const double tail =
      t * z *
      polynomial(z, -0x1.5555555555555p-2, 0x1.9999999999997p-3, -0x1.24924924920adp-3, 0x1.c71c71c6ddbfcp-4,
                 -0x1.745d173565149p-4, 0x1.3b13aea9e84b6p-4, -0x1.1110cee80b516p-4, 0x1.e1d8e9bffe59dp-5,
                 -0x1.aebd1fa559894p-5, 0x1.829ce3237ab26p-5, -0x1.503c4469943acp-5, 0x1.f5ef74d05428dp-6,
                 -0x1.c81291cfc455fp-7);
  return std::copysign(high + (t + (tail + low)), x);
}

double expm1(double x) {
  if (!(x < 50.0) || x == 0.0) return x == 0.0 ? x : exp(x);
  const auto [m, n] = detail::exp_parts(x < -50.0 ? -50.0 : x);
  const double scale = two_to_double(n);
  return m * scale + (scale - 1.0);
}

/// log u with u = 1 + x, corrected for what the sum lost (Kahan, as in the HP-15C handbook).
double log1p(double x) {
  const double u = 1.0 + x;
  if (u == 1.0 || !(x < kInf) || x <= -1.0) return u == 1.0 ? x : log(u);
  return log(u) * (x / (u - 1.0));
}

double sinh(double x) {
  const double a = std::fabs(x);
  if (!(a < 22.0)) {
    const double half = exp(0.5 * a);
    return std::copysign(0.5 * half * half, x);
  }
  const double e = expm1(a);
  return std::copysign(0.5 * (e + e / (e + 1.0)), x);
}

double cosh(double x) {
  const double half = exp(0.5 * std::fabs(x)), e = half * half;
  return std::fabs(x) < 22.0 ? 0.5 * e + 0.5 / e : 0.5 * half * half;
}

double asinh(double x) {
  const double a = std::fabs(x), t = a * a;
  const double y = a > kHuge ? log(a) + kLn2 : log1p(a + t / (1.0 + std::sqrt(1.0 + t)));
  return std::copysign(y, x);
}

double acosh(double x) {
  if (!(x >= 1.0)) return x == x ? kNaN : x;
  const double t = x - 1.0;
  return x > kHuge ? log(x) + kLn2 : log1p(t + std::sqrt(2.0 * t + t * t));
}

double atanh(double x) {
  const double a = std::fabs(x), twice = a + a;
  const double y = a < 0.5 ? log1p(twice + twice * a / (1.0 - a)) : log1p(twice / (1.0 - a));
  return std::copysign(0.5 * y, x);
}

}  // namespace onemodel::math

#include "core/math.h"

#include <cmath>

namespace onemodel::math {
namespace {

using detail::polynomial;
using detail::two_to_double;

constexpr double kInf = std::numeric_limits<double>::infinity();
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr double kLn2High = 0x1.62e42feep-1;  // times an integer below 2^20: exact
constexpr double kLn2Low = 0x1.a39ef35793c76p-33;

/// e^(x + low) = 2^n (1 + m), |m| < 0.42, for |x| < 2000 and a small `low`.
detail::WideExpParts exp_parts(double x, double low) {
  const double shifted = x * 0x1.71547652b82fep+0 + detail::kRoundDouble;
  const double n = shifted - detail::kRoundDouble;
  const double r = (x - n * kLn2High) - (n * kLn2Low - low);
  const double p =
      polynomial(r, 0x1p-1, 0x1.555555555555bp-3, 0x1.5555555555503p-5, 0x1.111111110ec5dp-7, 0x1.6c16c16c3048bp-10,
                 0x1.a01a01b37e389p-13, 0x1.a01a01368f98ep-16, 0x1.71ddf020ccd3ap-19, 0x1.27e5b44645721p-22,
                 0x1.af6be7e5c8592p-26, 0x1.1e3d2ccd7b98ep-29);
  return {r * r * p + r, std::bit_cast<int64_t>(shifted) - std::bit_cast<int64_t>(detail::kRoundDouble)};
}

double scaled_exp(double x, double low) {
  x = x < -746.0 ? -746.0 : x;
  x = x > 710.0 ? 710.0 : x;
  const auto [m, n] = exp_parts(x, low);
  const int64_t half = n >> 1;
  return (1.0 + m) * two_to_double(half) * two_to_double(n - half);
}

/// A positive finite x as 2^exponent (1 + f), 1 + f in [sqrt 1/2, sqrt 2).
struct Split {
  double f;
  double exponent;
};

Split split(double x) {
  const bool subnormal = x < std::numeric_limits<double>::min();
  const auto bits = std::bit_cast<int64_t>(subnormal ? x * 0x1p52 : x);
  const int64_t exponent = (bits - 0x3fe6a09e667f3bcd) >> 52;
  return {std::bit_cast<double>(bits - (exponent << 52)) - 1.0,
          static_cast<double>(exponent) - (subnormal ? 52.0 : 0.0)};
}

/// The unevaluated sum of two doubles. Sums and products are those of Dekker, "A floating-point
/// technique for extending the available precision" (1971), and Knuth.
struct Pair {
  double high, low;
};

Pair sum(double a, double b) {
  const double s = a + b;
  const double t = s - a;
  return {s, (a - (s - t)) + (b - t)};
}

Pair product(double a, double b) {
  const double ca = 0x1.0000002p27 * a, cb = 0x1.0000002p27 * b;
  const double ah = ca - (ca - a), bh = cb - (cb - b);
  const double al = a - ah, bl = b - bh;
  const double p = a * b;
  return {p, ((ah * bh - p) + ah * bl + al * bh) + al * bl};
}

Pair sum(Pair a, Pair b) {
  const Pair s = sum(a.high, b.high);
  return sum(s.high, s.low + (a.low + b.low));
}

Pair product(Pair a, Pair b) {
  const Pair p = product(a.high, b.high);
  return sum(p.high, p.low + (a.high * b.low + a.low * b.high));
}

/// log of a positive finite x to about 2^-65, by log(1 + f) = 2s + s^3 (2/3 + s^2 R(s^2)).
Pair extended_log(double x) {
  const auto [f, exponent] = split(x);
  const Pair g = sum(2.0, f);
  const double quotient = f / g.high;
  const Pair back = product(quotient, g.high);
  const Pair s = sum(quotient, (((f - back.high) - back.low) - quotient * g.low) / g.high);
  const Pair z = product(s, s);
  const double rest =
      polynomial(z.high, 0x1.9999999999b30p-2, 0x1.2492492457d23p-2, 0x1.c71c722d6b5f8p-3, 0x1.745ce9e1981f4p-3,
                 0x1.3b1eec5fdd690p-3, 0x1.0f7fe18241b0cp-3, 0x1.0e42fb145f2ddp-3);
  const Pair two_thirds{0x1.5555555555555p-1, 0x1.5555555555555p-55};
  const Pair series = sum(two_thirds, product(z.high, rest));
  const Pair mantissa = product(s, sum(Pair{2.0, 0.0}, product(z, series)));
  return sum(Pair{exponent * kLn2High, 0.0}, sum(mantissa, product(exponent, kLn2Low)));
}

}  // namespace

detail::WideExpParts detail::exp_parts(double x) { return math::exp_parts(x, 0.0); }

double exp(double x) { return scaled_exp(x, 0.0); }

double log(double x) {
  if (!(x < kInf)) return x;
  if (x <= 0.0) return x == 0.0 ? -kInf : kNaN;
  const auto [f, k] = split(x);
  const double s = f / (2.0 + f);
  const double z = s * s;
  const double tail =
      z * polynomial(z, 0x1.5555555555592p-1, 0x1.999999997ff07p-2, 0x1.24924941e3043p-2, 0x1.c71c521284adbp-3,
                     0x1.74663d5ec51fap-3, 0x1.39a1dbb2d069dp-3, 0x1.2f044d0fdd5f8p-3);
  const double half = 0.5 * f * f;
  return k * kLn2High - ((half - (s * (half + tail) + k * kLn2Low)) - f);
}

double tanh(double x) {
  double a = std::fabs(x);
  a = a > 20.0 ? 20.0 : a;
  const auto [m, n] = exp_parts(2.0 * a, 0.0);
  const double scale = two_to_double(n);
  const double e = m * scale + (scale - 1.0);
  return std::copysign(e / (e + 2.0), x);
}

double sigmoid(double x) {
  const double e = exp(-std::fabs(x));
  return (x < 0.0 ? e : 1.0) / (1.0 + e);
}

/// x + x P(x^2) for small x; 1 - e^(-x^2) G((x - 2) / (x + 2)) beyond, as in Numerical Recipes.
double erf(double x) {
  const double a = std::fabs(x);
  if (!(a >= 0.890625)) {
    return x + x * polynomial(x * x, 0x1.06eba8214db67p-3, -0x1.812746b037902p-2, 0x1.ce2f21a037d0ep-4,
                              -0x1.b82ce30f43ff1p-6, 0x1.565bcc8d93955p-8, -0x1.c02d9cc2bdd3cp-11,
                              0x1.f9a08725369d7p-14, -0x1.f4a165134cebcp-17, 0x1.b7977ceb9a880p-20,
                              -0x1.4de453b9f3b74p-23, 0x1.60c1a01e1ca57p-27);
  }
  if (a > 6.0) return std::copysign(1.0, x);
  const double t = (a - 2.0) / (a + 2.0);
  const double g =
      polynomial(t, 0x1.058671b52c776p-2, -0x1.b57034efd3f83p-2, 0x1.eeea7dc8a75c4p-3, -0x1.437f0b68bd99bp-4,
                 0x1.e94715a43b927p-9, 0x1.ca95ed65bbfb0p-8, -0x1.bc25af8a4c794p-11, -0x1.016b84db0fda6p-10,
                 0x1.6d60ca3eda3a1p-15, 0x1.6dc7b981f7941p-13, 0x1.d0bdbfc12077ep-16, -0x1.d0806169524c3p-16,
                 -0x1.06c5bdf646f11p-16, -0x1.4f21f457441d0p-19);
  return std::copysign(1.0 - exp(-a * a) * g, x);
}

double pow(double x, double y) {
  if (x == 1.0 || y == 0.0) return 1.0;
  if (x != x || y != y) return kNaN;
  const double magnitude = std::fabs(x);
  const bool whole = std::floor(y) == y;
  const bool odd = whole && std::floor(0.5 * y) != 0.5 * y && std::fabs(y) < 0x1p53;
  if (x < 0.0 && magnitude < kInf && !whole) return kNaN;
  if (std::fabs(y) == kInf) {
    if (magnitude == 1.0) return 1.0;
    return (magnitude > 1.0) == (y > 0.0) ? kInf : 0.0;
  }
  if (y == 2.0) return x * x;
  const double sign = odd ? std::copysign(1.0, x) : 1.0;
  if (magnitude == 0.0 || magnitude == kInf) return (magnitude == kInf) == (y > 0.0) ? sign * kInf : sign * 0.0;
  if (magnitude == 1.0) return sign;
  // From 2^64 on, y log x is beyond every exponent; below, Dekker's product cannot overflow.
  if (std::fabs(y) >= 0x1p64) return (magnitude > 1.0) == (y > 0.0) ? kInf : 0.0;
  const Pair l = extended_log(magnitude);
  const Pair t = sum(product(y, l.high), Pair{y * l.low, 0.0});
  return sign * scaled_exp(t.high, std::fabs(t.high) < 2000.0 ? t.low : 0.0);
}

}  // namespace onemodel::math

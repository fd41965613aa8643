#include "core/math.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <random>

namespace onemodel {
namespace {

/// Distance of `got` from `exact` in units in the last place of `exact` as a T.
template <class T, class Exact>
double ulps(T got, Exact exact) {
  if (std::isnan(exact) || std::isnan(got)) return std::isnan(exact) == std::isnan(got) ? 0 : 1e9;
  const T rounded = static_cast<T>(exact);
  if (std::isinf(rounded) || std::isinf(got)) return got == rounded ? 0 : 1e9;
  if (rounded == 0 && got == 0) return std::signbit(rounded) == std::signbit(got) ? 0 : 1e9;
  int exponent = 0;
  std::frexp(exact, &exponent);
  exponent = std::max(exponent, std::numeric_limits<T>::min_exponent);
  const Exact unit = std::ldexp(Exact(1), exponent - std::numeric_limits<T>::digits);
  return static_cast<double>(std::fabs(static_cast<Exact>(got) - exact) / unit);
}

/// The worst over all floats in steps of a prime number of bit patterns, and the specials.
double worst_float(const std::function<float(float)>& f, const std::function<double(double)>& g) {
  double worst = 0;
  for (uint64_t bits = 0; bits < (uint64_t{1} << 32); bits += 10007) {
    const auto x = std::bit_cast<float>(static_cast<uint32_t>(bits));
    worst = std::max(worst, ulps(f(x), g(x)));
  }
  for (double x : {0.0, 1.0, 1e-45, 1.1754944e-38, 3.4028235e38, HUGE_VAL, std::nan("")})
    for (double v : {x, -x}) worst = std::max(worst, ulps(f(static_cast<float>(v)), g(static_cast<float>(v))));
  return worst;
}

double worst_double(const std::function<double(double)>& f, const std::function<long double(long double)>& g,
                    double range) {
  std::mt19937_64 random(7);
  double worst = 0;
  for (int i = 0; i < 200000; ++i) {
    const double unit = static_cast<double>(random() >> 11) * 0x1p-52 - 1;
    const double x = i % 2 ? unit * range : std::bit_cast<double>(random());
    worst = std::max(worst, ulps(f(x), g(x)));
  }
  for (double x : {0.0, 1.0, 5e-324, 2.3e-308, 1.7976931348623157e308, HUGE_VAL, std::nan("")})
    for (double v : {x, -x}) worst = std::max(worst, ulps(f(v), g(v)));
  return worst;
}

template <class T>
T exact_sigmoid(T x) {
  return x < 0 ? std::exp(x) / (1 + std::exp(x)) : 1 / (1 + std::exp(-x));
}

// musl's gives numbers below 1 too.
template <class T>
T exact_acosh(T x) {
  return x < 1 ? std::numeric_limits<T>::quiet_NaN() : std::acosh(x);
}

#define EXPECT_FLOAT_WITHIN(bound, name, exact) \
  EXPECT_LE(worst_float([](float x) { return math::name(x); }, [](double x) -> double { return exact(x); }), bound)
#define EXPECT_DOUBLE_WITHIN(bound, name, exact, range)                                 \
  EXPECT_LE(worst_double([](double x) { return math::name(x); },                        \
                         [](long double x) -> long double { return exact(x); }, range), \
            bound)

TEST(Math, FloatErrorsAreBounded) {
  EXPECT_FLOAT_WITHIN(1.0, exp, std::exp);
  EXPECT_FLOAT_WITHIN(1.0, log, std::log);
  EXPECT_FLOAT_WITHIN(0.6, sin, std::sin);
  EXPECT_FLOAT_WITHIN(0.6, cos, std::cos);
  EXPECT_FLOAT_WITHIN(3.0, tanh, std::tanh);
  EXPECT_FLOAT_WITHIN(3.0, sigmoid, exact_sigmoid);
  EXPECT_FLOAT_WITHIN(2.0, erf, std::erf);
}

TEST(Math, DoubleErrorsAreBounded) {
  EXPECT_DOUBLE_WITHIN(1.0, exp, std::exp, 750);
  EXPECT_DOUBLE_WITHIN(1.0, log, std::log, 3);
  EXPECT_DOUBLE_WITHIN(1.0, sin, std::sin, 100);
  EXPECT_DOUBLE_WITHIN(1.0, cos, std::cos, 1e6);
  EXPECT_DOUBLE_WITHIN(3.0, tanh, std::tanh, 5);
  EXPECT_DOUBLE_WITHIN(3.0, sigmoid, exact_sigmoid, 50);
  EXPECT_DOUBLE_WITHIN(2.0, erf, std::erf, 5);
}

TEST(Math, InverseErrorsAreBounded) {
  EXPECT_DOUBLE_WITHIN(3.0, tan, std::tan, 100);
  EXPECT_DOUBLE_WITHIN(3.0, asin, std::asin, 1);
  EXPECT_DOUBLE_WITHIN(3.0, acos, std::acos, 1);
  EXPECT_DOUBLE_WITHIN(3.0, atan, std::atan, 5);
  EXPECT_DOUBLE_WITHIN(3.0, sinh, std::sinh, 700);
  EXPECT_DOUBLE_WITHIN(3.0, cosh, std::cosh, 700);
  EXPECT_DOUBLE_WITHIN(4.0, asinh, std::asinh, 5);
  EXPECT_DOUBLE_WITHIN(4.0, acosh, exact_acosh, 5);
  EXPECT_DOUBLE_WITHIN(4.0, atanh, std::atanh, 1);
  EXPECT_DOUBLE_WITHIN(3.0, expm1, std::expm1, 2);
  EXPECT_DOUBLE_WITHIN(3.0, log1p, std::log1p, 2);
}

TEST(Math, PowIsWithinAnUlp) {
  std::mt19937_64 random(3);
  const auto unit = [&] { return static_cast<double>(random() >> 11) * 0x1p-52 - 1; };
  double worst_f = 0, worst_d = 0;
  for (int i = 0; i < 300000; ++i) {
    double x = i % 2 ? std::bit_cast<double>(random()) : unit() * 20;
    double y = unit() * 50;
    if (i % 3 == 0) y = std::floor(y);
    if (i % 11 == 0) {
      x = 1 + unit() * 1e-10;
      y = unit() * 1e12;
    }
    const auto xl = static_cast<long double>(x);
    worst_d = std::max(worst_d, ulps(math::pow(x, y), std::pow(xl, static_cast<long double>(y))));
    const auto xf = i % 2 ? std::bit_cast<float>(static_cast<uint32_t>(random())) : static_cast<float>(x);
    const auto yf = static_cast<float>(y);
    worst_f = std::max(worst_f, ulps(math::pow(xf, yf), std::pow(double{xf}, double{yf})));
  }
  EXPECT_LE(worst_f, 0.6);
  EXPECT_LE(worst_d, 1.0);
}

TEST(Math, PowHasTheSpecialCasesOfC) {
  const double specials[] = {0.0,
                             -0.0,
                             1.0,
                             -1.0,
                             2.0,
                             -2.0,
                             3.0,
                             -3.0,
                             0.5,
                             -0.5,
                             HUGE_VAL,
                             -HUGE_VAL,
                             NAN,
                             1e300,
                             -1e30,
                             5e-324,
                             1e-45,
                             16777215.0,
                             8388609.0,
                             9007199254740991.0,
                             -9007199254740992.0};
  for (double x : specials) {
    for (double y : specials) {
      EXPECT_LE(ulps(math::pow(x, y), std::pow(x, y)), 1) << x << " to the power of " << y;
      const auto xf = static_cast<float>(x), yf = static_cast<float>(y);
      EXPECT_LE(ulps(math::pow(xf, yf), std::pow(double{xf}, double{yf})), 1) << xf << " to the power of " << yf;
    }
  }
}

TEST(Math, SquaresArePlainProducts) {
  EXPECT_EQ(math::pow(1.1f, 2.0f), 1.1f * 1.1f);
  EXPECT_EQ(math::pow(-1.1, 2.0), -1.1 * -1.1);
}

// Recorded bits: a machine, compiler or flag that changes one breaks the promise of the header.
TEST(Math, BitsAreTheSameEverywhere) {
  const auto digest = [](auto f) {
    uint64_t hash = 14695981039346656037u;
    for (uint64_t bits = 0; bits < (uint64_t{1} << 32); bits += 1000003) {
      const auto x = std::bit_cast<float>(static_cast<uint32_t>(bits));
      const double y = f(x);
      const auto value = y != y ? uint64_t{1} : std::bit_cast<uint64_t>(y);
      hash = (hash ^ value) * 1099511628211u;
    }
    return hash;
  };
#define EXPECT_DIGESTS(name, narrow, wide)                                            \
  EXPECT_EQ(digest([](float x) { return double{math::name(x)}; }), uint64_t{narrow}); \
  EXPECT_EQ(digest([](float x) { return math::name(double{x} * 1.0000001); }), uint64_t{wide})
  EXPECT_DIGESTS(exp, 0x82b770869bbfab07, 0xc3a6e1a4990e74ec);
  EXPECT_DIGESTS(log, 0x74d3cc9abc63a46a, 0x8c26dd83e756569f);
  EXPECT_DIGESTS(sin, 0x3217a2299bbfab07, 0x2fb25bc4644f93b9);
  EXPECT_DIGESTS(cos, 0xe7487274bbbfab07, 0xd60e4686fa7d97bb);
  EXPECT_DIGESTS(tanh, 0x570553f21bbfab07, 0x71f96bf2f08157dc);
  EXPECT_DIGESTS(sigmoid, 0xf9c147873bbfab07, 0x8ede88dad7e5cc79);
  EXPECT_DIGESTS(erf, 0x5731ea9d1bbfab07, 0xb0b44391342ab2a7);
#undef EXPECT_DIGESTS
  EXPECT_EQ(digest([](float x) { return double{math::pow(x, 1.7f)}; }), uint64_t{0x3822b0a97c63a46a});
  EXPECT_EQ(digest([](float x) { return math::pow(double{x}, 1.7); }), uint64_t{0x3e0e850a1ad93f9e});
}

}  // namespace
}  // namespace onemodel

// sin and cos of a double, for any argument.

#include <cmath>
#include <initializer_list>

#include "core/math.h"

namespace onemodel::math {
namespace {

using detail::polynomial;

/// x = quadrant pi/2 + high + low, |high| <= about pi/4.
struct Reduced {
  double high, low;
  int64_t quadrant;
};

/// pi/2 in three parts of 33 bits, whose products with n are exact, and a rest (fdlibm).
/// For |x| < 2^20.
Reduced reduce_small(double x) {
  const double shifted = x * 0x1.45f306dc9c883p-1 + detail::kRoundDouble;
  const double n = shifted - detail::kRoundDouble;
  double high = x - n * 0x1.921fb544p+0;
  double low = -n * 0x1.b839a252049c1p-104;
  for (double part : {0x1.0b4611a6p-34, 0x1.3198a2ep-69}) {
    const double w = -n * part;
    const double s = high + w;
    const double t = s - high;
    low += (high - (s - t)) + (w - t);
    high = s;
  }
  const double y = high + low;
  return {y, (high - y) + low, std::bit_cast<int64_t>(shifted)};
}

/// 2/pi, the most significant word first.
constexpr uint32_t kTwoOverPi[] = {0xa2f9836e, 0x4e441529, 0xfc2757d1, 0xf534ddc0, 0xdb629599, 0x3c439041, 0xfe5163ab,
                                   0xdebbc561, 0xb7246e3a, 0x424dd2e0, 0x06492eea, 0x09d1921c, 0xfe1deb1c, 0xb129a73e,
                                   0xe88235f5, 0x2ebb4484, 0xe99c7026, 0xb45f7e41, 0x3991d639, 0x835339f4, 0x9c845f8b,
                                   0xbdf9283b, 0x1ff897ff, 0xde05980f, 0xef2f118b, 0x5a0a6d1f, 0x6d367ecf, 0x27cb09b7,
                                   0x4f463f66, 0x9e5fea2d, 0x7527bac7, 0xebe5f17b, 0x3d0739f7, 0x8a5292ea, 0x6bfb5fb1,
                                   0x1f8d5d08, 0x56033046, 0xfc7b6bab};

/// 32 bits of 2/pi from bit `position` on; bit 0 has the weight 1/2, those before it are 0.
uint32_t two_over_pi(int position) {
  const int word = position >> 5, shift = position & 31;
  const uint64_t high = word < 0 ? 0 : kTwoOverPi[word];
  const uint64_t low = word + 1 < 0 ? 0 : kTwoOverPi[word + 1];
  return static_cast<uint32_t>(((high << 32 | low) << shift) >> 32);
}

/// Payne and Hanek: only those bits of 2/pi whose product with x can be seen modulo 4 are
/// multiplied. For finite |x| >= 2^19.
Reduced reduce_large(double x) {
  const auto bits = std::bit_cast<uint64_t>(x) & 0x7fffffffffffffff;
  const uint64_t mantissa = (bits & 0xfffffffffffff) | 0x10000000000000;
  const int exponent = static_cast<int>(bits >> 52) - 1075;  // |x| = mantissa 2^exponent
  // product[0].product[1] … in units of 2^32: mantissa times bits exponent - 34 and on of 2/pi,
  // so that the whole part modulo 4 lies in the top of word 2.
  constexpr int kWords = 7;
  uint32_t product[kWords + 2] = {};
  for (int half = 0; half < 2; ++half) {
    const uint64_t factor = half ? mantissa >> 32 : mantissa & 0xffffffff;
    uint64_t carry = 0;
    for (int i = kWords; i-- > 0;) {
      uint32_t& place = product[i + 2 - half];
      carry += factor * two_over_pi(exponent - 2 + 32 * i) + place;
      place = static_cast<uint32_t>(carry);
      carry >>= 32;
    }
    if (half == 0) product[1] = static_cast<uint32_t>(carry);
  }
  uint64_t top = uint64_t{product[2]} << 32 | product[3];
  uint64_t next = uint64_t{product[4]} << 32 | product[5];
  auto quadrant = static_cast<int64_t>(top >> 62);
  top = top << 2 | next >> 62;
  next = next << 2 | product[6] >> 30;
  const bool upper = (top >> 63) != 0;  // fraction >= 1/2: from the quadrant above
  if (upper) {
    ++quadrant;
    next = ~next;
    top = ~top;
  }
  const double sign = upper != std::signbit(x) ? -1.0 : 1.0;
  // Three pieces that doubles hold exactly, then times pi/2 in two parts.
  const double a = static_cast<double>(top >> 32) * 0x1p-32;
  const double b = static_cast<double>((top & 0xffffffff) << 20 | next >> 44) * 0x1p-84;
  const double c = static_cast<double>(next & 0xfffffffffff) * 0x1p-128;
  const double fraction = a + b;
  const double rest = (b - (fraction - a)) + c;
  constexpr double kPi2Top = 0x1.921fb54p+0, kPi2Middle = 0x1.10b4611a62633p-30;
  const double cut = std::bit_cast<double>(std::bit_cast<uint64_t>(fraction) & ~uint64_t{0x7ffffff});
  const double main = cut * kPi2Top;
  const double minor = (fraction - cut) * kPi2Top + (fraction * kPi2Middle + rest * 0x1.921fb54442d18p+0);
  const double high = main + minor;
  const double low = minor - (high - main);
  return {sign * high, sign * low, std::signbit(x) ? -quadrant : quadrant};
}

/// sin(x + quarter pi/2), by fdlibm's kernels on [-pi/4, pi/4].
double sine(double x, int64_t quarter) {
  const double magnitude = std::fabs(x);
  if (!(magnitude < std::numeric_limits<double>::infinity())) return x - x;
  if (magnitude < 0x1p-27) return quarter ? 1.0 : x;
  const Reduced reduced = magnitude < 0x1p20 ? reduce_small(x) : reduce_large(x);
  const auto [r, low, whole] = reduced;
  const int64_t quadrant = whole + quarter;
  const double z = r * r;
  double value;
  if (quadrant & 1) {
    const double p = polynomial(z, 0x1.555555555554bp-5, -0x1.6c16c16c15014p-10, 0x1.a01a019c8efaep-16,
                                -0x1.27e4f7f169319p-22, 0x1.1ee9dbae966b9p-29, -0x1.8fa671895f35dp-37);
    const double half = 0.5 * z;
    const double w = 1.0 - half;
    value = w + (((1.0 - w) - half) + (z * z * p - r * low));
  } else {
    const double p = polynomial(z, -0x1.5555555555549p-3, 0x1.111111110f8a5p-7, -0x1.a01a019c15e6cp-13,
                                0x1.71de357ae4090p-19, -0x1.ae5e686c48be7p-26, 0x1.5d93941a25f62p-33);
    value = r + ((low - 0.5 * z * low) + z * r * p);
  }
  return quadrant & 2 ? -value : value;
}

}  // namespace

double sin(double x) { return sine(x, 0); }
double cos(double x) { return sine(x, 1); }

}  // namespace onemodel::math

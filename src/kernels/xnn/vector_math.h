#pragma once
// Transcendental functions of eight floats: shorter than core/math.h, with fused multiply-adds, and not the same bits
// on every machine. Within a few units in the last place; NaN gives NaN. For the sources of this folder only.

#include "kernels/xnn/simd.h"

namespace onemodel::kernels::xnn {

OM_SIMD_BEGIN

/// `x` eight times. V8 makes a vector constant anew at each use, from two integers: one that the compiler cannot see is
/// kept in a register or reloaded from the stack instead.
OM_INLINE F8 constant8(float x) {
#ifdef __wasm__
  asm("" : "+r"(x));
#endif
  return splat8(x);
}
OM_INLINE I8 constant8(int32_t x) {
#ifdef __wasm__
  asm("" : "+r"(x));
#endif
  return I8{x, x, x, x, x, x, x, x};
}

OM_INLINE F8 absolute8(F8 x) { return (F8)((I8)x & constant8(0x7fffffff)); }

/// Coefficients from the highest power down.
template <class... Rest>
OM_INLINE F8 polynomial8(F8 x, float highest, Rest... rest) {
  F8 y = constant8(highest);
  ((y = multiply_add(y, x, constant8(rest))), ...);
  return y;
}

/// e^x = 2^n (1 + m), as in core/math.h.
struct ExpParts8 {
  F8 m;
  I8 n;
};
OM_INLINE ExpParts8 exp_parts8(F8 x) {
  const F8 round = constant8(0x1.8p23f);
  const F8 shifted = multiply_add(x, constant8(0x1.715476p+0f), round);
  const F8 n = shifted - round;
  const F8 r = multiply_add(n, constant8(0x1.bd0106p-13f), multiply_add(n, constant8(-0x1.63p-1f), x));
  const F8 p = polynomial8(r, 0x1.6a23eap-10f, 0x1.123a2p-7f, 0x1.5558f2p-5f, 0x1.555492p-3f, 0x1.fffffcp-2f);
  return {multiply_add(r * r, p, r), (I8)shifted - (I8)round};
}
OM_INLINE F8 two_to8(I8 n) { return (F8)((n + constant8(127)) << 23); }

OM_INLINE F8 exp8(F8 x) {
  const ExpParts8 e = exp_parts8(clamp(x, constant8(-104.0f), constant8(89.0f)));
  const I8 half = e.n >> 1;  // in two steps, for results that are subnormal or just below infinity
  return (constant8(1.0f) + e.m) * two_to8(half) * two_to8(e.n - half);
}

/// e^x for x <= 0, zero where it would be subnormal.
OM_INLINE F8 exp_negative8(F8 x) {
  const F8 low = constant8(-87.0f);
  const ExpParts8 e = exp_parts8(x < low ? low : x);
  const F8 y = (constant8(1.0f) + e.m) * two_to8(e.n);
  return x < low ? F8{} : y;
}

/// e^x - 1 for x <= 0.
OM_INLINE F8 exp_minus_one8(F8 x) {
  const F8 low = constant8(-30.0f);
  const ExpParts8 e = exp_parts8(x < low ? low : x);
  const F8 scale = two_to8(e.n);
  return multiply_add(e.m, scale, scale - constant8(1.0f));
}

OM_INLINE F8 sigmoid8(F8 x) {
  const F8 one = constant8(1.0f), e = exp_negative8(-absolute8(x));
  return (x < F8{} ? e : one) / (one + e);
}

/// E / (E + 2) with E = e^2|x| - 1.
OM_INLINE F8 tanh8(F8 x) {
  const F8 high = constant8(10.0f), magnitude = absolute8(x);
  const F8 a = magnitude > high ? high : magnitude;
  const ExpParts8 parts = exp_parts8(a + a);
  const F8 scale = two_to8(parts.n);
  const F8 e = multiply_add(parts.m, scale, scale - constant8(1.0f));
  return (F8)((I8)(e / (e + constant8(2.0f))) | ((I8)x & constant8(INT32_MIN)));
}

/// x P(x^2) / Q(x^2), the fit that Eigen and XLA use; +-1 where it is nearer.
OM_INLINE F8 erf8(F8 x) {
  const F8 limit = constant8(3.8325f), one = constant8(1.0f);
  const F8 inside = clamp(x, -limit, limit), z = inside * inside;
  const F8 p =
      polynomial8(z, -2.72614225801306e-10f, 2.77068142495902e-08f, -2.10102402082508e-06f, -5.69250639462346e-05f,
                  -7.34990630326855e-04f, -2.95459980854025e-03f, -1.60960333262415e-02f);
  const F8 q = polynomial8(z, -1.45660718464996e-05f, -2.13374055278905e-04f, -1.68282697438203e-03f,
                           -7.37332916720468e-03f, -1.42647390514189e-02f);
  const F8 y = inside * p / q;
  return x >= limit ? one : x <= -limit ? -one : y;
}

/// As core/math.h: x = 2^k (1 + f), s = f / (2 + f), log(1 + f) = f - f^2/2 + s (f^2/2 + s^2 R(s^2)).
OM_INLINE F8 log8(F8 x) {
  const I8 subnormal = x < constant8(0x1p-126f);
  const I8 bits = (I8)(subnormal ? x * constant8(0x1p23f) : x) & constant8(INT32_MAX);
  const I8 exponent = (bits - constant8(0x3f3504f3)) >> 23;
  const F8 f = (F8)(bits - (exponent << 23)) - constant8(1.0f);
  // an integer below 2^22 as a float: added to the bits of 1.5 * 2^23
  const F8 k = (F8)(exponent + constant8(0x4b400000)) - (subnormal ? constant8(0x1.8p23f + 23) : constant8(0x1.8p23f));
  const F8 s = f / (constant8(2.0f) + f), z = s * s, half = constant8(0.5f) * f * f;
  const F8 tail = z * polynomial8(z, 0x1.f13bdcp-3f, 0x1.23d3ep-2f, 0x1.999c26p-2f, 0x1.555554p-1f);
  F8 y = multiply_add(s, half + tail, k * constant8(0x1.2fefa4p-17f)) - half + f;
  y = multiply_add(k, constant8(0x1.62e3p-1f), y);
  const F8 infinity = constant8(std::numeric_limits<float>::infinity());
  y = x < infinity ? y : x;
  y = x == F8{} ? -infinity : y;
  return x < F8{} ? constant8(std::numeric_limits<float>::quiet_NaN()) : y;
}

OM_SIMD_END

}  // namespace onemodel::kernels::xnn

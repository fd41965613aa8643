#include "kernels/portable/half.h"

#include <bit>

#include "kernels/portable/loops.h"

namespace onemodel::kernels {
namespace {

float float_of_half(uint32_t bits) {
  const uint32_t magnitude = (bits & 0x7fffu) << 13;
  const uint32_t exponent = magnitude & 0x0f800000u;
  const uint32_t special = magnitude + (exponent == 0x0f800000u ? 0x70000000u : 0x38000000u);
  // a subnormal m 2^-24 is 2^-14 (1 + m 2^-10) less 2^-14
  const float subnormal = std::bit_cast<float>(magnitude + 0x38800000u) - 0x1p-14f;
  const uint32_t value = exponent == 0 ? std::bit_cast<uint32_t>(subnormal) : special;
  return std::bit_cast<float>(value | (bits & 0x8000u) << 16);
}

Float16 half_of_float(float x) {
  const auto bits = std::bit_cast<uint32_t>(x);
  const uint32_t magnitude = bits & 0x7fffffffu;
  const uint32_t normal = (magnitude - 0x38000000u + 0xfffu + ((magnitude >> 13) & 1u)) >> 13;
  // the float adder rounds a subnormal at the right bit
  const uint32_t subnormal = std::bit_cast<uint32_t>(std::bit_cast<float>(magnitude) + 0.5f) - 0x3f000000u;
  uint32_t half = magnitude < 0x38800000u ? subnormal : normal;
  half = magnitude >= 0x477ff000u ? 0x7c00u : half;
  half = magnitude > 0x7f800000u ? (0x7e00u | ((magnitude >> 13) & 0x1ffu)) : half;
  Float16 out;
  out.bits = static_cast<uint16_t>(half | (bits >> 16 & 0x8000u));
  return out;
}

BFloat16 bfloat_of_float(float x) {
  const auto bits = std::bit_cast<uint32_t>(x);
  const uint32_t rounded = (bits + 0x7fffu + (bits >> 16 & 1u)) >> 16;
  BFloat16 out;
  out.bits = static_cast<uint16_t>((bits & 0x7fffffffu) > 0x7f800000u ? (bits >> 16 | 0x40u) : rounded);
  return out;
}

}  // namespace

void widen(const Float16* x, int64_t count, float* y) {
  map(x, y, count, [](Float16 v) { return float_of_half(v.bits); });
}

void widen(const BFloat16* x, int64_t count, float* y) {
  map(x, y, count, [](BFloat16 v) { return std::bit_cast<float>(uint32_t{v.bits} << 16); });
}

void narrow(const float* x, int64_t count, Float16* y) {
  map(x, y, count, [](float v) { return half_of_float(v); });
}

void narrow(const float* x, int64_t count, BFloat16* y) {
  map(x, y, count, [](float v) { return bfloat_of_float(v); });
}

}  // namespace onemodel::kernels

#include "core/dtype.h"

namespace onemodel {
namespace {

struct Entry {
  DType dtype;
  uint8_t bits;
  std::string_view name;
};

constexpr Entry kEntries[] = {
    {DType::f32, 32, "float32"},
    {DType::f64, 64, "float64"},
    {DType::f16, 16, "float16"},
    {DType::bf16, 16, "bfloat16"},
    {DType::i8, 8, "int8"},
    {DType::i16, 16, "int16"},
    {DType::i32, 32, "int32"},
    {DType::i64, 64, "int64"},
    {DType::u8, 8, "uint8"},
    {DType::u16, 16, "uint16"},
    {DType::u32, 32, "uint32"},
    {DType::u64, 64, "uint64"},
    {DType::boolean, 8, "bool"},
    {DType::string, 32, "string"},
    {DType::f8e4m3fn, 8, "float8e4m3fn"},
    {DType::f8e4m3fnuz, 8, "float8e4m3fnuz"},
    {DType::f8e5m2, 8, "float8e5m2"},
    {DType::f8e5m2fnuz, 8, "float8e5m2fnuz"},
    {DType::u4, 4, "uint4"},
    {DType::i4, 4, "int4"},
    {DType::f4e2m1, 4, "float4e2m1"},
    {DType::f8e8m0, 8, "float8e8m0"},
    {DType::u2, 2, "uint2"},
    {DType::i2, 2, "int2"},
};

const Entry* find(DType dtype) {
  for (const Entry& entry : kEntries)
    if (entry.dtype == dtype) return &entry;
  return nullptr;
}

}  // namespace

size_t dtype_size(DType dtype) { return (packed_bits(dtype) + 7) / 8; }

size_t packed_bits(DType dtype) {
  const Entry* entry = find(dtype);
  return entry ? entry->bits : 0;
}

std::string_view dtype_name(DType dtype) {
  const Entry* entry = find(dtype);
  return entry ? entry->name : "undefined";
}

DType dtype_from_name(std::string_view name) {
  for (const Entry& entry : kEntries)
    if (entry.name == name) return entry.dtype;
  return DType::undefined;
}

void refuse_arithmetic(DType dtype) {
  if (dtype == DType::undefined) throw DTypeError("a tensor without element type was used");
  throw DTypeError(concat("there is no arithmetic on ", dtype, " elements; they can be moved and cast"));
}

Float16::Float16(float value) {
  const auto x = std::bit_cast<uint32_t>(value);
  const uint32_t sign = (x >> 16) & 0x8000u;
  const uint32_t magnitude = x & 0x7fffffffu;
  uint32_t half;
  if (magnitude > 0x7f800000u) {
    half = 0x7e00u | ((magnitude >> 13) & 0x1ffu);
  } else if (magnitude >= 0x477ff000u) {  // rounds to infinity
    half = 0x7c00u;
  } else if (magnitude < 0x38800000u) {  // subnormal: the float adder rounds at the right bit
    const float shifted = std::bit_cast<float>(magnitude) + 0.5f;
    half = std::bit_cast<uint32_t>(shifted) - 0x3f000000u;
  } else {
    const uint32_t odd = (magnitude >> 13) & 1u;
    half = (magnitude - 0x38000000u + 0xfffu + odd) >> 13;
  }
  bits = static_cast<uint16_t>(sign | half);
}

Float16::operator float() const {
  const uint32_t sign = (bits & 0x8000u) << 16;
  const uint32_t exponent = (bits >> 10) & 0x1fu;
  const uint32_t mantissa = bits & 0x3ffu;
  if (exponent == 0) {
    const float magnitude = static_cast<float>(mantissa) * 0x1p-24f;
    return std::bit_cast<float>(std::bit_cast<uint32_t>(magnitude) | sign);
  }
  const uint32_t biased = exponent == 31 ? 0xffu : exponent + 112u;
  return std::bit_cast<float>(sign | (biased << 23) | (mantissa << 13));
}

BFloat16::BFloat16(float value) {
  const auto x = std::bit_cast<uint32_t>(value);
  if ((x & 0x7fffffffu) > 0x7f800000u)
    bits = static_cast<uint16_t>((x >> 16) | 0x40u);
  else
    bits = static_cast<uint16_t>((x + 0x7fffu + ((x >> 16) & 1u)) >> 16);
}

BFloat16::operator float() const { return std::bit_cast<float>(uint32_t{bits} << 16); }

}  // namespace onemodel

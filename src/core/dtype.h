#pragma once
// Element types, numbered as in ONNX's TensorProto.DataType.

#include <array>
#include <bit>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <type_traits>

#include "core/error.h"

namespace onemodel {

enum class DType : uint8_t {
  undefined = 0,
  f32 = 1,
  u8 = 2,
  i8 = 3,
  u16 = 4,
  i16 = 5,
  i32 = 6,
  i64 = 7,
  string = 8,
  boolean = 9,
  f16 = 10,
  f64 = 11,
  u32 = 12,
  u64 = 13,
  bf16 = 16,
  f8e4m3fn = 17,
  f8e4m3fnuz = 18,
  f8e5m2 = 19,
  f8e5m2fnuz = 20,
  u4 = 21,
  i4 = 22,
  f4e2m1 = 23,
  f8e8m0 = 24,
  u2 = 25,
  i2 = 26,
};

/// The types of arithmetic.
inline constexpr std::array kAllDTypes = {DType::f32, DType::f64, DType::f16,    DType::bf16, DType::i8,
                                          DType::i16, DType::i32, DType::i64,    DType::u8,   DType::u16,
                                          DType::u32, DType::u64, DType::boolean};
/// The types whose elements are only stored, moved and converted: text (core/strings.h), and numbers of at most 8 bits
/// (core/small_number.h).
inline constexpr std::array kStorageDTypes = {DType::string,     DType::f8e4m3fn, DType::f8e4m3fnuz, DType::f8e5m2,
                                              DType::f8e5m2fnuz, DType::u4,       DType::i4,         DType::f4e2m1,
                                              DType::f8e8m0,     DType::u2,       DType::i2};

/// IEEE binary16, stored as bits; arithmetic goes through float. Rounds to nearest even.
struct Float16 {
  uint16_t bits = 0;
  Float16() = default;
  explicit Float16(float value);
  explicit operator float() const;
  friend bool operator==(Float16 a, Float16 b) { return float(a) == float(b); }
};

/// bfloat16: the upper half of a float. Rounds to nearest even.
struct BFloat16 {
  uint16_t bits = 0;
  BFloat16() = default;
  explicit BFloat16(float value);
  explicit operator float() const;
  friend bool operator==(BFloat16 a, BFloat16 b) { return float(a) == float(b); }
};

/// Bytes of one element in memory: a whole one for types of 2 and 4 bits. 0 when `dtype` is no element type.
size_t dtype_size(DType dtype);
/// Bits of one element in an ONNX file, which packs elements of less than 8.
size_t packed_bits(DType dtype);
/// "float32", "int64", "bool", …; "undefined" for none.
std::string_view dtype_name(DType dtype);
/// The dtype of that name, or DType::undefined.
DType dtype_from_name(std::string_view name);
constexpr bool is_floating(DType d) {
  return d == DType::f32 || d == DType::f64 || d == DType::f16 || d == DType::bf16;
}
constexpr bool is_signed_integer(DType d) {
  return d == DType::i8 || d == DType::i16 || d == DType::i32 || d == DType::i64;
}
constexpr bool is_unsigned_integer(DType d) {
  return d == DType::u8 || d == DType::u16 || d == DType::u32 || d == DType::u64;
}
constexpr bool is_integer(DType d) { return is_signed_integer(d) || is_unsigned_integer(d); }
constexpr bool is_numeric(DType d) { return is_floating(d) || is_integer(d); }

/// A number of at most 8 bits that has no arithmetic.
constexpr bool is_small(DType d) { return d >= DType::f8e4m3fn && d <= DType::i2; }
constexpr bool is_small_integer(DType d) {
  return d == DType::u4 || d == DType::i4 || d == DType::u2 || d == DType::i2;
}

inline void append(std::string& out, DType dtype) { out += dtype_name(dtype); }

template <class T>
struct DTypeOf;
template <>
struct DTypeOf<float> : std::integral_constant<DType, DType::f32> {};
template <>
struct DTypeOf<double> : std::integral_constant<DType, DType::f64> {};
template <>
struct DTypeOf<Float16> : std::integral_constant<DType, DType::f16> {};
template <>
struct DTypeOf<BFloat16> : std::integral_constant<DType, DType::bf16> {};
template <>
struct DTypeOf<int8_t> : std::integral_constant<DType, DType::i8> {};
template <>
struct DTypeOf<int16_t> : std::integral_constant<DType, DType::i16> {};
template <>
struct DTypeOf<int32_t> : std::integral_constant<DType, DType::i32> {};
template <>
struct DTypeOf<int64_t> : std::integral_constant<DType, DType::i64> {};
template <>
struct DTypeOf<uint8_t> : std::integral_constant<DType, DType::u8> {};
template <>
struct DTypeOf<uint16_t> : std::integral_constant<DType, DType::u16> {};
template <>
struct DTypeOf<uint32_t> : std::integral_constant<DType, DType::u32> {};
template <>
struct DTypeOf<uint64_t> : std::integral_constant<DType, DType::u64> {};
template <>
struct DTypeOf<bool> : std::integral_constant<DType, DType::boolean> {};
template <class T>
inline constexpr DType dtype_of = DTypeOf<T>::value;

template <class T>
struct TypeTag {
  using type = T;
};

/// Throws DTypeError: there is no arithmetic on `dtype`.
[[noreturn]] void refuse_arithmetic(DType dtype);

/// Calls `f(TypeTag<T>{})` with the C++ type of `dtype`, one of kAllDTypes; throws DTypeError for others.
template <class F>
decltype(auto) visit_dtype(DType dtype, F&& f) {
  switch (dtype) {
    case DType::f32: return f(TypeTag<float>{});
    case DType::f64: return f(TypeTag<double>{});
    case DType::f16: return f(TypeTag<Float16>{});
    case DType::bf16: return f(TypeTag<BFloat16>{});
    case DType::i8: return f(TypeTag<int8_t>{});
    case DType::i16: return f(TypeTag<int16_t>{});
    case DType::i32: return f(TypeTag<int32_t>{});
    case DType::i64: return f(TypeTag<int64_t>{});
    case DType::u8: return f(TypeTag<uint8_t>{});
    case DType::u16: return f(TypeTag<uint16_t>{});
    case DType::u32: return f(TypeTag<uint32_t>{});
    case DType::u64: return f(TypeTag<uint64_t>{});
    case DType::boolean: return f(TypeTag<bool>{});
    default: refuse_arithmetic(dtype);
  }
}

/// `value` as a `To`: like static_cast, but defined for every value. Floating to integer truncates toward zero,
/// saturates, and takes NaN to 0; anything to bool is `!= 0`.
template <class To, class From>
To convert(From value) {
  if constexpr (std::is_same_v<To, From>) {
    return value;
  } else if constexpr (std::is_same_v<From, Float16> || std::is_same_v<From, BFloat16>) {
    return convert<To>(static_cast<float>(value));
  } else if constexpr (std::is_same_v<To, bool>) {
    return value != From(0);
  } else if constexpr (std::is_same_v<To, Float16> || std::is_same_v<To, BFloat16>) {
    return To(static_cast<float>(value));
  } else if constexpr (std::is_integral_v<To> && std::is_floating_point_v<From>) {
    if (value != value) return 0;
    constexpr auto lowest = static_cast<From>(std::numeric_limits<To>::min());
    constexpr auto highest = static_cast<From>(std::numeric_limits<To>::max());
    if (value <= lowest) return std::numeric_limits<To>::min();
    if (value >= highest) return std::numeric_limits<To>::max();
    return static_cast<To>(value);
  } else {
    return static_cast<To>(value);
  }
}

}  // namespace onemodel

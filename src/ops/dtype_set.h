#pragma once
// Sets of element types by the name that error messages give them.

#include <string_view>

#include "ops/infer.h"

namespace onemodel {

struct DTypeSet {
  bool (*has)(DType);
  std::string_view name;
};

inline constexpr DTypeSet kFloating{is_floating, "a floating-point type"};
inline constexpr DTypeSet kNumeric{is_numeric, "a numeric type"};
inline constexpr DTypeSet kNumericOrBool{[](DType d) { return is_numeric(d) || d == DType::boolean; },
                                         "a numeric type or bool"};
inline constexpr DTypeSet kInteger{is_integer, "an integer type"};
inline constexpr DTypeSet kUnsigned{[](DType d) { return is_integer(d) && !is_signed_integer(d); },
                                    "an unsigned integer type"};
inline constexpr DTypeSet kSigned{[](DType d) { return is_floating(d) || is_signed_integer(d); },
                                  "a floating-point or signed integer type"};
/// What matrix products take.
inline constexpr DTypeSet kProduct{
    [](DType d) { return is_floating(d) || d == DType::i32 || d == DType::i64 || d == DType::u32 || d == DType::u64; },
    "a floating-point, 32-bit or 64-bit integer type"};

/// Throws DTypeError unless input `i`, when present, is in `set`.
inline void check_in(const InferContext& context, size_t i, const DTypeSet& set) {
  if (context.has(i)) context.check_dtype(set.has(context.dtype(i)), i, set.name);
}

}  // namespace onemodel

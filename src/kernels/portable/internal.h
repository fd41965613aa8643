#pragma once
// What the portable kernels share among themselves.

#include <cassert>
#include <concepts>
#include <cstdint>
#include <memory>
#include <string_view>
#include <type_traits>

#include "core/dims.h"
#include "core/dtype.h"
#include "kernels/thread_pool.h"

namespace onemodel::kernels {

template <class T>
concept Half = std::same_as<T, Float16> || std::same_as<T, BFloat16>;
template <class T>
concept Real = std::same_as<T, float> || std::same_as<T, double>;
template <class T>
concept Floating = Half<T> || Real<T>;
template <class T>
concept Integer = std::integral<T> && !std::same_as<T, bool>;
template <class T>
concept Numeric = Floating<T> || Integer<T>;

/// What T is computed in: float for the 16-bit types, else itself.
template <class T>
using Compute = std::conditional_t<Half<T>, float, T>;

/// An unsigned type in which arithmetic on T wraps, without promotion to int.
template <Integer T>
using Wrapping = std::conditional_t<sizeof(T) == 8, uint64_t, uint32_t>;

template <class T>
T wrapping_add(T a, T b) {
  if constexpr (Integer<T>)
    return static_cast<T>(static_cast<Wrapping<T>>(a) + static_cast<Wrapping<T>>(b));
  else
    return a + b;
}

template <class T>
T wrapping_sub(T a, T b) {
  if constexpr (Integer<T>)
    return static_cast<T>(static_cast<Wrapping<T>>(a) - static_cast<Wrapping<T>>(b));
  else
    return a - b;
}

template <class T>
T wrapping_mul(T a, T b) {
  if constexpr (Integer<T>)
    return static_cast<T>(static_cast<Wrapping<T>>(a) * static_cast<Wrapping<T>>(b));
  else
    return a * b;
}

[[noreturn]] inline void unsupported(std::string_view kernel, DType dtype) {
  throw DTypeError(concat(kernel, " does not take ", dtype));
}

/// Memory for `count` elements, without values.
template <class T>
std::unique_ptr<T[]> scratch(int64_t count) {
  return std::make_unique_for_overwrite<T[]>(static_cast<size_t>(count));
}

/// Calls `f(TypeTag<U>{})` with an unsigned type of `item` bytes: 1, 2, 4 or 8.
template <class F>
decltype(auto) with_item(size_t item, F&& f) {
  switch (item) {
    case 1: return f(TypeTag<uint8_t>{});
    case 2: return f(TypeTag<uint16_t>{});
    case 4: return f(TypeTag<uint32_t>{});
    default: assert(item == 8); return f(TypeTag<uint64_t>{});
  }
}

/// Calls `body(begin, end)` over ranges that cover [0, count), on the process-wide pool.
template <class Body>
void parallel(int64_t count, int64_t grain, const Body& body) {
  if (count <= 0) return;
  thread_pool().parallel_for(
      static_cast<size_t>(count), static_cast<size_t>(grain < 1 ? 1 : grain),
      [&](size_t begin, size_t end) { body(static_cast<int64_t>(begin), static_cast<int64_t>(end)); });
}

/// How many items make a job worth a thread, when one item costs `cost` simple operations.
inline int64_t grain_for(int64_t cost) { return 32768 / (cost < 1 ? 1 : cost) + 1; }

}  // namespace onemodel::kernels

// clang-format off
#define OM_FOR_EACH_TYPE(X) /* X(type) for all 13 */                                                              \
  X(float)                                                                                                         \
  X(double)                                                                                                        \
  X(::onemodel::Float16) X(::onemodel::BFloat16) X(int8_t) X(int16_t) X(int32_t) X(int64_t) X(uint8_t) X(uint16_t) \
      X(uint32_t) X(uint64_t) X(bool)

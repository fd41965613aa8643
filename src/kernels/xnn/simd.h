#pragma once
// Eight floats at a time for the loops that are our own: two SSE or wasm vectors, or one of AVX.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <limits>

#include "kernels/thread_pool.h"

// Between these two, functions are compiled for AVX2 whatever the build's own target is; `initialize` refuses machines
// without it. No header may be included between them: its inline functions would be compiled so for everyone.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
#define OM_SIMD_BEGIN _Pragma("GCC push_options") _Pragma("GCC target(\"avx2,fma\")")
#define OM_SIMD_END _Pragma("GCC pop_options")
#else
#define OM_SIMD_BEGIN
#define OM_SIMD_END
#endif
// Before a loop whose iterations do not depend on each other even when the output is the input.
#ifdef __clang__
#define OM_INDEPENDENT _Pragma("clang loop vectorize(assume_safety)")
#else
#define OM_INDEPENDENT _Pragma("GCC ivdep")
#endif
#define OM_INLINE [[gnu::always_inline]] inline

namespace onemodel::kernels::xnn {

OM_SIMD_BEGIN

using F8 = float __attribute__((vector_size(32), aligned(4), may_alias));
using F4 = float __attribute__((vector_size(16), aligned(4), may_alias));
using I8 = int32_t __attribute__((vector_size(32), aligned(4), may_alias));

constexpr size_t to_size(int64_t n) { return static_cast<size_t>(n); }

OM_INLINE F8 load8(const float* p) { return *reinterpret_cast<const F8*>(p); }
OM_INLINE void store8(float* p, F8 v) { *reinterpret_cast<F8*>(p) = v; }
OM_INLINE F4 load4(const float* p) { return *reinterpret_cast<const F4*>(p); }
OM_INLINE void store4(float* p, F4 v) { *reinterpret_cast<F4*>(p) = v; }
OM_INLINE F8 splat8(float x) { return F8{x, x, x, x, x, x, x, x}; }
/// The first `count` of eight, or all when `count` is larger; zero behind them.
OM_INLINE F8 load_some(const float* p, size_t count) {
  if (count >= 8) return load8(p);
  F8 v{};
  std::memcpy(&v, p, count * sizeof(float));
  return v;
}
OM_INLINE void store_some(float* p, F8 v, size_t count) {
  if (count >= 8) return store8(p, v);
  std::memcpy(p, &v, count * sizeof(float));
}
OM_INLINE F8 select(I8 mask, F8 yes, F8 no) { return mask ? yes : no; }

/// a * b + c, fused where the machine has it.
OM_INLINE F4 multiply_add(F4 a, F4 b, F4 c) {
#ifdef __wasm_relaxed_simd__
  return __builtin_wasm_relaxed_madd_f32x4(a, b, c);
#else
  return a * b + c;
#endif
}
OM_INLINE F8 multiply_add(F8 a, F8 b, F8 c) {
#ifdef __wasm_relaxed_simd__
  const F4 low = multiply_add(__builtin_shufflevector(a, a, 0, 1, 2, 3), __builtin_shufflevector(b, b, 0, 1, 2, 3),
                              __builtin_shufflevector(c, c, 0, 1, 2, 3));
  const F4 high = multiply_add(__builtin_shufflevector(a, a, 4, 5, 6, 7), __builtin_shufflevector(b, b, 4, 5, 6, 7),
                               __builtin_shufflevector(c, c, 4, 5, 6, 7));
  return __builtin_shufflevector(low, high, 0, 1, 2, 3, 4, 5, 6, 7);
#else
  return a * b + c;
#endif
}

OM_INLINE float sum(F8 v) { return ((v[0] + v[4]) + (v[2] + v[6])) + ((v[1] + v[5]) + (v[3] + v[7])); }

// Of the bounds and a NaN, the NaN is kept.
template <class Vector>
OM_INLINE Vector clamp(Vector v, Vector low, Vector high) {
  v = v < low ? low : v;
  return v > high ? high : v;
}

OM_SIMD_END

/// `body(begin, end)` over [0, count) on the pool; unlike a bare lambda, `body` is never copied to the heap.
template <class Body>
void parallel(size_t count, size_t grain, const Body& body) {
  thread_pool().parallel_for(count, grain, std::cref(body));
}

}  // namespace onemodel::kernels::xnn

#pragma once
// The inner loops: over arrays that do not overlap, so that they vectorise without a check.

#include <cstdint>

namespace onemodel::kernels {

/// y = f(x).
template <class X, class Y, class F>
inline void map(const X* __restrict x, Y* __restrict y, int64_t count, F f) {
  for (int64_t i = 0; i < count; ++i) y[i] = f(x[i]);
}

/// y = f(a, b); a and b may be the same.
template <class A, class B, class Y, class F>
inline void zip(const A* __restrict a, const B* __restrict b, Y* __restrict y, int64_t count, F f) {
  for (int64_t i = 0; i < count; ++i) y[i] = f(a[i], b[i]);
}

/// y = f(y, x), x in steps of `step`.
template <class X, class Y, class F>
inline void update(Y* __restrict y, const X* __restrict x, int64_t step, int64_t count, F f) {
  if (step == 1)
    for (int64_t i = 0; i < count; ++i) y[i] = f(y[i], x[i]);
  else
    for (int64_t i = 0; i < count; ++i) y[i] = f(y[i], x[i * step]);
}

}  // namespace onemodel::kernels

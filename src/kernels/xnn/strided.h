#pragma once
// Eight floats from a row at a stride, and rows with room around them. For the sources of this folder only.

#include <cstdint>

#include "kernels/xnn/simd.h"

namespace onemodel::kernels::xnn {

OM_SIMD_BEGIN

/// p[0], p[stride], ..., p[7 * stride]. `kStride` 1 or 2 is fast; 0: any. Reads up to p[8 * stride - 1].
template <int kStride>
OM_INLINE F8 load_strided(const float* p, size_t stride) {
  if constexpr (kStride == 1) return load8(p);
  if constexpr (kStride == 2) return __builtin_shufflevector(load8(p), load8(p + 8), 0, 2, 4, 6, 8, 10, 12, 14);
  return F8{p[0], p[stride], p[2 * stride], p[3 * stride], p[4 * stride], p[5 * stride], p[6 * stride], p[7 * stride]};
}

/// to[i] = x[i * stride], without a call of memcpy, since short rows are common. Reads one float behind the last.
inline void gather(const float* x, size_t stride, float* to, size_t count) {
  if (stride > 2 || count < 4 || (stride == 2 && count < 8)) {
    for (size_t i = 0; i < count; ++i) to[i] = x[i * stride];
  } else if (count < 8) {
    const F4 first = load4(x), last = load4(x + count - 4);  // they overlap
    store4(to, first);
    store4(to + count - 4, last);
  } else if (stride == 1) {
    for (size_t i = 0; i + 8 < count; i += 8) store8(to + i, load8(x + i));
    store8(to + count - 8, load8(x + count - 8));
  } else {
    for (size_t i = 0; i + 8 < count; i += 8) store8(to + i, load_strided<2>(x + 2 * i, 2));
    store8(to + count - 8, load_strided<2>(x + 2 * (count - 8), 2));
  }
}

OM_SIMD_END

/// Floats of a padded row from which windows are read for outputs rounded up to a multiple of 16.
constexpr size_t padded_row(int64_t outputs, int64_t stride, int64_t dilation, int64_t kernel, int64_t pad,
                            int64_t width) {
  const int64_t reach = (outputs + 15) / 16 * 16 * stride + dilation * (kernel - 1);
  return static_cast<size_t>((std::max(reach, pad + width) + 15) / 16 * 16);
}

/// Tasks that run side by side each have a part of the workspace of their own. How many there are is settled when a
/// kernel is made; a larger pool later brings no more.
inline size_t slots_for_pool() {
  const size_t threads = thread_pool().threads();
  return threads == 1 ? 1 : std::min<size_t>(2 * threads, 16);
}

/// `body(slot, first, last)`: [0, count) cut into at most `slots` ranges, on the pool; fewer where there is little `work`
/// (multiplications in all).
template <class Body>
void parallel_slots(size_t count, int64_t work, size_t slots, const Body& body) {
  slots = std::min({count, slots, to_size(std::max<int64_t>(1, work / kThreadWork))});
  const auto range = [&](size_t begin, size_t end) {
    for (size_t slot = begin; slot < end; ++slot) body(slot, slot * count / slots, (slot + 1) * count / slots);
  };
  parallel(slots, 1, range);
}

}  // namespace onemodel::kernels::xnn

#pragma once
// Rows by index along one axis, and the sum back.
//
// Shapes: x[outer, extent, inner], y[outer, count, inner], contiguous; `count` indices, contiguous, in
//   [-extent, extent).
// Errors: ShapeError naming the index and the bound, before anything is written.
// Aliasing: outputs overlap no input.
// Threads: split over outputs; the same bits for any number.

#include <cstddef>
#include <cstdint>

#include "core/dtype.h"

namespace onemodel::kernels {

struct GatherShape {
  int64_t outer = 1, extent = 0, inner = 1;
  int64_t count = 0;
};

/// y[o, i, :] = x[o, indices[i], :], for elements of `item` bytes of any dtype. I is int32_t or int64_t.
template <class I>
void gather(size_t item, const GatherShape& shape, const void* x, const I* indices, void* y);

/// x[o, indices[i], :] += y[o, i, :] for i = 0, 1, …: x keeps what it held. Numeric dtypes; others throw DTypeError.
/// f16 and bf16 round after each addition. I is int32_t or int64_t.
template <class T, class I>
void scatter_add(const GatherShape& shape, const T* y, const I* indices, T* x);

}  // namespace onemodel::kernels

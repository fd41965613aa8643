#pragma once
// Tensors of a regular pattern: triangles, diagonals, one-hot vectors, arithmetic progressions.
//
// Shapes: contiguous.
// Dtypes: any where `item`, the size of an element in bytes (1, 2, 4 or 8), is given.
// Aliasing: outputs overlap no input.
// Threads: split over outputs.

#include <cstddef>
#include <cstdint>

#include "core/dtype.h"
#include "kernels/portable/lines.h"

namespace onemodel::kernels {

/// y[b, r, c] = x[b, r, c] on the kept side of diagonal `k`, else 0: c - r >= k for the upper triangle, c - r <= k for
/// the lower one.
void triangle(size_t item, int64_t batch, int64_t rows, int64_t columns, int64_t k, bool upper, const void* x, void* y);

/// y[r, c] = *one where c - r = k, else 0.
void diagonal(size_t item, int64_t rows, int64_t columns, int64_t k, const void* one, void* y);

/// y[o, d, i] = *on where d = indices[o, i] (negative ones from the end), else *off; an index out of range gives *off
/// throughout. `lines` are those of y.
void one_hot(size_t item, const Lines& lines, const int64_t* indices, const void* off, const void* on, void* y);

/// y[i] = start + i * step. Numeric dtypes, others throw DTypeError; f16 and bf16 are computed in float, integers wrap.
template <class T>
void progression(T start, T step, int64_t count, T* y);

}  // namespace onemodel::kernels

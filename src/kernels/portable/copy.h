#pragma once
// Moving elements without looking at them: strided copies, concatenation, padding.
//
// Shapes: strides in elements; 0 (reading only) and negative are fine. An empty extent does nothing.
// Dtypes: any; `item` is the size of an element in bytes: 1, 2, 4 or 8.
// Aliasing: outputs overlap no input.
// Threads: split over outputs.

#include <cstddef>
#include <cstdint>
#include <span>

#include "core/dims.h"

namespace onemodel::kernels {

/// y[i] = x[i] over `dims`, to contiguous y. A transposition goes in cache-sized tiles.
void copy(size_t item, const Dims& dims, const void* x, const Dims& x_strides, void* y);

/// y[i] = x[i] over `dims`, both strided; places of y must be distinct.
void copy(size_t item, const Dims& dims, const void* x, const Dims& x_strides, void* y, const Dims& y_strides);

/// y[i] = value, contiguous.
void fill(size_t item, int64_t count, const void* value, void* y);

/// One input of concat: [outer, length, inner], with inner contiguous.
struct ConcatPart {
  const void* data;
  int64_t length;
};

/// y[outer, sum of lengths, inner] from contiguous parts in order.
void concat(size_t item, int64_t outer, int64_t inner, std::span<const ConcatPart> parts, void* y);

/// Contiguous y[y_dims] = `value`, with x at `pads_begin`; a negative pad crops, at either end.
void pad(size_t item, const Dims& x_dims, const void* x, const Dims& x_strides, const Dims& pads_begin,
         const Dims& y_dims, const void* value, void* y);

/// The gradient of a slice: contiguous x_gradient[x_dims] = 0, but y_gradient[y_dims] (strided) at starts[d] + i *
/// steps[d]. Starts are non-negative, steps may be negative.
void slice_gradient(size_t item, const Dims& y_dims, const void* y_gradient, const Dims& y_strides, const Dims& x_dims,
                    const Dims& starts, const Dims& steps, void* x_gradient);

}  // namespace onemodel::kernels

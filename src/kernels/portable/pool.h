#pragma once
// Maximum and average over windows of 1 to 3 spatial axes, and their gradients.
//
// Shapes: contiguous x[planes, input...], y[planes, output...] with planes = batch * channels.
//   Window places outside the input never count for the maximum.
// Dtypes: max f32 f64 f16 bf16 i8 u8; the others floating. Others throw DTypeError.
// Errors: ShapeError for ranks that do not fit or more than 3 spatial axes.
// Aliasing: outputs overlap no input.
// Threads: split over planes; the same bits for any number.

#include <cstdint>

#include "core/dims.h"
#include "core/dtype.h"
#include "kernels/portable/window.h"

namespace onemodel::kernels {

struct PoolShape {
  int64_t planes = 0;
  Dims input, output;  // spatial extents
  Window window;
};

/// y = maximum, NaN if a NaN is seen. `indices` (or null) gets the flat row-major position in the whole of x of the
/// first maximum. A window wholly outside gives -infinity or the lowest, and index -1.
template <class T>
void max_pool(const PoolShape& shape, const T* x, T* y, int64_t* indices);

/// x_gradient = y_gradient summed at `indices` as max_pool wrote them, 0 elsewhere.
template <class T>
void max_pool_gradient(const PoolShape& shape, const T* y_gradient, const int64_t* indices, T* x_gradient);

/// y = mean over the window. With `count_include_pad` the divisor counts places in the padding (begin and end), though
/// not those a rounded-up extent adds beyond it. A window of no counted place gives 0.
template <class T>
void average_pool(const PoolShape& shape, bool count_include_pad, const T* x, T* y);

template <class T>
void average_pool_gradient(const PoolShape& shape, bool count_include_pad, const T* y_gradient, T* x_gradient);

}  // namespace onemodel::kernels

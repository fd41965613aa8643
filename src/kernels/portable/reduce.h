#pragma once
// Sum, mean, maximum, minimum and product over any set of axes.
//
// Shapes: x is seen as kept x reduced axes, each with extents and strides in elements (0 and negative are fine);
//   y is contiguous over the kept axes. No reduced axis copies.
// Dtypes: numeric; bool throws DTypeError. f16 and bf16 are computed in float. Integers wrap when
//   stored; their mean truncates the exact one.
// Empty: sum 0, product 1, maximum -infinity or the lowest, minimum +infinity or the highest, mean NaN (integers 0).
// Values: maximum and minimum of a NaN are NaN.
// Order: depends on the row-major index i among the reduced axes alone, neither on strides nor on SIMD width: sums and
//   products run in 8 lanes (i mod 8) within blocks of 256, whose results are combined pairwise.
// Aliasing: y overlaps x nowhere.
// Threads: split over outputs; the same bits for any number.

#include <cstdint>

#include "core/dims.h"
#include "core/dtype.h"

namespace onemodel::kernels {

enum class Reduce : uint8_t { sum, mean, max, min, prod };

struct ReduceShape {
  Dims kept, kept_strides;
  Dims reduced, reduced_strides;

  /// Splits `dims` by whether an axis is in `axes` (non-negative, without repetition).
  static ReduceShape over(const Dims& dims, const Dims& strides, const Dims& axes);
};

template <class T>
void reduce(Reduce op, const ReduceShape& shape, const T* x, T* y);

}  // namespace onemodel::kernels

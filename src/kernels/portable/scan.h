#pragma once
// Running sums along an axis.
//
// Shapes: x and y are contiguous, seen as lines.
// Dtypes: numeric; bool throws DTypeError. f16 and bf16 are summed in float and rounded when stored; integers wrap.
// Order: each line one element after the other.
// Aliasing: y overlaps x nowhere.
// Threads: split over lines; the same bits for any number.

#include "core/dtype.h"
#include "kernels/portable/lines.h"

namespace onemodel::kernels {

/// y[i] = x[0] + … + x[i], without x[i] when `exclusive`; from the end when `reverse`.
template <class T>
void cumulative_sum(const Lines& lines, bool exclusive, bool reverse, const T* x, T* y);

}  // namespace onemodel::kernels

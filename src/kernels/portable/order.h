#pragma once
// Positions of extreme elements along an axis, and the largest or smallest few.
//
// Shapes: inputs and outputs are contiguous, seen as lines. Indices count along the axis.
// Dtypes: numeric; bool throws DTypeError.
// Aliasing: outputs overlap no input.
// Threads: split over lines; the same bits for any number.

#include "core/dtype.h"
#include "kernels/portable/lines.h"

namespace onemodel::kernels {

/// y[outer, inner] = the position of the largest or smallest element of each line, which has one or more; of equals the
/// first, or the `last`. A NaN goes before every number, as in numpy.
void arg_extremum(DType dtype, const Lines& lines, bool largest, bool last, const void* x, int64_t* y);

/// values, indices[outer, count, inner]: the `count` <= length first elements of each line in descending order
/// (`largest`) or ascending order; of equals the first ones first. NaN counts as above every number. Null outputs are
/// left out.
void top_k(DType dtype, const Lines& lines, int64_t count, bool largest, const void* x, void* values, int64_t* indices);

}  // namespace onemodel::kernels

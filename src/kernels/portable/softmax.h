#pragma once
// Softmax and its logarithm along one axis.
//
// Shapes: contiguous [outer, length, inner], over `length`. An empty extent does nothing.
// Dtypes: f32, f64; f16 and bf16 in float. Others throw DTypeError.
// Values: the maximum is subtracted first; a row with NaN or +infinity, or of -infinity only, is NaN as in numpy.
// Aliasing: y may be x.
// Threads: split over rows; each is summed in a fixed order, the same bits for any number.

#include <cstdint>

#include "core/dtype.h"

namespace onemodel::kernels {

template <class T>
void softmax(int64_t outer, int64_t length, int64_t inner, const T* x, T* y);

template <class T>
void log_softmax(int64_t outer, int64_t length, int64_t inner, const T* x, T* y);

}  // namespace onemodel::kernels

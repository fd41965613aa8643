#pragma once
// Arrays of 16-bit floats to float and back; the same values as the conversions of dtype.h, in loops
// that vectorise.
//
// Aliasing: input and output do not overlap. Threads: pure functions.

#include <cstdint>

#include "core/dtype.h"

namespace onemodel::kernels {

void widen(const Float16* x, int64_t count, float* y);
void widen(const BFloat16* x, int64_t count, float* y);
void narrow(const float* x, int64_t count, Float16* y);
void narrow(const float* x, int64_t count, BFloat16* y);

}  // namespace onemodel::kernels

#pragma once
// Numbers to small integers and back: y = saturate(round(x / scale) + zero), x = (y - zero) * scale.
//
// Rounding: to nearest, halves to even. A NaN quotient counts as 0.
// Aliasing: y overlaps no input. Threads: split over elements; the same bits for any number.

#include <cstdint>

#include "core/dtype.h"

namespace onemodel::kernels {

/// Which scale and zero point belong to which element. Elements are seen as [.., extent, inner], in row-major order;
/// that at (o, d, i) has number o * outer_step + d / block * block_step + i * inner_step.
struct ScaleLayout {
  int64_t count = 0;  // elements
  int64_t extent = 1, inner = 1, block = 1;
  int64_t outer_step = 0, block_step = 0, inner_step = 0;
};

/// T is float or double, in which quotients are computed; they are rounded to `quotient` before, which may be narrower.
/// Dtypes of y: i8, u8, i16, u16 and small ones. `zero` has a number for each scale. Small floats are quotients as by
/// float_to_small with `saturate`, without a zero point.
template <class T>
void quantise(const ScaleLayout& layout, const T* x, const T* scale, const int32_t* zero, DType quotient, DType dtype,
              bool saturate, void* y);

/// T is float or double. Dtypes of x: i8, u8, i16, u16, i32, whose difference from its zero point wraps, and small ones.
template <class T>
void dequantise(const ScaleLayout& layout, DType dtype, const void* x, const T* scale, const int32_t* zero, T* y);

}  // namespace onemodel::kernels

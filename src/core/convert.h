#pragma once
// Conversion between any two element types.

#include "core/small_number.h"
#include "core/tensor.h"

namespace onemodel {

/// What only numbers of 8 bits ask for.
struct ConvertOptions {
  bool saturate = true;                              // for 8-bit floats
  PowerRounding power_rounding = PowerRounding::up;  // for float8e8m0
};

/// Writes the elements of `source` in row-major order as dtype `to`. Between numbers as by `convert`, and for small ones as
/// core/small_number.h says. A number as string is the shortest text that reads as the same float32 (float64: float64)
/// or integer, "NaN", "INF" or "-INF"; a bool is "1" or "0". A string as number is what its text reads as, in plain or
/// scientific form, any case of "INF", "+INF", "-INF" and "NaN" included; throws ArgumentError for other texts.
void convert_elements(const Tensor& source, DType to, void* out, const ConvertOptions& options = {});

}  // namespace onemodel

#pragma once
// Numbers of at most 8 bits that are stored only: 8-bit floats, and integers and a float of 2 and 4 bits. Each is one byte
// in memory: an integer's value, else the bits.

#include <cstdint>

#include "core/dtype.h"

namespace onemodel {

/// The number that `bits` mean; bits that the type does not have are ignored. `dtype` is small.
float small_to_float(DType dtype, uint8_t bits);
/// Of a small integer type.
int64_t small_to_integer(DType dtype, uint8_t bits);

/// `value` rounded to nearest, halves to even, as ONNX's Cast has it: out of range and infinite it becomes the largest
/// number when `saturate`, else infinity or, in types without one, NaN; infinity is NaN in the *fnuz types also with
/// `saturate`. float4e2m1 always saturates and has 6 for NaN; integers saturate and have 0 for NaN. float8e8m0 has powers
/// of 2 only: see `float_to_power`, here with the rounding up.
uint8_t float_to_small(DType dtype, double value, bool saturate = true);
/// An integer type drops the higher bits; else as float_to_small.
uint8_t integer_to_small(DType dtype, int64_t value, bool saturate = true);

/// How float8e8m0 rounds: away from zero, toward zero, or to nearest with halves up.
enum class PowerRounding : uint8_t { up, down, nearest };
/// `value` as float8e8m0.
uint8_t float_to_power(double value, PowerRounding rounding, bool saturate);

}  // namespace onemodel

#pragma once
// Element by element: unary and binary functions, comparisons, selection and conversion.
//
// Shapes: inputs are `dims` elements seen through strides in elements; 0 broadcasts, negative is fine.
//   The output is contiguous, `dims`, row-major. An empty extent does nothing.
// Dtypes: every template links for all 13; one that a function does not take throws DTypeError.
//   float16 and bfloat16 are computed in float and rounded once. Integers wrap on overflow.
// Aliasing: the output may be exactly an input of the same element size that is contiguous; no other overlap.
// Threads: split over output elements; the same bits for any number.

#include <cstdint>

#include "core/dims.h"
#include "core/dtype.h"

namespace onemodel::kernels {

enum class Unary : uint8_t {
  // numeric; neg and abs of the lowest integer are itself, sign(NaN) is NaN, relu(NaN) is NaN
  neg,
  abs,
  sign,
  relu,
  // floating
  reciprocal,
  sqrt,
  exp,
  log,
  sin,
  cos,
  tan,
  asin,
  acos,
  atan,
  sinh,
  cosh,
  asinh,
  acosh,
  atanh,
  tanh,
  sigmoid,
  erf,
  gelu,              // x/2 (1 + erf(x / sqrt 2))
  gelu_tanh,         // x/2 (1 + tanh(sqrt(2/pi) (x + 0.044715 x^3)))
  leaky_relu,        // x < 0 ? alpha x : x
  hard_sigmoid,      // clip(alpha x + beta, 0, 1)
  hard_swish,        // x clip(x/6 + 1/2, 0, 1)
  softplus,          // log(1 + e^x)
  softsign,          // x / (1 + |x|)
  elu,               // x > 0 ? x : alpha (e^x - 1)
  selu,              // beta elu(x)
  celu,              // x > 0 ? x : alpha (e^(x / alpha) - 1)
  mish,              // x tanh(softplus(x))
  thresholded_relu,  // x > alpha ? x : 0
  // floating; integers are copied
  floor,
  ceil,
  round,  // half to even
};

/// Attributes of those that have some.
struct UnaryParams {
  float alpha = 0;
  float beta = 0;
};

/// y = op(x).
template <class T>
void unary(Unary op, const Dims& dims, const T* x, const Dims& x_strides, T* y, UnaryParams params = {});

/// y = min(max(x, low), high) as numpy: NaN stays NaN, `high` where low > high. Numeric dtypes.
template <class T>
void clip(const Dims& dims, const T* x, const Dims& x_strides, T low, T high, T* y);

enum class Binary : uint8_t {
  add,
  sub,
  mul,
  div,  // integers truncate toward zero; n / 0 is 0; the lowest by -1 is the lowest
  min,
  max,   // NaN when either is NaN
  mod,   // the remainder with the sign of b; n mod 0 is 0 for integers
  fmod,  // the remainder with the sign of a; n fmod 0 is 0 for integers
  // integers
  bit_and,
  bit_or,
  bit_xor,
  shift_left,   // 0 from the element's width on
  shift_right,  // 0 from the element's width on
};

/// y = op(a, b). Numeric dtypes.
template <class T>
void binary(Binary op, const Dims& dims, const T* a, const Dims& a_strides, const T* b, const Dims& b_strides, T* y);

/// y = a to the power of b, with C's special cases for floating bases. Exponents of any numeric dtype.
/// Integer base and exponent: exact, wrapping; a negative exponent gives 1/a^|b| truncated, and 0 for a = 0.
/// Integer base, floating exponent: computed in double, then as convert<T>. Numeric bases.
template <class T>
void pow(const Dims& dims, const T* a, const Dims& a_strides, DType b_dtype, const void* b, const Dims& b_strides,
         T* y);

enum class Compare : uint8_t { equal, less, less_or_equal, greater, greater_or_equal };

/// y = a op b. Every dtype; false when either is NaN.
template <class T>
void compare(Compare op, const Dims& dims, const T* a, const Dims& a_strides, const T* b, const Dims& b_strides,
             bool* y);

/// y = condition ? a : b, for elements of `item` bytes (1, 2, 4 or 8) of any dtype.
void where(size_t item, const Dims& dims, const bool* condition, const Dims& condition_strides, const void* a,
           const Dims& a_strides, const void* b, const Dims& b_strides, void* y);

/// y = convert<to>(x) of dtype.h, between any two dtypes.
void cast(const Dims& dims, DType from, const void* x, const Dims& x_strides, DType to, void* y);

}  // namespace onemodel::kernels

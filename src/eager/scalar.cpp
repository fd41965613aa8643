#include "eager/scalar.h"

#include <cmath>

#include "core/error.h"

namespace onemodel {
namespace {

// Whether the whole part of `value` is an integer of `dtype`; true for dtypes of other numbers.
bool holds(DType dtype, double value) {
  if (!is_integer(dtype) && !is_small_integer(dtype)) return true;
  const bool is_signed = is_signed_integer(dtype) || dtype == DType::i4 || dtype == DType::i2;
  const double whole = std::trunc(value), end = std::ldexp(1.0, static_cast<int>(packed_bits(dtype)) - is_signed);
  return whole < end && whole >= (is_signed ? -end : 0);
}

}  // namespace

void check_in_range(double value, DType dtype, std::string_view owner) {
  check(holds(dtype, value), owner, ": ", value, " is out of the range of ", dtype);
}

Tensor scalar_of(double value, DType dtype, std::string_view owner, std::string_view input) {
  check(!is_integer(dtype) || (value == std::trunc(value) && holds(dtype, value)), owner,
        input.empty() ? "" : concat(": input '", input, "'"), ": ", value, " is no ", dtype,
        ", the dtype of the tensor beside it; cast that one first");
  return Tensor::full({}, value, dtype);
}

Tensor beside(const Tensor& x, double value, std::string_view owner) {
  check(x.defined(), owner, ": the tensor beside ", value, " is undefined");
  return scalar_of(value, x.dtype(), owner);
}

}  // namespace onemodel

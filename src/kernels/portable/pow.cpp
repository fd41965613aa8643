#include "core/math.h"
#include "kernels/portable/any_stream.h"
#include "kernels/portable/elementwise.h"
#include "kernels/portable/loops.h"

namespace onemodel::kernels {
namespace {

/// By squaring, modulo 2^64: its low bits are the power in any narrower type that wraps.
int64_t power(int64_t base, uint64_t exponent) {
  uint64_t result = 1;
  for (auto factor = static_cast<uint64_t>(base); exponent != 0; exponent >>= 1) {
    if (exponent & 1) result *= factor;
    factor *= factor;
  }
  return static_cast<int64_t>(result);
}

/// 1 / base^|exponent|, truncated.
int64_t inverse_power(int64_t base, int64_t exponent, bool signed_base) {
  if (base == 1) return 1;
  if (base == -1 && signed_base) return exponent & 1 ? -1 : 1;
  return 0;
}

/// y = power(a, b) with base and result as C and exponent as E.
template <class C, class E, class F>
void pow_as(const Dims& dims, DType dtype, const void* a, const Dims& a_strides, DType b_dtype, const void* b,
            const Dims& b_strides, void* y, F power) {
  for_pieces(numel(dims), 64, [&] {
    return [=, base_reader = AnyReader(dtype, a, dims, a_strides),
            exponent_reader = AnyReader(b_dtype, b, dims, b_strides)](int64_t begin, int64_t count) mutable {
      C base[kPiece];
      E exponent[kPiece];
      base_reader.read(begin, count, base);
      exponent_reader.read(begin, count, exponent);
      update(base, exponent, 1, count, power);
      store(base, begin, count, dtype, y);
    };
  });
}

void pow_any(const Dims& dims, DType dtype, const void* a, const Dims& a_strides, DType b_dtype, const void* b,
             const Dims& b_strides, void* y) {
  const auto as = [&]<class C, class E>(TypeTag<C>, TypeTag<E>, auto power) {
    pow_as<C, E>(dims, dtype, a, a_strides, b_dtype, b, b_strides, y, power);
  };
  constexpr TypeTag<float> single;
  constexpr TypeTag<double> wide;
  constexpr TypeTag<int64_t> integer;
  const bool exact_in_float =
      b_dtype != DType::f64 && dtype_size(b_dtype) <= 4 && (is_floating(b_dtype) || dtype_size(b_dtype) <= 2);
  if (is_integer(dtype) && is_integer(b_dtype)) {
    const bool signed_base = is_signed_integer(dtype), signed_exponent = is_signed_integer(b_dtype);
    as(integer, integer, [=](int64_t x, int64_t e) {
      return e < 0 && signed_exponent ? inverse_power(x, e, signed_base) : power(x, static_cast<uint64_t>(e));
    });
  } else if (dtype == DType::f64 || is_integer(dtype)) {
    as(wide, wide, [](double x, double e) { return math::pow(x, e); });
  } else if (exact_in_float) {
    as(single, single, [](float x, float e) { return math::pow(x, e); });
  } else {
    as(single, wide, [](float x, double e) { return static_cast<float>(math::pow(double{x}, e)); });
  }
}

}  // namespace

template <class T>
void pow(const Dims& dims, const T* a, const Dims& a_strides, DType b_dtype, const void* b, const Dims& b_strides,
         T* y) {
  if (!Numeric<T> || !is_numeric(b_dtype)) unsupported("pow", Numeric<T> ? b_dtype : dtype_of<T>);
  pow_any(dims, dtype_of<T>, a, a_strides, b_dtype, b, b_strides, y);
}

#define OM_INSTANTIATE(T) template void pow<T>(const Dims&, const T*, const Dims&, DType, const void*, const Dims&, T*);
OM_FOR_EACH_TYPE(OM_INSTANTIATE)
#undef OM_INSTANTIATE

}  // namespace onemodel::kernels

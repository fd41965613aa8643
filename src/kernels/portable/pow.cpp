#include "core/math.h"
#include "kernels/portable/any_stream.h"
#include "kernels/portable/elementwise.h"
#include "kernels/portable/loops.h"

namespace onemodel::kernels {
namespace {

/// By squaring, modulo 2^64: its low bits are the power in any narrower type that wraps.
uint64_t power(uint64_t base, uint64_t exponent) {
  uint64_t result = 1;
  for (; exponent != 0; exponent >>= 1) {
    if (exponent & 1) result *= base;
    base *= base;
  }
  return result;
}

template <Integer C, Integer E>
C power(C base, E exponent) {
  if (exponent >= 0)
    return static_cast<C>(power(static_cast<uint64_t>(base), static_cast<uint64_t>(exponent)));
  if (base == C(1)) return C(1);
  if (base == static_cast<C>(-1) && std::is_signed_v<C>) return exponent & 1 ? base : C(1);
  return C(0);
}

template <class C, class E>
C power(C base, E exponent) {
  return static_cast<C>(math::pow(static_cast<E>(base), exponent));
}

/// Base and result as C, exponent as E.
template <class C, class E>
void pow_as(const Dims& dims, DType dtype, const void* a, const Dims& a_strides, DType b_dtype,
            const void* b, const Dims& b_strides, void* y) {
  for_pieces(numel(dims), 64, [&] {
    return [=, base_reader = AnyReader(dtype, a, dims, a_strides),
            exponent_reader = AnyReader(b_dtype, b, dims, b_strides)](int64_t begin,
                                                                      int64_t count) mutable {
      C base[kPiece];
      E exponent[kPiece];
      base_reader.read(begin, count, base);
      exponent_reader.read(begin, count, exponent);
      update(base, exponent, 1, count, [](C a, E e) { return power(a, e); });
      store(base, begin, count, dtype, y);
    };
  });
}

void pow_any(const Dims& dims, DType dtype, const void* a, const Dims& a_strides, DType b_dtype,
             const void* b, const Dims& b_strides, void* y) {
  const auto as = [&]<class C, class E>(TypeTag<C>, TypeTag<E>) {
    pow_as<C, E>(dims, dtype, a, a_strides, b_dtype, b, b_strides, y);
  };
  constexpr TypeTag<float> single;
  constexpr TypeTag<double> wide;
  constexpr TypeTag<int64_t> integer;
  constexpr TypeTag<uint64_t> natural;
  const bool exact_in_float = b_dtype != DType::f64 && dtype_size(b_dtype) <= 4 &&
                              (is_floating(b_dtype) || dtype_size(b_dtype) <= 2);
  if (dtype == DType::f64 || (is_integer(dtype) && is_floating(b_dtype))) return as(wide, wide);
  if (is_floating(dtype)) return exact_in_float ? as(single, single) : as(single, wide);
  if (is_unsigned_integer(b_dtype))
    return is_unsigned_integer(dtype) ? as(natural, natural) : as(integer, natural);
  return is_unsigned_integer(dtype) ? as(natural, integer) : as(integer, integer);
}

}  // namespace

template <class T>
void pow(const Dims& dims, const T* a, const Dims& a_strides, DType b_dtype, const void* b,
         const Dims& b_strides, T* y) {
  if (!Numeric<T> || !is_numeric(b_dtype)) unsupported("pow", Numeric<T> ? b_dtype : dtype_of<T>);
  pow_any(dims, dtype_of<T>, a, a_strides, b_dtype, b, b_strides, y);
}

#define OM_INSTANTIATE(T)                                                                      \
  template void pow<T>(const Dims&, const T*, const Dims&, DType, const void*, const Dims&, T*);
OM_FOR_EACH_TYPE(OM_INSTANTIATE)
#undef OM_INSTANTIATE

}  // namespace onemodel::kernels

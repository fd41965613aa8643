#include <cmath>
#include <utility>

#include "kernels/portable/elementwise.h"
#include "kernels/portable/loops.h"
#include "kernels/portable/stream.h"

namespace onemodel::kernels {
namespace {

template <class C>
C divide(C a, C b) {
  if constexpr (Integer<C>) {
    if (b == C(0)) return C(0);
    if constexpr (std::is_signed_v<C>) {
      if (b == C(-1)) return wrapping_sub(C(0), a);
    }
    return static_cast<C>(a / b);
  } else {
    return a / b;
  }
}

// C's remainder, which is exact for floats.
template <class C>
C remainder(C a, C b) {
  if constexpr (Integer<C>) {
    if (b == C(0) || b == static_cast<C>(-1)) return std::is_signed_v<C> || b == C(0) ? C(0) : static_cast<C>(a % b);
    return static_cast<C>(a % b);
  } else {
    return std::fmod(a, b);
  }
}

template <class C>
C floored_remainder(C a, C b) {
  const C r = remainder(a, b);
  return r != C(0) && (r < C(0)) != (b < C(0)) ? static_cast<C>(r + b) : r;
}

template <std::unsigned_integral C>
C shifted(C bits, C by, bool left) {
  if (by >= C(8 * sizeof(C))) return C(0);
  return static_cast<C>(left ? bits << by : bits >> by);
}

/// Sums, products and functions of bits are the same for signed integers: compiled for unsigned ones only.
template <std::unsigned_integral C>
[[gnu::noinline]] void modular(Binary op, const C* a, const C* b, C* y, int64_t n) {
  switch (op) {
    case Binary::add: return zip(a, b, y, n, [](C u, C v) { return wrapping_add(u, v); });
    case Binary::sub: return zip(a, b, y, n, [](C u, C v) { return wrapping_sub(u, v); });
    case Binary::mul: return zip(a, b, y, n, [](C u, C v) { return wrapping_mul(u, v); });
    case Binary::bit_and: return zip(a, b, y, n, [](C u, C v) { return static_cast<C>(u & v); });
    case Binary::bit_or: return zip(a, b, y, n, [](C u, C v) { return static_cast<C>(u | v); });
    case Binary::bit_xor: return zip(a, b, y, n, [](C u, C v) { return static_cast<C>(u ^ v); });
    case Binary::shift_left: return zip(a, b, y, n, [](C u, C v) { return shifted(u, v, true); });
    default: return zip(a, b, y, n, [](C u, C v) { return shifted(u, v, false); });
  }
}

template <class C>
void modular_or_real(Binary op, const C* a, const C* b, C* y, int64_t n) {
  if constexpr (Integer<C>) {
    using U = std::make_unsigned_t<C>;
    modular(op, reinterpret_cast<const U*>(a), reinterpret_cast<const U*>(b), reinterpret_cast<U*>(y), n);
  } else {
    switch (op) {
      case Binary::add: return zip(a, b, y, n, [](C u, C v) { return u + v; });
      case Binary::sub: return zip(a, b, y, n, [](C u, C v) { return u - v; });
      case Binary::mul: return zip(a, b, y, n, [](C u, C v) { return u * v; });
      default: unsupported("a function of bits", dtype_of<C>);
    }
  }
}

template <class C>
void arithmetic(Binary op, const C* a, const C* b, C* y, int64_t n) {
  switch (op) {
    case Binary::div: return zip(a, b, y, n, [](C u, C v) { return divide(u, v); });
    case Binary::min: return zip(a, b, y, n, [](C u, C v) { return u < v || u != u ? u : v; });
    case Binary::max: return zip(a, b, y, n, [](C u, C v) { return u > v || u != u ? u : v; });
    case Binary::mod: return zip(a, b, y, n, [](C u, C v) { return floored_remainder(u, v); });
    case Binary::fmod: return zip(a, b, y, n, [](C u, C v) { return remainder(u, v); });
    default: return modular_or_real(op, a, b, y, n);
  }
}

template <class C>
void comparison(Compare op, const C* a, const C* b, bool* y, int64_t n) {
  if (op == Compare::greater || op == Compare::greater_or_equal) {
    std::swap(a, b);
    op = op == Compare::greater ? Compare::less : Compare::less_or_equal;
  }
  switch (op) {
    case Compare::equal: return zip(a, b, y, n, [](C u, C v) { return u == v; });
    case Compare::less: return zip(a, b, y, n, [](C u, C v) { return u < v; });
    default: return zip(a, b, y, n, [](C u, C v) { return u <= v; });
  }
}

template <class U>
void pick(const bool* __restrict condition, const U* __restrict a, const U* __restrict b, U* __restrict y,
          int64_t count) {
  for (int64_t i = 0; i < count; ++i) {
    const U yes = a[i], no = b[i];
    y[i] = condition[i] ? yes : no;
  }
}

template <class U>
void select(const Dims& dims, const bool* condition, const Dims& condition_strides, const void* a,
            const Dims& a_strides, const void* b, const Dims& b_strides, void* y) {
  for_pieces(numel(dims), 1, [&] {
    return [=, c = Reader<bool>(condition, dims, condition_strides),
            u = Reader<U>(static_cast<const U*>(a), dims, a_strides),
            v = Reader<U>(static_cast<const U*>(b), dims, b_strides),
            out = Writer<U>(static_cast<U*>(y))](int64_t begin, int64_t count) mutable {
      const bool* conditions = c.read(begin, count);
      const U* yes = u.read(begin, count);
      const U* no = v.read(begin, count);
      pick(conditions, yes, no, out.piece(begin, conditions, yes, no), count);
      out.finish(begin, count);
    };
  });
}

}  // namespace

template <class T>
void binary(Binary op, const Dims& dims, const T* a, const Dims& a_strides, const T* b, const Dims& b_strides, T* y) {
  if constexpr (!Numeric<T>) {
    unsupported("an arithmetic function", dtype_of<T>);
  } else {
    for_pieces(numel(dims), 1, [&] {
      return [&, u = Reader<T>(a, dims, a_strides), v = Reader<T>(b, dims, b_strides), out = Writer<T>(y)](
                 int64_t begin, int64_t count) mutable {
        const Compute<T>* left = u.read(begin, count);
        const Compute<T>* right = v.read(begin, count);
        arithmetic(op, left, right, out.piece(begin, left, right), count);
        out.finish(begin, count);
      };
    });
  }
}

template <class T>
void compare(Compare op, const Dims& dims, const T* a, const Dims& a_strides, const T* b, const Dims& b_strides,
             bool* y) {
  for_pieces(numel(dims), 1, [&] {
    return [&, u = Reader<T>(a, dims, a_strides), v = Reader<T>(b, dims, b_strides), out = Writer<bool>(y)](
               int64_t begin, int64_t count) mutable {
      const Compute<T>* left = u.read(begin, count);
      const Compute<T>* right = v.read(begin, count);
      comparison(op, left, right, out.piece(begin, left, right), count);
      out.finish(begin, count);
    };
  });
}

void where(size_t item, const Dims& dims, const bool* condition, const Dims& condition_strides, const void* a,
           const Dims& a_strides, const void* b, const Dims& b_strides, void* y) {
  with_item(item,
            [&]<class U>(TypeTag<U>) { select<U>(dims, condition, condition_strides, a, a_strides, b, b_strides, y); });
}

#define OM_INSTANTIATE(T)                                                                         \
  template void binary<T>(Binary, const Dims&, const T*, const Dims&, const T*, const Dims&, T*); \
  template void compare<T>(Compare, const Dims&, const T*, const Dims&, const T*, const Dims&, bool*);
OM_FOR_EACH_TYPE(OM_INSTANTIATE)
#undef OM_INSTANTIATE

}  // namespace onemodel::kernels

#include <cmath>

#include "core/math.h"
#include "kernels/portable/elementwise.h"
#include "kernels/portable/loops.h"
#include "kernels/portable/stream.h"

namespace onemodel::kernels {
namespace {

/// Half to even; every number from `whole` on is an integer.
template <Real C>
C round_even(C x) {
  constexpr C whole = std::same_as<C, float> ? C(0x1p23) : C(0x1p52);
  const C magnitude = std::fabs(x);
  const C rounded = (magnitude + whole) - whole;
  return magnitude < whole ? std::copysign(rounded, x) : x;
}

template <Real C>
C floor_of(C x) {
  const C r = round_even(x);
  return r > x ? r - C(1) : r;
}

template <Real C>
C ceil_of(C x) {
  const C r = round_even(x);
  return r < x ? std::copysign(r + C(1), x) : r;
}

template <Real C>
C clip_unit(C x) {
  x = x < C(0) ? C(0) : x;
  return x > C(1) ? C(1) : x;
}

/// sin(x + quarter pi/2).
void sines(const float* x, float* y, int64_t count, int64_t quarter) {
  bool all_small = true;
  for (int64_t i = 0; i < count; ++i) all_small &= math::detail::absolute(x[i]) <= math::detail::kTrigLimit;
  if (all_small)
    map(x, y, count, [=](float v) { return math::detail::sin_reduced(v, quarter); });
  else
    map(x, y, count, [=](float v) { return quarter ? math::cos(v) : math::sin(v); });
}

void sines(const double* x, double* y, int64_t count, int64_t quarter) {
  map(x, y, count, [=](double v) { return quarter ? math::cos(v) : math::sin(v); });
}

// In double, rounded once.
template <Real C>
C softplus(C x) {
  const double v = x;
  return static_cast<C>((v > 0 ? v : 0) + math::log1p(math::exp(-std::fabs(v))));
}

template <Real C>
C elu(C x, double alpha, double scale) {
  return x > C(0) ? static_cast<C>(scale * static_cast<double>(x))
                  : static_cast<C>(scale * alpha * math::expm1(static_cast<double>(x)));
}

template <Real C, double (*f)(double)>
void wide(const C* x, C* y, int64_t n) {
  map(x, y, n, [](C v) { return static_cast<C>(f(static_cast<double>(v))); });
}

template <Real C>
void real(Unary op, const C* x, C* y, int64_t n, UnaryParams params) {
  const C alpha = params.alpha, beta = params.beta;
  constexpr C kSqrtHalf = C(0x1.6a09e667f3bcdp-1), kSqrtTwoOverPi = C(0x1.9884533d43651p-1);
  switch (op) {
    case Unary::neg: return map(x, y, n, [](C v) { return -v; });
    case Unary::abs: return map(x, y, n, [](C v) { return std::fabs(v); });
    case Unary::sign:
      return map(x, y, n, [](C v) {
        const C s = v > C(0) ? C(1) : (v < C(0) ? C(-1) : C(0));
        return v == v ? s : v;
      });
    case Unary::relu: return map(x, y, n, [](C v) { return v < C(0) ? C(0) : v; });
    case Unary::reciprocal: return map(x, y, n, [](C v) { return C(1) / v; });
    case Unary::sqrt: return map(x, y, n, [](C v) { return std::sqrt(v); });
    case Unary::exp: return map(x, y, n, [](C v) { return math::exp(v); });
    case Unary::log: return map(x, y, n, [](C v) { return math::log(v); });
    case Unary::sin: return sines(x, y, n, 0);
    case Unary::cos: return sines(x, y, n, 1);
    case Unary::tan: return wide<C, math::tan>(x, y, n);
    case Unary::asin: return wide<C, math::asin>(x, y, n);
    case Unary::acos: return wide<C, math::acos>(x, y, n);
    case Unary::atan: return wide<C, math::atan>(x, y, n);
    case Unary::sinh: return wide<C, math::sinh>(x, y, n);
    case Unary::cosh: return wide<C, math::cosh>(x, y, n);
    case Unary::asinh: return wide<C, math::asinh>(x, y, n);
    case Unary::acosh: return wide<C, math::acosh>(x, y, n);
    case Unary::atanh: return wide<C, math::atanh>(x, y, n);
    case Unary::tanh: return map(x, y, n, [](C v) { return math::tanh(v); });
    case Unary::sigmoid: return map(x, y, n, [](C v) { return math::sigmoid(v); });
    case Unary::erf: return map(x, y, n, [](C v) { return math::erf(v); });
    case Unary::gelu: return map(x, y, n, [](C v) { return C(0.5) * v * (C(1) + math::erf(v * kSqrtHalf)); });
    case Unary::gelu_tanh:
      return map(x, y, n, [](C v) {
        const C inner = kSqrtTwoOverPi * (v + C(0.044715) * v * v * v);
        return C(0.5) * v * (C(1) + math::tanh(inner));
      });
    case Unary::leaky_relu: return map(x, y, n, [=](C v) { return v < C(0) ? alpha * v : v; });
    case Unary::hard_sigmoid: return map(x, y, n, [=](C v) { return clip_unit(alpha * v + beta); });
    case Unary::hard_swish: return map(x, y, n, [](C v) { return v * clip_unit(v * C(1.0 / 6) + C(0.5)); });
    case Unary::softplus: return map(x, y, n, [](C v) { return softplus(v); });
    case Unary::softsign: return map(x, y, n, [](C v) { return v / (C(1) + std::fabs(v)); });
    case Unary::elu: return map(x, y, n, [=](C v) { return elu(v, params.alpha, 1); });
    case Unary::selu: return map(x, y, n, [=](C v) { return elu(v, params.alpha, params.beta); });
    case Unary::celu:
      return map(x, y, n, [=](C v) {
        const double wide_alpha = params.alpha;
        return v > C(0) ? v : static_cast<C>(wide_alpha * math::expm1(static_cast<double>(v) / wide_alpha));
      });
    case Unary::mish: return map(x, y, n, [](C v) { return v * math::tanh(softplus(v)); });
    case Unary::thresholded_relu: return map(x, y, n, [=](C v) { return v > alpha ? v : C(0); });
    case Unary::floor: return map(x, y, n, [](C v) { return floor_of(v); });
    case Unary::ceil: return map(x, y, n, [](C v) { return ceil_of(v); });
    case Unary::round: return map(x, y, n, [](C v) { return round_even(v); });
  }
}

template <Integer T>
void integer(Unary op, const T* x, T* y, int64_t n) {
  switch (op) {
    case Unary::neg: return map(x, y, n, [](T v) { return wrapping_sub(T(0), v); });
    case Unary::abs: return map(x, y, n, [](T v) { return v < T(0) ? wrapping_sub(T(0), v) : v; });
    case Unary::sign: return map(x, y, n, [](T v) { return static_cast<T>((v > 0) - (v < 0)); });
    case Unary::relu: return map(x, y, n, [](T v) { return v < T(0) ? T(0) : v; });
    case Unary::floor:
    case Unary::ceil:
    case Unary::round: return map(x, y, n, [](T v) { return v; });
    default: unsupported("a floating-point function", dtype_of<T>);
  }
}

int64_t cost(Unary op) {
  switch (op) {
    case Unary::exp:
    case Unary::log:
    case Unary::sin:
    case Unary::cos:
    case Unary::tanh:
    case Unary::sigmoid:
    case Unary::erf:
    case Unary::gelu:
    case Unary::gelu_tanh: return 16;
    case Unary::tan:
    case Unary::asin:
    case Unary::acos:
    case Unary::atan:
    case Unary::sinh:
    case Unary::cosh:
    case Unary::asinh:
    case Unary::acosh:
    case Unary::atanh:
    case Unary::softplus:
    case Unary::elu:
    case Unary::selu:
    case Unary::celu:
    case Unary::mish: return 64;
    default: return 1;
  }
}

}  // namespace

template <class T>
void unary(Unary op, const Dims& dims, const T* x, const Dims& x_strides, T* y, UnaryParams params) {
  if constexpr (!Numeric<T>) {
    unsupported("an arithmetic function", dtype_of<T>);
  } else {
    for_pieces(numel(dims), cost(op), [&] {
      return [&, in = Reader<T>(x, dims, x_strides), out = Writer<T>(y)](int64_t begin, int64_t count) mutable {
        const Compute<T>* piece = in.read(begin, count);
        Compute<T>* target = out.piece(begin, piece);
        if constexpr (Integer<T>)
          integer(op, piece, target, count);
        else
          real(op, piece, target, count, params);
        out.finish(begin, count);
      };
    });
  }
}

template <class T>
void clip(const Dims& dims, const T* x, const Dims& x_strides, T low, T high, T* y) {
  if constexpr (!Numeric<T>) {
    unsupported("clip", dtype_of<T>);
  } else {
    using C = Compute<T>;
    const C lowest = static_cast<C>(low), highest = static_cast<C>(high);
    for_pieces(numel(dims), 1, [&] {
      return [&, in = Reader<T>(x, dims, x_strides), out = Writer<T>(y)](int64_t begin, int64_t count) mutable {
        const C* piece = in.read(begin, count);
        map(piece, out.piece(begin, piece), count, [=](C v) {
          v = v < lowest ? lowest : v;
          return v > highest ? highest : v;
        });
        out.finish(begin, count);
      };
    });
  }
}

#define OM_INSTANTIATE(T)                                                             \
  template void unary<T>(Unary, const Dims&, const T*, const Dims&, T*, UnaryParams); \
  template void clip<T>(const Dims&, const T*, const Dims&, T, T, T*);
OM_FOR_EACH_TYPE(OM_INSTANTIATE)
#undef OM_INSTANTIATE

}  // namespace onemodel::kernels

#include "kernels/portable/quantise.h"

#include <algorithm>
#include <limits>

#include "core/small_number.h"
#include "kernels/portable/internal.h"
#include "kernels/portable/loops.h"
#include "kernels/portable/rounding.h"
#include "kernels/portable/stream.h"

namespace onemodel::kernels {
namespace {

/// Elements that follow each other, with one scale or, with a step of 1, one after the other.
struct Run {
  int64_t begin, count, scale, step;
};

Run run_from(const ScaleLayout& l, int64_t begin) {
  const int64_t i = begin % l.inner, line = begin / l.inner, d = line % l.extent;
  const int64_t number = line / l.extent * l.outer_step + d / l.block * l.block_step + i * l.inner_step;
  const int64_t lines = std::min((d / l.block + 1) * l.block, l.extent) - d;
  return {begin, (l.inner_step == 0 ? lines * l.inner : l.inner) - i, number, l.inner_step};
}

/// Calls `f(run)` for runs of at most kPiece elements that make up all.
template <class F>
void for_runs(const ScaleLayout& layout, const F& f) {
  parallel(layout.count, grain_for(4), [&](int64_t begin, int64_t end) {
    while (begin < end) {
      Run run = run_from(layout, begin);
      run.count = std::min({run.count, end - begin, kPiece});
      f(run);
      begin += run.count;
    }
  });
}

/// y = f(x, scale, zero).
template <class X, class T, class Y, class F>
void map_scaled(const Run& run, const X* __restrict x, const T* __restrict scale, const int32_t* __restrict zero,
                Y* __restrict y, F f) {
  scale += run.scale;
  zero += run.scale;
  if (run.step == 0)
    for (int64_t i = 0; i < run.count; ++i) y[i] = f(x[i], *scale, *zero);
  else
    for (int64_t i = 0; i < run.count; ++i) y[i] = f(x[i], scale[i], zero[i]);
}

/// Rounds floats to a 16-bit type.
template <class H>
void round_to(float* values, int64_t count) {
  H narrowed[kPiece];
  narrow(values, count, narrowed);
  widen(narrowed, count, values);
}

void round_to(DType dtype, float* values, int64_t count) {
  if (dtype == DType::f16) round_to<Float16>(values, count);
  if (dtype == DType::bf16) round_to<BFloat16>(values, count);
}
void round_to(DType dtype, double* values, int64_t count) {
  if (dtype == DType::f64) return;
  float narrowed[kPiece];
  map(values, narrowed, count, [](double v) { return static_cast<float>(v); });
  round_to(dtype, narrowed, count);
  map(narrowed, values, count, [](float v) { return static_cast<double>(v); });
}

struct Bounds {
  int32_t low, high;
};

Bounds bounds_of(DType dtype) {
  switch (dtype) {
    case DType::i8: return {-128, 127};
    case DType::u8: return {0, 255};
    case DType::i16: return {-32768, 32767};
    case DType::u16: return {0, 65535};
    case DType::u4: return {0, 15};
    case DType::i4: return {-8, 7};
    case DType::u2: return {0, 3};
    case DType::i2: return {-2, 1};
    default: unsupported("quantise", dtype);
  }
}

/// Of integers that `dtype` holds.
void store(const int32_t* values, int64_t begin, int64_t count, DType dtype, void* y) {
  with_item(dtype_size(dtype), [&]<class U>(TypeTag<U>) {
    map(values, static_cast<U*>(y) + begin, count, [](int32_t v) { return static_cast<U>(v); });
  });
}

void load(DType dtype, const void* x, int64_t begin, int64_t count, int32_t* values) {
  const auto widen_from = [&]<class U>(TypeTag<U>) {
    map(static_cast<const U*>(x) + begin, values, count, [](U v) { return static_cast<int32_t>(v); });
  };
  switch (dtype) {
    case DType::i8: return widen_from(TypeTag<int8_t>{});
    case DType::u8: return widen_from(TypeTag<uint8_t>{});
    case DType::i16: return widen_from(TypeTag<int16_t>{});
    case DType::u16: return widen_from(TypeTag<uint16_t>{});
    case DType::i32: return widen_from(TypeTag<int32_t>{});
    default: break;
  }
  if (!is_small_integer(dtype)) unsupported("dequantise", dtype);
  map(static_cast<const uint8_t*>(x) + begin, values, count,
      [dtype](uint8_t v) { return static_cast<int32_t>(small_to_integer(dtype, v)); });
}

bool is_small_float(DType dtype) { return is_small(dtype) && !is_small_integer(dtype); }

}  // namespace

template <class T>
void quantise(const ScaleLayout& layout, const T* x, const T* scale, const int32_t* zero, DType quotient, DType dtype,
              bool saturate, void* y) {
  const bool to_float = is_small_float(dtype);
  const auto [low, high] = to_float ? Bounds{0, 0} : bounds_of(dtype);
  for_runs(layout, [&, low = low, high = high](const Run& run) {
    T quotients[kPiece];
    int32_t rounded[kPiece];
    map_scaled(run, x + run.begin, scale, zero, quotients, [](T value, T s, int32_t) { return value / s; });
    if (quotient != dtype_of<T>) round_to(quotient, quotients, run.count);
    if (to_float)
      return map(quotients, static_cast<uint8_t*>(y) + run.begin, run.count,
                 [=](T q) { return float_to_small(dtype, q, saturate); });
    map_scaled(run, quotients, scale, zero, rounded, [low, high](T value, T, int32_t z) {
      return round_within(value, static_cast<T>(low - z), static_cast<T>(high - z)) + z;
    });
    store(rounded, run.begin, run.count, dtype, y);
  });
}

template <class T>
void dequantise(const ScaleLayout& layout, DType dtype, const void* x, const T* scale, const int32_t* zero, T* y) {
  for_runs(layout, [&](const Run& run) {
    if (is_small_float(dtype))
      return map_scaled(
          run, static_cast<const uint8_t*>(x) + run.begin, scale, zero, y + run.begin,
          [dtype](uint8_t bits, T s, int32_t) { return static_cast<T>(small_to_float(dtype, bits)) * s; });
    int32_t values[kPiece];
    load(dtype, x, run.begin, run.count, values);
    map_scaled(run, values, scale, zero, y + run.begin,
               [](int32_t value, T s, int32_t z) { return static_cast<T>(wrapping_sub(value, z)) * s; });
  });
}

template void quantise(const ScaleLayout&, const float*, const float*, const int32_t*, DType, DType, bool, void*);
template void quantise(const ScaleLayout&, const double*, const double*, const int32_t*, DType, DType, bool, void*);
template void dequantise(const ScaleLayout&, DType, const void*, const float*, const int32_t*, float*);
template void dequantise(const ScaleLayout&, DType, const void*, const double*, const int32_t*, double*);

}  // namespace onemodel::kernels

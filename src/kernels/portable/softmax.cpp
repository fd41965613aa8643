#include "kernels/portable/softmax.h"

#include <algorithm>
#include <vector>

#include "core/math.h"
#include "kernels/portable/fold.h"
#include "kernels/portable/half.h"
#include "kernels/portable/internal.h"
#include "kernels/portable/loops.h"

namespace onemodel::kernels {
namespace {

constexpr int64_t kColumns = 64;

/// One contiguous row; y may be x.
template <class C>
void normalise_row(bool logarithm, const C* x, C* y, int64_t length) {
  const C highest = fold(FoldOp::max, x, length);
  Fold<C, 1> total(FoldOp::sum);
  C piece[kBlock];
  for (int64_t i = 0; i < length; i += kBlock) {
    const int64_t count = std::min(kBlock, length - i);
    map(x + i, piece, count, [highest](C v) { return math::exp(v - highest); });
    total.add_run(piece, count);
    if (!logarithm) std::copy_n(piece, count, y + i);
  }
  const C sum = *total.finish();
  if (!logarithm) {
    for (int64_t i = 0; i < length; ++i) y[i] /= sum;
    return;
  }
  const C shift = math::log(sum);
  for (int64_t i = 0; i < length; i += kBlock) {
    const int64_t count = std::min(kBlock, length - i);
    map(x + i, piece, count, [=](C v) { return (v - highest) - shift; });
    std::copy_n(piece, count, y + i);
  }
}

/// `width` <= kColumns neighbouring columns, `stride` from row to row; y may be x.
template <class C>
void normalise_columns(bool logarithm, const C* x, C* y, int64_t stride, int64_t length, int64_t width) {
  Fold<C, kColumns> extreme(FoldOp::max), total(FoldOp::sum);
  for (int64_t i = 0; i < length; ++i) extreme.add_row(x + i * stride, width);
  const C* highest = extreme.finish();
  C row[kColumns], shift[kColumns];
  for (int64_t i = 0; i < length; ++i) {
    zip(x + i * stride, highest, row, width, [](C v, C h) { return math::exp(v - h); });
    total.add_row(row, width);
    if (!logarithm) std::copy_n(row, width, y + i * stride);
  }
  const C* sum = total.finish();
  map(sum, shift, width, [](C v) { return math::log(v); });
  for (int64_t i = 0; i < length; ++i) {
    C* out = y + i * stride;
    if (logarithm) {
      zip(x + i * stride, highest, row, width, [](C v, C h) { return v - h; });
      zip(row, shift, out, width, [](C v, C s) { return v - s; });
    } else {
      update(out, sum, 1, width, [](C v, C s) { return v / s; });
    }
  }
}

template <class C>
void normalise_panel(bool logarithm, const C* x, C* y, int64_t stride, int64_t length, int64_t width) {
  if (stride == 1)
    normalise_row(logarithm, x, y, length);
  else
    normalise_columns(logarithm, x, y, stride, length, width);
}

template <class T>
void normalise(bool logarithm, int64_t outer, int64_t length, int64_t inner, const T* x, T* y) {
  if (outer == 0 || length == 0 || inner == 0) return;
  const int64_t panels = (inner + kColumns - 1) / kColumns;
  const int64_t cost = 16 * length * std::min(inner, kColumns);
  parallel(outer * panels, grain_for(cost), [&](int64_t begin, int64_t end) {
    std::vector<float> wide;
    for (int64_t job = begin; job < end; ++job) {
      const int64_t left = job % panels * kColumns;
      const int64_t width = std::min(kColumns, inner - left);
      const int64_t offset = job / panels * length * inner + left;
      if constexpr (Half<T>) {
        wide.resize(static_cast<size_t>(length * width));
        for (int64_t i = 0; i < length; ++i) widen(x + offset + i * inner, width, wide.data() + i * width);
        normalise_panel(logarithm, wide.data(), wide.data(), width, length, width);
        for (int64_t i = 0; i < length; ++i) narrow(wide.data() + i * width, width, y + offset + i * inner);
      } else {
        normalise_panel(logarithm, x + offset, y + offset, inner, length, width);
      }
    }
  });
}

}  // namespace

template <class T>
void softmax(int64_t outer, int64_t length, int64_t inner, const T* x, T* y) {
  if constexpr (Floating<T>)
    normalise(false, outer, length, inner, x, y);
  else
    unsupported("softmax", dtype_of<T>);
}

template <class T>
void log_softmax(int64_t outer, int64_t length, int64_t inner, const T* x, T* y) {
  if constexpr (Floating<T>)
    normalise(true, outer, length, inner, x, y);
  else
    unsupported("log_softmax", dtype_of<T>);
}

#define OM_INSTANTIATE(T)                                            \
  template void softmax<T>(int64_t, int64_t, int64_t, const T*, T*); \
  template void log_softmax<T>(int64_t, int64_t, int64_t, const T*, T*);
OM_FOR_EACH_TYPE(OM_INSTANTIATE)
#undef OM_INSTANTIATE

}  // namespace onemodel::kernels

#include "kernels/portable/layer_norm.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "kernels/portable/fold.h"
#include "kernels/portable/half.h"
#include "kernels/portable/internal.h"
#include "kernels/portable/loops.h"

namespace onemodel::kernels {
namespace {

template <class C>
struct Statistics {
  C mean, inverse;
};

// Centres `row` in place.
template <class C>
Statistics<C> centre(C* row, int64_t length, double epsilon) {
  constexpr C nan = std::numeric_limits<C>::quiet_NaN();
  if (length == 0) return {nan, nan};
  const C count = static_cast<C>(length);
  const C mean = fold(FoldOp::sum, row, length) / count;
  for (int64_t i = 0; i < length; ++i) row[i] -= mean;
  Fold<C, 1> squares(FoldOp::sum);
  C piece[kBlock];
  for (int64_t i = 0; i < length; i += kBlock) {
    const int64_t n = std::min(kBlock, length - i);
    map(row + i, piece, n, [](C v) { return v * v; });
    squares.add_run(piece, n);
  }
  const C variance = *squares.finish() / count;
  return {mean, C(1) / std::sqrt(variance + static_cast<C>(epsilon))};
}

// y = row * inverse * scale + bias.
template <class T, class C>
void scale_row(const C* row, int64_t length, C inverse, const RowAffine<T>& affine, int64_t index, C* y) {
  if (affine.per_row > 0) {
    const int64_t channel = index % affine.per_row;
    const C scale = static_cast<C>(affine.scale[channel]);
    const C bias = affine.bias ? static_cast<C>(affine.bias[channel]) : C(0);
    for (int64_t i = 0; i < length; ++i) y[i] = row[i] * inverse * scale + bias;
    return;
  }
  for (int64_t i = 0; i < length; ++i) y[i] = row[i] * inverse * static_cast<C>(affine.scale[i]);
  if (affine.bias)
    for (int64_t i = 0; i < length; ++i) y[i] += static_cast<C>(affine.bias[i]);
}

}  // namespace

template <class T>
void layer_norm(int64_t rows, int64_t length, const T* x, const RowAffine<T>& affine, double epsilon, T* y,
                double* mean, double* inverse) {
  if constexpr (!Floating<T>) {
    unsupported("layer_norm", dtype_of<T>);
  } else {
    using C = Compute<T>;
    parallel(rows, grain_for(8 * length), [&](int64_t begin, int64_t end) {
      std::vector<C> row(static_cast<size_t>(length)), out(Half<T> ? row.size() : 0);
      for (int64_t r = begin; r < end; ++r) {
        if constexpr (Half<T>)
          widen(x + r * length, length, row.data());
        else
          std::copy_n(x + r * length, length, row.data());
        const Statistics<C> found = centre(row.data(), length, epsilon);
        if (mean) mean[r] = static_cast<double>(found.mean);
        if (inverse) inverse[r] = static_cast<double>(found.inverse);
        if constexpr (Half<T>) {
          scale_row(row.data(), length, found.inverse, affine, r, out.data());
          narrow(out.data(), length, y + r * length);
        } else {
          scale_row(row.data(), length, found.inverse, affine, r, y + r * length);
        }
      }
    });
  }
}

#define OM_INSTANTIATE(T) \
  template void layer_norm<T>(int64_t, int64_t, const T*, const RowAffine<T>&, double, T*, double*, double*);
OM_FOR_EACH_TYPE(OM_INSTANTIATE)
#undef OM_INSTANTIATE

}  // namespace onemodel::kernels

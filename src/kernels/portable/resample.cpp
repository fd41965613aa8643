#include "kernels/portable/resample.h"

#include <algorithm>

#include "kernels/portable/internal.h"
#include "kernels/portable/loops.h"

namespace onemodel::kernels {
namespace {

template <class T>
void add_scaled(const T* x, T weight, int64_t count, T* y) {
  update(y, x, 1, count, [weight](T sum, T v) { return sum + weight * v; });
}

}  // namespace

template <class T>
void resample(int64_t outer, int64_t inner, const Taps& taps, const T* x, T* y) {
  if constexpr (!Real<T>) {
    unsupported("resample", dtype_of<T>);
  } else {
    parallel(outer, grain_for(2 * taps.count * taps.taps * inner), [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i)
        for (int64_t o = 0; o < taps.count; ++o) {
          T* to = y + (i * taps.count + o) * inner;
          std::fill_n(to, inner, T(0));
          for (int64_t k = o * taps.taps; k < (o + 1) * taps.taps; ++k) {
            const auto at = static_cast<size_t>(k);
            add_scaled(x + (i * taps.extent + taps.index[at]) * inner, static_cast<T>(taps.weight[at]), inner, to);
          }
        }
    });
  }
}

template <class T>
void resample_gradient(int64_t outer, int64_t inner, const Taps& taps, const T* y_gradient, T* x_gradient) {
  if constexpr (!Real<T>) {
    unsupported("resample_gradient", dtype_of<T>);
  } else {
    parallel(outer, grain_for(2 * taps.count * taps.taps * inner), [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) {
        std::fill_n(x_gradient + i * taps.extent * inner, taps.extent * inner, T(0));
        for (int64_t k = 0; k < taps.count * taps.taps; ++k) {
          const auto at = static_cast<size_t>(k);
          add_scaled(y_gradient + (i * taps.count + k / taps.taps) * inner, static_cast<T>(taps.weight[at]), inner,
                     x_gradient + (i * taps.extent + taps.index[at]) * inner);
        }
      }
    });
  }
}

#define OM_INSTANTIATE(T)                                                 \
  template void resample<T>(int64_t, int64_t, const Taps&, const T*, T*); \
  template void resample_gradient<T>(int64_t, int64_t, const Taps&, const T*, T*);
OM_FOR_EACH_TYPE(OM_INSTANTIATE)
#undef OM_INSTANTIATE

}  // namespace onemodel::kernels

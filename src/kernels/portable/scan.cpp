#include "kernels/portable/scan.h"

#include "kernels/portable/internal.h"

namespace onemodel::kernels {

template <class T>
void cumulative_sum(const Lines& lines, bool exclusive, bool reverse, const T* x, T* y) {
  if constexpr (!Numeric<T>) {
    unsupported("a cumulative sum", dtype_of<T>);
  } else {
    const int64_t step = reverse ? -lines.inner : lines.inner;
    parallel(lines.count(), grain_for(lines.length), [&](int64_t begin, int64_t end) {
      for (int64_t line = begin; line < end; ++line) {
        int64_t at = lines.start(line) + (reverse ? (lines.length - 1) * lines.inner : 0);
        Compute<T> sum(0);
        for (int64_t i = 0; i < lines.length; ++i, at += step) {
          const Compute<T> before = sum;
          sum = wrapping_add(sum, static_cast<Compute<T>>(x[at]));
          y[at] = static_cast<T>(exclusive ? before : sum);
        }
      }
    });
  }
}

#define OM_INSTANTIATE(T) template void cumulative_sum<T>(const Lines&, bool, bool, const T*, T*);
OM_FOR_EACH_TYPE(OM_INSTANTIATE)
#undef OM_INSTANTIATE

}  // namespace onemodel::kernels

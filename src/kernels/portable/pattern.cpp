#include "kernels/portable/pattern.h"

#include <algorithm>
#include <cstring>

#include "kernels/portable/copy.h"
#include "kernels/portable/internal.h"

namespace onemodel::kernels {

void triangle(size_t item, int64_t batch, int64_t rows, int64_t columns, int64_t k, bool upper, const void* x,
              void* y) {
  with_item(item, [&]<class U>(TypeTag<U>) {
    parallel(batch * rows, grain_for(columns), [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) {
        const U* from = static_cast<const U*>(x) + i * columns;
        U* to = static_cast<U*>(y) + i * columns;
        for (int64_t c = 0; c < columns; ++c) {
          const int64_t side = c - i % rows;
          to[c] = (upper ? side >= k : side <= k) ? from[c] : U(0);
        }
      }
    });
  });
}

void diagonal(size_t item, int64_t rows, int64_t columns, int64_t k, const void* one, void* y) {
  std::memset(y, 0, static_cast<size_t>(rows * columns) * item);
  if (k >= columns || k <= -rows) return;
  auto* to = static_cast<std::byte*>(y);
  for (int64_t r = std::max<int64_t>(0, -k); r < std::min(rows, columns - k); ++r)
    std::memcpy(to + (r * columns + r + k) * static_cast<int64_t>(item), one, item);
}

void one_hot(size_t item, const Lines& lines, const int64_t* indices, const void* off, const void* on, void* y) {
  fill(item, lines.count() * lines.length, off, y);
  with_item(item, [&]<class U>(TypeTag<U>) {
    const U hot = *static_cast<const U*>(on);
    U* to = static_cast<U*>(y);
    parallel(lines.count(), grain_for(1), [&](int64_t begin, int64_t end) {
      for (int64_t line = begin; line < end; ++line) {
        const int64_t index = indices[line];
        if (index < -lines.length || index >= lines.length) continue;
        to[lines.start(line) + (index < 0 ? index + lines.length : index) * lines.inner] = hot;
      }
    });
  });
}

template <class T>
void progression(T start, T step, int64_t count, T* y) {
  if constexpr (!Numeric<T>) {
    unsupported("a range", dtype_of<T>);
  } else {
    const auto first = static_cast<Compute<T>>(start), by = static_cast<Compute<T>>(step);
    parallel(count, grain_for(1), [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i)
        y[i] = static_cast<T>(wrapping_add(first, wrapping_mul(static_cast<Compute<T>>(i), by)));
    });
  }
}

#define OM_INSTANTIATE(T) template void progression<T>(T, T, int64_t, T*);
OM_FOR_EACH_TYPE(OM_INSTANTIATE)
#undef OM_INSTANTIATE

}  // namespace onemodel::kernels

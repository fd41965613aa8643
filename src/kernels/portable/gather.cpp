#include "kernels/portable/gather.h"

#include <algorithm>

#include "kernels/portable/internal.h"
#include "kernels/portable/loops.h"

namespace onemodel::kernels {
namespace {

template <class I>
void check_indices(const GatherShape& shape, const I* indices) {
  for (int64_t i = 0; i < shape.count; ++i)
    check<ShapeError>(indices[i] >= -shape.extent && indices[i] < shape.extent, "index ",
                      indices[i], " is out of range for an extent of ", shape.extent);
}

template <class I>
int64_t row_of(const GatherShape& shape, I index) {
  return index < 0 ? index + shape.extent : index;
}

template <class T>
T added(T sum, T value) {
  if constexpr (Half<T>)
    return T(static_cast<float>(sum) + static_cast<float>(value));
  else
    return wrapping_add(sum, value);
}

}  // namespace

template <class I>
void gather(size_t item, const GatherShape& shape, const void* x, const I* indices, void* y) {
  check_indices(shape, indices);
  const int64_t inner = shape.inner, count = shape.count;
  with_item(item, [&]<class U>(TypeTag<U>) {
    const U* from = static_cast<const U*>(x);
    U* to = static_cast<U*>(y);
    parallel(shape.outer * count, grain_for(inner), [&](int64_t begin, int64_t end) {
      for (int64_t r = begin; r < end; ++r) {
        const int64_t o = r / count, row = row_of(shape, indices[r % count]);
        const U* source = from + (o * shape.extent + row) * inner;
        if (inner == 1)
          to[r] = *source;
        else
          std::copy_n(source, inner, to + r * inner);
      }
    });
  });
}

template <class T, class I>
void scatter_add(const GatherShape& shape, const T* y, const I* indices, T* x) {
  if constexpr (!Numeric<T>) {
    unsupported("scatter_add", dtype_of<T>);
  } else {
    check_indices(shape, indices);
    // A job owns columns of x, so that rows named twice are summed in the order of the indices.
    constexpr int64_t kColumns = 64;
    const int64_t inner = shape.inner, blocks = (inner + kColumns - 1) / kColumns;
    const int64_t cost = shape.count * std::min(inner, kColumns);
    parallel(shape.outer * blocks, grain_for(cost), [&](int64_t begin, int64_t end) {
      for (int64_t job = begin; job < end; ++job) {
        const int64_t o = job / blocks, left = job % blocks * kColumns;
        const int64_t width = std::min(kColumns, inner - left);
        for (int64_t i = 0; i < shape.count; ++i) {
          const T* from = y + (o * shape.count + i) * inner + left;
          T* to = x + (o * shape.extent + row_of(shape, indices[i])) * inner + left;
          update(to, from, 1, width, [](T sum, T value) { return added(sum, value); });
        }
      }
    });
  }
}

template void gather<int32_t>(size_t, const GatherShape&, const void*, const int32_t*, void*);
template void gather<int64_t>(size_t, const GatherShape&, const void*, const int64_t*, void*);
#define OM_INSTANTIATE(T)                                                              \
  template void scatter_add<T>(const GatherShape&, const T*, const int32_t*, T*);      \
  template void scatter_add<T>(const GatherShape&, const T*, const int64_t*, T*);
OM_FOR_EACH_TYPE(OM_INSTANTIATE)
#undef OM_INSTANTIATE

}  // namespace onemodel::kernels

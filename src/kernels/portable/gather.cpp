#include "kernels/portable/gather.h"

#include <algorithm>
#include <vector>

#include "kernels/portable/internal.h"
#include "kernels/portable/loops.h"

namespace onemodel::kernels {
namespace {

/// The indices as rows counted from the front; ShapeError for one outside.
template <class I>
std::vector<int64_t> rows_of(const GatherShape& shape, const I* indices) {
  std::vector<int64_t> rows(static_cast<size_t>(shape.count));
  for (size_t i = 0; i < rows.size(); ++i) {
    const int64_t index = indices[i];
    check<ShapeError>(index >= -shape.extent && index < shape.extent, "index ", index,
                      " is out of range for an extent of ", shape.extent);
    rows[i] = index < 0 ? index + shape.extent : index;
  }
  return rows;
}

template <class T>
T added(T sum, T value) {
  if constexpr (Half<T>)
    return T(static_cast<float>(sum) + static_cast<float>(value));
  else
    return wrapping_add(sum, value);
}

/// A job owns columns of x, so that rows named twice are summed in the order of the indices.
template <class T>
void add_rows(const GatherShape& shape, const T* y, const std::vector<int64_t>& rows, T* x) {
  constexpr int64_t kColumns = 64;
  const int64_t inner = shape.inner, blocks = (inner + kColumns - 1) / kColumns;
  const int64_t cost = shape.count * std::min(inner, kColumns);
  parallel(shape.outer * blocks, grain_for(cost), [&](int64_t begin, int64_t end) {
    for (int64_t job = begin; job < end; ++job) {
      const int64_t o = job / blocks, left = job % blocks * kColumns;
      const T* from = y + o * shape.count * inner + left;
      for (const int64_t row : rows) {
        update(x + (o * shape.extent + row) * inner + left, from, 1, std::min(kColumns, inner - left),
               [](T sum, T value) { return added(sum, value); });
        from += inner;
      }
    }
  });
}

}  // namespace

template <class I>
void gather(size_t item, const GatherShape& shape, const void* x, const I* indices, void* y) {
  const std::vector<int64_t> rows = rows_of(shape, indices);
  const int64_t inner = shape.inner, count = shape.count;
  with_item(item, [&]<class U>(TypeTag<U>) {
    const U* from = static_cast<const U*>(x);
    U* to = static_cast<U*>(y);
    parallel(shape.outer * count, grain_for(inner), [&](int64_t begin, int64_t end) {
      for (int64_t r = begin; r < end; ++r) {
        const int64_t row = r / count * shape.extent + rows[static_cast<size_t>(r % count)];
        if (inner == 1)
          to[r] = from[row];
        else
          std::copy_n(from + row * inner, inner, to + r * inner);
      }
    });
  });
}

template <class T, class I>
void scatter_add(const GatherShape& shape, const T* y, const I* indices, T* x) {
  if constexpr (!Numeric<T>) {
    unsupported("scatter_add", dtype_of<T>);
  } else if constexpr (Integer<T>) {
    using U = std::make_unsigned_t<T>;
    add_rows(shape, reinterpret_cast<const U*>(y), rows_of(shape, indices), reinterpret_cast<U*>(x));
  } else {
    add_rows(shape, y, rows_of(shape, indices), x);
  }
}

template void gather<int32_t>(size_t, const GatherShape&, const void*, const int32_t*, void*);
template void gather<int64_t>(size_t, const GatherShape&, const void*, const int64_t*, void*);
#define OM_INSTANTIATE(T)                                                         \
  template void scatter_add<T>(const GatherShape&, const T*, const int32_t*, T*); \
  template void scatter_add<T>(const GatherShape&, const T*, const int64_t*, T*);
OM_FOR_EACH_TYPE(OM_INSTANTIATE)
#undef OM_INSTANTIATE

}  // namespace onemodel::kernels

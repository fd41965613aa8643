#include "kernels/portable/scatter.h"

#include <algorithm>

#include "kernels/portable/internal.h"
#include "kernels/portable/loops.h"

namespace onemodel::kernels {
namespace {

int64_t checked(int64_t index, int64_t extent) {
  check<ShapeError>(index >= -extent && index < extent, "index ", index, " is out of range for an extent of ", extent);
  return index < 0 ? index + extent : index;
}

/// Calls `f(count, offset)` for every place of `dims` in row-major order, with its offset by `strides`.
template <class F>
void for_each_place(const Dims& dims, const Dims& strides, const F& f) {
  const int64_t total = numel(dims);
  Dims index = Dims::filled(dims.size(), 0);
  for (int64_t count = 0, offset = 0; count < total; ++count) {
    f(count, offset);
    for (size_t i = dims.size(); i-- > 0;) {
      offset += strides[i];
      if (++index[i] < dims[i]) break;
      offset -= index[i] * strides[i];
      index[i] = 0;
    }
  }
}

template <class I>
Places places_along(const I* indices, const Dims& index_dims, const Dims& data_dims, size_t axis) {
  Places places;
  places.offsets.resize(static_cast<size_t>(numel(index_dims)));
  Dims strides = contiguous_strides(data_dims);
  const int64_t step = strides[axis];
  strides[axis] = 0;
  for_each_place(index_dims, strides, [&](int64_t i, int64_t offset) {
    places.offsets[static_cast<size_t>(i)] = offset + checked(indices[i], data_dims[axis]) * step;
  });
  return places;
}

/// Joins `width` columns from column `left` on of all runs, in order.
using JoinRuns = void (*)(const Places& places, int64_t left, int64_t width, const void* y, void* x);

template <class T, class Combine>
void join_runs(const Places& places, int64_t left, int64_t width, const void* y, void* x) {
  const T* from = static_cast<const T*>(y) + left;
  T* to = static_cast<T*>(x) + left;
  for (const int64_t offset : places.offsets) {
    update(to + offset, from, 1, width, Combine());
    from += places.length;
  }
}

struct Replace {
  template <class T>
  T operator()(T, T update) const {
    return update;
  }
};

/// `F` of old and update, computed in Compute<T>.
template <class T, class F>
struct Rounded {
  using C = Compute<T>;
  T operator()(T old, T update) const { return static_cast<T>(F()(static_cast<C>(old), static_cast<C>(update))); }
};

template <Numeric T>
JoinRuns joining(Scatter op) {
  using C = Compute<T>;
  constexpr auto add = [](C a, C b) { return wrapping_add(a, b); };
  constexpr auto mul = [](C a, C b) { return wrapping_mul(a, b); };
  constexpr auto min = [](C a, C b) { return b < a || b != b ? b : a; };
  constexpr auto max = [](C a, C b) { return b > a || b != b ? b : a; };
  switch (op) {
    case Scatter::add: return join_runs<T, Rounded<T, decltype(add)>>;
    case Scatter::mul: return join_runs<T, Rounded<T, decltype(mul)>>;
    case Scatter::min: return join_runs<T, Rounded<T, decltype(min)>>;
    default: return join_runs<T, Rounded<T, decltype(max)>>;
  }
}

JoinRuns joining(DType dtype, Scatter op) {
  if (op == Scatter::none)
    return with_item(dtype_size(dtype), []<class U>(TypeTag<U>) -> JoinRuns { return join_runs<U, Replace>; });
  return visit_dtype(dtype, [&]<class T>(TypeTag<T>) -> JoinRuns {
    if constexpr (Numeric<T>) return joining<T>(op);
    unsupported("a scatter with reduction", dtype_of<T>);
  });
}

}  // namespace

Places element_places(DType dtype, const void* indices, const Dims& index_dims, const Dims& data_dims, size_t axis) {
  return dtype == DType::i32 ? places_along(static_cast<const int32_t*>(indices), index_dims, data_dims, axis)
                             : places_along(static_cast<const int64_t*>(indices), index_dims, data_dims, axis);
}

Places row_places(const int64_t* indices, const Dims& index_dims, const Dims& data_dims, size_t batch) {
  const auto depth = static_cast<size_t>(index_dims.back());
  const Dims data_strides = contiguous_strides(data_dims);
  Dims dims = index_dims, strides = Dims::filled(index_dims.size() - 1, 0);
  dims.erase(dims.size() - 1);
  std::copy_n(data_strides.begin(), batch, strides.begin());
  Places places;
  for (size_t i = batch + depth; i < data_dims.size(); ++i) places.length *= data_dims[i];
  places.offsets.resize(static_cast<size_t>(numel(dims)));
  for_each_place(dims, strides, [&](int64_t i, int64_t offset) {
    for (size_t k = 0; k < depth; ++k) {
      const int64_t index = indices[i * index_dims.back() + static_cast<int64_t>(k)];
      offset += checked(index, data_dims[batch + k]) * data_strides[batch + k];
    }
    places.offsets[static_cast<size_t>(i)] = offset;
  });
  return places;
}

void gather_places(size_t item, const Places& places, const void* x, void* y) {
  const int64_t length = places.length;
  with_item(item, [&]<class U>(TypeTag<U>) {
    const U* from = static_cast<const U*>(x);
    U* to = static_cast<U*>(y);
    parallel(static_cast<int64_t>(places.offsets.size()), grain_for(length), [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i)
        std::copy_n(from + places.offsets[static_cast<size_t>(i)], length, to + i * length);
    });
  });
}

void scatter_places(DType dtype, Scatter op, const Places& places, const void* y, void* x) {
  const JoinRuns join = joining(dtype, op);
  // a job owns columns of the runs, so that runs that overlap are joined in order
  constexpr int64_t kColumns = 64;
  const int64_t length = places.length, blocks = (length + kColumns - 1) / kColumns;
  const auto cost = static_cast<int64_t>(places.offsets.size()) * std::min(length, kColumns);
  parallel(blocks, grain_for(cost), [&](int64_t begin, int64_t end) {
    for (int64_t left = begin * kColumns; left < std::min(end * kColumns, length); left += kColumns)
      join(places, left, std::min(kColumns, length - left), y, x);
  });
}

}  // namespace onemodel::kernels

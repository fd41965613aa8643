#include "kernels/portable/reduce.h"

#include "kernels/portable/elementwise.h"
#include "kernels/portable/fold.h"
#include "kernels/portable/stream.h"

namespace onemodel::kernels {
namespace {

/// The offset of row-major place `index`.
int64_t offset_of(const Walk& walk, int64_t index) {
  int64_t offset = 0;
  for (size_t i = walk.dims.size(); i-- > 0;) {
    offset += index % walk.dims[i] * walk.strides[i];
    index /= walk.dims[i];
  }
  return offset;
}

template <class T>
T finished(Compute<T> value, bool mean, int64_t count) {
  return static_cast<T>(mean ? value / static_cast<Compute<T>>(count) : value);
}

template <class T>
T of_nothing(Reduce op) {
  using Limits = std::numeric_limits<Compute<T>>;
  constexpr bool infinite = Limits::has_infinity;
  switch (op) {
    case Reduce::sum: return T(0);
    case Reduce::mean: return T(Floating<T> ? Limits::quiet_NaN() : Compute<T>(0));
    case Reduce::max: return T(infinite ? -Limits::infinity() : Limits::lowest());
    case Reduce::min: return T(infinite ? Limits::infinity() : Limits::max());
    case Reduce::prod: break;
  }
  return T(1);
}

FoldOp fold_op(Reduce op) {
  switch (op) {
    case Reduce::max: return FoldOp::max;
    case Reduce::min: return FoldOp::min;
    case Reduce::prod: return FoldOp::prod;
    default: return FoldOp::sum;
  }
}

/// Each output alone, its elements streamed.
template <class T>
void fold_rows(Reduce op, const ReduceShape& shape, int64_t outputs, int64_t count, const T* x, T* y) {
  const Walk kept(shape.kept, shape.kept_strides);
  parallel(outputs, grain_for(count), [&](int64_t begin, int64_t end) {
    Reader<T> reader(x, shape.reduced, shape.reduced_strides);
    Fold<Compute<T>, 1> column(fold_op(op));
    for (int64_t o = begin; o < end; ++o) {
      reader.rebase(x + offset_of(kept, o));
      for (int64_t i = 0; i < count; i += kBlock) {
        const int64_t run = std::min(kBlock, count - i);
        column.add_run(reader.read(i, run), run);
      }
      y[o] = finished<T>(*column.finish(), op == Reduce::mean, count);
    }
  });
}

/// Neighbouring outputs side by side, for x contiguous along the last kept axis.
template <class T>
void fold_columns(Reduce op, const ReduceShape& shape, int64_t outputs, int64_t count, const T* x, T* y) {
  constexpr int64_t kColumns = 64;
  const Walk kept(shape.kept, shape.kept_strides), reduced(shape.reduced, shape.reduced_strides);
  const int64_t length = kept.dims.back();
  const int64_t panels = (length + kColumns - 1) / kColumns;
  const int64_t inner = reduced.dims.back(), inner_stride = reduced.strides.back();
  const int64_t cost = count * std::min(length, kColumns);
  parallel(outputs / length * panels, grain_for(cost), [&](int64_t begin, int64_t end) {
    Fold<Compute<T>, kColumns> columns(fold_op(op));
    float wide[Half<T> ? kColumns : 1];
    for (int64_t job = begin; job < end; ++job) {
      const int64_t left = job % panels * kColumns;
      const int64_t first = job / panels * length + left;
      const int64_t width = std::min(kColumns, length - left);
      const T* base = x + offset_of(kept, first);
      for (int64_t i = 0; i < count; i += inner) {
        const T* row = base + offset_of(reduced, i);
        for (int64_t r = 0; r < inner; ++r, row += inner_stride) {
          if constexpr (Half<T>) {
            widen(row, width, wide);
            columns.add_row(wide, width);
          } else {
            columns.add_row(row, width);
          }
        }
      }
      const Compute<T>* result = columns.finish();
      for (int64_t j = 0; j < width; ++j) y[first + j] = finished<T>(result[j], op == Reduce::mean, count);
    }
  });
}

template <class T>
void fold_axes(Reduce op, const ReduceShape& shape, const T* x, T* y) {
  const int64_t outputs = numel(shape.kept), count = numel(shape.reduced);
  const Walk kept(shape.kept, shape.kept_strides), reduced(shape.reduced, shape.reduced_strides);
  if (kept.strides.back() == 1 && kept.dims.back() > 1 && !reduced.contiguous())
    fold_columns(op, shape, outputs, count, x, y);
  else
    fold_rows(op, shape, outputs, count, x, y);
}

/// Shorter integers as the 64-bit ones W, of which they keep the low bits.
template <class W, class T>
void fold_widened(Reduce op, const ReduceShape& shape, const T* x, T* y) {
  Dims dims = shape.kept, strides = shape.kept_strides, axes;
  for (size_t i = 0; i < shape.reduced.size(); ++i) {
    axes.push_back(static_cast<int64_t>(dims.size()));
    dims.push_back(shape.reduced[i]);
    strides.push_back(shape.reduced_strides[i]);
  }
  const int64_t outputs = numel(shape.kept);
  const auto wide = scratch<W>(numel(dims)), result = scratch<W>(outputs);
  cast(dims, dtype_of<T>, x, strides, dtype_of<W>, wide.get());
  fold_axes(op, ReduceShape::over(dims, contiguous_strides(dims), axes), wide.get(), result.get());
  cast(Dims{outputs}, dtype_of<W>, result.get(), Dims{1}, dtype_of<T>, y);
}

}  // namespace

ReduceShape ReduceShape::over(const Dims& dims, const Dims& strides, const Dims& axes) {
  ReduceShape shape;
  for (size_t i = 0; i < dims.size(); ++i) {
    const bool gone = std::find(axes.begin(), axes.end(), static_cast<int64_t>(i)) != axes.end();
    (gone ? shape.reduced : shape.kept).push_back(dims[i]);
    (gone ? shape.reduced_strides : shape.kept_strides).push_back(strides[i]);
  }
  return shape;
}

template <class T>
void reduce(Reduce op, const ReduceShape& shape, const T* x, T* y) {
  if constexpr (!Numeric<T>) {
    unsupported("a reduction", dtype_of<T>);
  } else {
    const int64_t outputs = numel(shape.kept), count = numel(shape.reduced);
    if (outputs == 0) return;
    if (count == 0) {
      std::fill_n(y, outputs, of_nothing<T>(op));
      return;
    }
    if constexpr (Floating<T> || sizeof(T) == 8)
      fold_axes(op, shape, x, y);
    else
      fold_widened<std::conditional_t<std::is_signed_v<T>, int64_t, uint64_t>>(op, shape, x, y);
  }
}

#define OM_INSTANTIATE(T) template void reduce<T>(Reduce, const ReduceShape&, const T*, T*);
OM_FOR_EACH_TYPE(OM_INSTANTIATE)
#undef OM_INSTANTIATE

}  // namespace onemodel::kernels

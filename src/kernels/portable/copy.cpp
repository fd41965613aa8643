#include "kernels/portable/copy.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>

#include "kernels/portable/internal.h"

namespace onemodel::kernels {
namespace {

/// Axes of a copy without those of extent 1, neighbours merged where one stride on each side walks
/// both.
struct CopyAxes {
  Dims dims, from, to;

  CopyAxes(const Dims& d, const Dims& x, const Dims& y) {
    for (size_t i = 0; i < d.size(); ++i) {
      if (d[i] == 1) continue;
      const size_t last = dims.size() - 1;
      if (!dims.empty() && from[last] == d[i] * x[i] && to[last] == d[i] * y[i]) {
        dims[last] *= d[i];
        from[last] = x[i];
        to[last] = y[i];
      } else {
        append_axis(d[i], x[i], y[i]);
      }
    }
    if (dims.empty()) append_axis(1, 1, 1);
  }

  void append_axis(int64_t extent, int64_t x, int64_t y) {
    dims.push_back(extent);
    from.push_back(x);
    to.push_back(y);
  }
  void move_to_end(size_t axis) {
    for (Dims* d : {&dims, &from, &to}) std::rotate(d->begin() + axis, d->begin() + axis + 1, d->end());
  }
};

template <class U>
void copy_row(const U* x, int64_t x_stride, U* y, int64_t y_stride, int64_t count) {
  if (y_stride != 1) {
    for (int64_t i = 0; i < count; ++i) y[i * y_stride] = x[i * x_stride];
  } else if (x_stride == 1) {
    std::copy_n(x, count, y);
  } else if (x_stride == 0) {
    std::fill_n(y, count, *x);
  } else {
    for (int64_t i = 0; i < count; ++i) y[i] = x[i * x_stride];
  }
}

/// The last axis is that of the smallest output stride. When x is not contiguous along it but is
/// along another, the two are walked in square tiles.
template <class U>
void copy_axes(CopyAxes axes, const U* x, U* y) {
  const auto closest = [&](const Dims& strides) {
    size_t best = strides.size() - 1;
    for (size_t i = 0; i + 1 < strides.size(); ++i)
      if (std::abs(strides[i]) < std::abs(strides[best]) && strides[i] != 0) best = i;
    return best;
  };
  axes.move_to_end(closest(axes.to));
  const size_t source = closest(axes.from);
  const bool tiled = source + 1 != axes.dims.size() && axes.from.back() != 0;
  if (tiled) {
    axes.move_to_end(source);
    axes.move_to_end(axes.dims.size() - 2);
  } else {
    axes.append_axis(1, 0, 0);
    axes.move_to_end(axes.dims.size() - 2);
  }

  const size_t rank = axes.dims.size();
  const int64_t height = axes.dims[rank - 2], width = axes.dims[rank - 1];
  const int64_t tile_height = tiled ? 32 : 1, tile_width = tiled ? 32 : 8192;
  const int64_t rows = (height + tile_height - 1) / tile_height;
  const int64_t columns = (width + tile_width - 1) / tile_width;
  int64_t outer = 1;
  for (size_t i = 0; i + 2 < rank; ++i) outer *= axes.dims[i];
  const int64_t tile_size = std::min(tile_height, height) * std::min(tile_width, width);

  parallel(outer * rows * columns, grain_for(tile_size), [&](int64_t begin, int64_t end) {
    for (int64_t job = begin; job < end; ++job) {
      const int64_t left = job % columns * tile_width, top = job / columns % rows * tile_height;
      const U* from = x + top * axes.from[rank - 2] + left * axes.from[rank - 1];
      U* to = y + top * axes.to[rank - 2] + left * axes.to[rank - 1];
      int64_t rest = job / columns / rows;
      for (size_t i = rank - 2; i-- > 0;) {
        from += rest % axes.dims[i] * axes.from[i];
        to += rest % axes.dims[i] * axes.to[i];
        rest /= axes.dims[i];
      }
      const int64_t bottom = std::min(tile_height, height - top);
      for (int64_t r = 0; r < bottom; ++r)
        copy_row(from + r * axes.from[rank - 2], axes.from[rank - 1], to + r * axes.to[rank - 2], axes.to[rank - 1],
                 std::min(tile_width, width - left));
    }
  });
}

}  // namespace

void copy(size_t item, const Dims& dims, const void* x, const Dims& x_strides, void* y, const Dims& y_strides) {
  if (numel(dims) == 0) return;
  const CopyAxes axes(dims, x_strides, y_strides);
  with_item(item, [&]<class U>(TypeTag<U>) { copy_axes(axes, static_cast<const U*>(x), static_cast<U*>(y)); });
}

void copy(size_t item, const Dims& dims, const void* x, const Dims& x_strides, void* y) {
  copy(item, dims, x, x_strides, y, contiguous_strides(dims));
}

void fill(size_t item, int64_t count, const void* value, void* y) { copy(item, Dims{count}, value, Dims{0}, y); }

void concat(size_t item, int64_t outer, int64_t inner, std::span<const ConcatPart> parts, void* y) {
  int64_t total = 0;
  for (const ConcatPart& part : parts) total += part.length;
  auto* to = static_cast<std::byte*>(y);
  for (const ConcatPart& part : parts) {
    const int64_t row = part.length * inner;
    copy(item, Dims{outer, row}, part.data, Dims{row, 1}, to, Dims{total * inner, 1});
    to += row * static_cast<int64_t>(item);
  }
}

void pad(size_t item, const Dims& x_dims, const void* x, const Dims& x_strides, const Dims& pads_begin,
         const Dims& y_dims, const void* value, void* y) {
  fill(item, numel(y_dims), value, y);
  const Dims y_strides = contiguous_strides(y_dims);
  Dims dims;
  int64_t from = 0, to = 0;
  for (size_t i = 0; i < x_dims.size(); ++i) {
    const int64_t begin = std::max<int64_t>(0, pads_begin[i]);
    const int64_t end = std::min(y_dims[i], pads_begin[i] + x_dims[i]);
    if (end <= begin) return;
    dims.push_back(end - begin);
    from += (begin - pads_begin[i]) * x_strides[i];
    to += begin * y_strides[i];
  }
  const auto size = static_cast<int64_t>(item);
  copy(item, dims, static_cast<const std::byte*>(x) + from * size, x_strides, static_cast<std::byte*>(y) + to * size,
       y_strides);
}

void slice_gradient(size_t item, const Dims& y_dims, const void* y_gradient, const Dims& y_strides, const Dims& x_dims,
                    const Dims& starts, const Dims& steps, void* x_gradient) {
  std::memset(x_gradient, 0, static_cast<size_t>(numel(x_dims)) * item);
  if (numel(y_dims) == 0) return;
  Dims strides = contiguous_strides(x_dims);
  int64_t offset = 0;
  for (size_t i = 0; i < x_dims.size(); ++i) {
    offset += starts[i] * strides[i];
    strides[i] *= steps[i];
  }
  copy(item, y_dims, y_gradient, y_strides, static_cast<std::byte*>(x_gradient) + offset * static_cast<int64_t>(item),
       strides);
}

}  // namespace onemodel::kernels

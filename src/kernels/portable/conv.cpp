#include "kernels/portable/conv.h"

#include "kernels/portable/conv_taps.h"
#include "kernels/portable/gemm_pack.h"
#include "kernels/portable/internal.h"
#include "kernels/portable/loops.h"

namespace onemodel::kernels {
namespace {

/// One group of target channels for all images: the same for the forward direction and, once for
/// each phase of the strides, for the transpose.
template <class C>
struct Problem {
  TapAxes axes;
  std::vector<Tap3> taps;
  int64_t images, groups, sources, rows;      // source and target channels of one group
  Triple target;                              // extents of a target plane
  int64_t group_step, row_step, source_step;  // in the weights, beside taps[t].offset
  const C* source;
  const C* weights;
  const C* bias;
  C* result;

  int64_t source_plane() const { return axes[0].source * axes[1].source * axes[2].source; }
  const C* source_of(int64_t image, int64_t group) const {
    return source + (image * groups + group) * sources * source_plane();
  }
  const C* weights_of(int64_t group) const { return weights + group * group_step; }
  C* result_of(int64_t image, int64_t group, int64_t row) const {
    return result + ((image * groups + group) * rows + row) * volume(target);
  }
  C bias_of(int64_t group, int64_t row) const { return bias ? bias[group * rows + row] : C(0); }

  /// Row piece (d, h, w) of a target plane from `values`.
  void put(C* plane, int64_t d, int64_t h, int64_t w, int64_t length, const C* values, C added) const {
    const auto at = [&](size_t a, int64_t t) { return axes[a].start + t * axes[a].spread; };
    C* to = plane + (at(0, d) * target[1] + at(1, h)) * target[2] + at(2, w);
    const int64_t spread = axes[2].spread;
    if (spread == 1)
      for (int64_t i = 0; i < length; ++i) to[i] = values[i] + added;
    else
      for (int64_t i = 0; i < length; ++i) to[i * spread] = values[i] + added;
  }
};

/// As a matrix product: weights times what the targets see, which is laid out block by block.
template <class C>
class BlockConv {
 public:
  explicit BlockConv(const Problem<C>& problem) : p_(problem) {
    const int64_t rows = round_up(std::min(p_.rows, kBlockRows), kTileRows);
    const int64_t columns = round_up(std::min(targets(p_.axes), kBlockColumns<C>), kTileColumns<C>);
    const int64_t depth = std::min(depth_of_all(), kBlockDepth);
    left_ = scratch<C>(rows * depth);
    right_ = scratch<C>(columns / kTileColumns<C> * panel_size<C>(depth));
    seen_ = scratch<C>(columns);
    sums_ = scratch<C>(rows * columns);
  }

  int64_t depth_of_all() const { return p_.sources * static_cast<int64_t>(p_.taps.size()); }

  void run(int64_t image, int64_t group, int64_t top, int64_t first) {
    const int64_t rows = std::min(kBlockRows, p_.rows - top);
    const int64_t columns = std::min(kBlockColumns<C>, targets(p_.axes) - first);
    const SumBlock<C> sums{sums_.get(), rows, columns, round_up(columns, kTileColumns<C>)};
    const int64_t all = depth_of_all();
    if (all == 0) std::fill_n(sums.data, rows * sums.stride, C(0));
    for (int64_t begin = 0; begin < all; begin += kBlockDepth) {
      const int64_t depth = std::min(kBlockDepth, all - begin);
      pack_weights(p_.weights_of(group) + top * p_.row_step, rows, begin, depth);
      pack_seen(p_.source_of(image, group), first, columns, begin, depth);
      multiply_block(depth, left_.get(), Panels<C>{right_.get(), panel_size<C>(depth), kTileColumns<C>}, sums,
                     begin == 0 ? Start::fresh : Start::add);
    }
    for (int64_t r = 0; r < rows; ++r) {
      const C* values = sums.data + r * sums.stride;
      C* plane = p_.result_of(image, group, top + r);
      const C added = p_.bias_of(group, top + r);
      for_row_pieces(p_.axes, first, columns, [&](int64_t d, int64_t h, int64_t w, int64_t length) {
        p_.put(plane, d, h, w, length, values, added);
        values += length;
      });
    }
  }

 private:
  void pack_weights(const C* weights, int64_t rows, int64_t begin, int64_t depth) {
    const auto taps = static_cast<int64_t>(p_.taps.size());
    std::array<int64_t, kBlockDepth> offsets;
    for (int64_t q = 0; q < depth; ++q) {
      const auto tap = static_cast<size_t>((begin + q) % taps);
      offsets[static_cast<size_t>(q)] = (begin + q) / taps * p_.source_step + p_.taps[tap].offset;
    }
    pack_left(rows, depth, left_.get(),
              [&](int64_t r, int64_t q) { return weights[r * p_.row_step + offsets[static_cast<size_t>(q)]]; });
  }

  void pack_seen(const C* source, int64_t first, int64_t columns, int64_t begin, int64_t depth) {
    constexpr int64_t width = kTileColumns<C>;
    const auto taps = static_cast<int64_t>(p_.taps.size());
    std::fill_n(seen_.get() + columns, round_up(columns, width) - columns, C(0));
    for (int64_t q = 0; q < depth; ++q) {
      const int64_t channel = (begin + q) / taps;
      const Tap3& tap = p_.taps[static_cast<size_t>((begin + q) % taps)];
      see(p_.axes, tap, source + channel * p_.source_plane(), first, columns, seen_.get());
      C* to = right_.get() + q * width;
      for (int64_t j = 0; j < columns; j += width, to += panel_size<C>(depth)) std::copy_n(seen_.get() + j, width, to);
    }
  }

  const Problem<C>& p_;
  std::unique_ptr<C[]> left_, right_, seen_, sums_;
};

/// For few rows: one target row at a time, a tap at a time.
template <class C>
void convolve_row(const Problem<C>& p, int64_t image, int64_t group, int64_t row, int64_t d, int64_t h, C* sums) {
  const int64_t width = p.axes[2].count, step = p.axes[2].step;
  const C* weights = p.weights_of(group) + row * p.row_step;
  std::fill_n(sums, width, C(0));
  for (int64_t channel = 0; channel < p.sources; ++channel) {
    const C* plane = p.source_of(image, group) + channel * p.source_plane();
    for (const Tap3& tap : p.taps) {
      const C* from = source_row(p.axes, tap, d, h, plane);
      if (!from) continue;
      const C weight = weights[channel * p.source_step + tap.offset];
      const Range reach = tap.axis[2].reach;
      from += reach.begin * step + tap.axis[2].shift;
      update(sums + reach.begin, from, step, reach.end - reach.begin,
             [weight](C sum, C value) { return sum + weight * value; });
    }
  }
  p.put(p.result_of(image, group, row), d, h, 0, width, sums, p.bias_of(group, row));
}

template <class C>
void solve(const Problem<C>& p) {
  const int64_t columns = targets(p.axes);
  const auto depth = p.sources * static_cast<int64_t>(p.taps.size());
  if (columns == 0) return;
  if (p.rows < kTileRows) {
    const int64_t lines = p.axes[0].count * p.axes[1].count, width = p.axes[2].count;
    const int64_t cost = width * (depth + 1) / 2;
    parallel(p.images * p.groups * p.rows * lines, grain_for(cost), [&](int64_t begin, int64_t end) {
      const auto sums = scratch<C>(width);
      for (int64_t job = begin; job < end; ++job) {
        const int64_t line = job % lines, plane = job / lines;
        convolve_row(p, plane / p.rows / p.groups, plane / p.rows % p.groups, plane % p.rows, line / p.axes[1].count,
                     line % p.axes[1].count, sums.get());
      }
    });
    return;
  }
  const int64_t down = (p.rows + kBlockRows - 1) / kBlockRows;
  const int64_t across = (columns + kBlockColumns<C> - 1) / kBlockColumns<C>;
  const int64_t cost = std::min(p.rows, kBlockRows) * std::min(columns, kBlockColumns<C>) * (depth + 1) / 8;
  parallel(p.images * p.groups * down * across, grain_for(cost), [&](int64_t begin, int64_t end) {
    BlockConv<C> block(p);
    for (int64_t job = begin; job < end; ++job) {
      const int64_t plane = job / across / down;
      block.run(plane / p.groups, plane % p.groups, job / across % down * kBlockRows, job % across * kBlockColumns<C>);
    }
  });
}

}  // namespace

template <class T>
void conv(const ConvShape& shape, const T* x, const T* w, const T* bias, T* y) {
  if constexpr (!Real<T>) {
    unsupported("conv", dtype_of<T>);
  } else {
    const Window3 window("conv", shape.input, shape.output, shape.window);
    const int64_t sources = shape.in_channels / shape.groups;
    const int64_t kernel = volume(window.kernel);
    Problem<T> p;
    for (size_t a = 0; a < 3; ++a) p.axes[a] = TapAxis::forward(window, a);
    p.taps = all_taps(p.axes, window.kernel);
    p.images = shape.batch;
    p.groups = shape.groups;
    p.sources = sources;
    p.rows = shape.out_channels / shape.groups;
    p.target = window.output;
    p.group_step = p.rows * p.sources * kernel;
    p.row_step = sources * kernel;
    p.source_step = kernel;
    p.source = x;
    p.weights = w;
    p.bias = bias;
    p.result = y;
    solve(p);
  }
}

template <class T>
void conv_transpose(const ConvShape& shape, const T* y, const T* w, const T* bias, T* x) {
  if constexpr (!Real<T>) {
    unsupported("conv_transpose", dtype_of<T>);
  } else {
    const Window3 window("conv_transpose", shape.input, shape.output, shape.window);
    const int64_t kernel = volume(window.kernel);
    Problem<T> p;
    p.images = shape.batch;
    p.groups = shape.groups;
    p.sources = shape.out_channels / shape.groups;
    p.rows = shape.in_channels / shape.groups;
    p.target = window.input;
    p.group_step = p.rows * p.sources * kernel;
    p.row_step = kernel;
    p.source_step = p.rows * kernel;
    p.source = y;
    p.weights = w;
    p.bias = bias;
    p.result = x;
    for (int64_t phase = 0; phase < volume(window.stride); ++phase) {
      const int64_t across = window.stride[2], down = window.stride[1];
      p.axes = {TapAxis::transposed(window, 0, phase / across / down),
                TapAxis::transposed(window, 1, phase / across % down), TapAxis::transposed(window, 2, phase % across)};
      p.taps = all_taps(p.axes, window.kernel);
      solve(p);
    }
  }
}

#define OM_INSTANTIATE(T)                                                    \
  template void conv<T>(const ConvShape&, const T*, const T*, const T*, T*); \
  template void conv_transpose<T>(const ConvShape&, const T*, const T*, const T*, T*);
OM_FOR_EACH_TYPE(OM_INSTANTIATE)
#undef OM_INSTANTIATE

}  // namespace onemodel::kernels

#include "kernels/portable/conv.h"
#include "kernels/portable/conv_taps.h"
#include "kernels/portable/gemm_pack.h"
#include "kernels/portable/internal.h"

namespace onemodel::kernels {
namespace {

/// Sums over images and outputs; one column for each weight of an output channel.
template <class C>
struct Problem {
  TapAxes axes;
  std::vector<Tap3> taps;
  int64_t images, groups, sources, rows;  // input and output channels of one group
  const C* x;
  const C* gradient;
  C* result;

  int64_t source_plane() const { return axes[0].source * axes[1].source * axes[2].source; }
  int64_t columns() const { return sources * static_cast<int64_t>(taps.size()); }
  const Tap3& tap_of(int64_t column) const {
    return taps[static_cast<size_t>(column % static_cast<int64_t>(taps.size()))];
  }
  const C* source_of(int64_t image, int64_t group, int64_t column) const {
    const int64_t channel = column / static_cast<int64_t>(taps.size());
    return x + ((image * groups + group) * sources + channel) * source_plane();
  }
  const C* gradient_of(int64_t image, int64_t group, int64_t row) const {
    return gradient + ((image * groups + group) * rows + row) * targets(axes);
  }
  C* result_of(int64_t group, int64_t row) const { return result + (group * rows + row) * columns(); }
};

/// Few columns at a time, so that there are jobs enough for the threads.
template <class C>
constexpr int64_t kPanelColumns = 4 * kTileColumns<C>;

template <class C>
class BlockGradient {
 public:
  explicit BlockGradient(const Problem<C>& problem) : p_(problem) {
    const int64_t rows = round_up(std::min(p_.rows, kBlockRows), kTileRows);
    left_ = scratch<C>(rows * kBlockDepth);
    right_ = scratch<C>(kPanelColumns<C> / kTileColumns<C> * panel_size<C>(kBlockDepth));
    seen_ = scratch<C>(kBlockDepth);
    sums_ = scratch<C>(rows * kPanelColumns<C>);
  }

  void run(int64_t group, int64_t top, int64_t left) {
    const int64_t rows = std::min(kBlockRows, p_.rows - top);
    const int64_t columns = std::min(kPanelColumns<C>, p_.columns() - left);
    const int64_t outputs = targets(p_.axes);
    const SumBlock<C> sums{sums_.get(), rows, columns, round_up(columns, kTileColumns<C>)};
    Start start = Start::fresh;
    for (int64_t image = 0; image < p_.images; ++image) {
      const C* gradient = p_.gradient_of(image, group, top);
      for (int64_t begin = 0; begin < outputs; begin += kBlockDepth, start = Start::add) {
        const int64_t depth = std::min(kBlockDepth, outputs - begin);
        pack_left(rows, depth, left_.get(), [&](int64_t r, int64_t q) { return gradient[r * outputs + begin + q]; });
        pack_seen(image, group, left, columns, begin, depth);
        multiply_block(depth, left_.get(), Panels<C>{right_.get(), panel_size<C>(depth), kTileColumns<C>}, sums, start);
      }
    }
    for (int64_t r = 0; r < rows; ++r)
      std::copy_n(sums.data + r * sums.stride, columns, p_.result_of(group, top + r) + left);
  }

 private:
  void pack_seen(int64_t image, int64_t group, int64_t left, int64_t columns, int64_t begin, int64_t depth) {
    constexpr int64_t width = kTileColumns<C>;
    for (int64_t j = 0; j < round_up(columns, width); ++j) {
      if (j < columns)
        see(p_.axes, p_.tap_of(left + j), p_.source_of(image, group, left + j), begin, depth, seen_.get());
      else
        std::fill_n(seen_.get(), depth, C(0));
      C* to = right_.get() + j / width * panel_size<C>(depth) + j % width;
      for (int64_t q = 0; q < depth; ++q) to[q * width] = seen_[static_cast<size_t>(q)];
    }
  }

  const Problem<C>& p_;
  std::unique_ptr<C[]> left_, right_, seen_, sums_;
};

/// One weight alone, in 8 lanes by the position in a row.
template <class C>
C single_gradient(const Problem<C>& p, int64_t group, int64_t row, int64_t column) {
  constexpr int64_t lanes = 8;
  const Tap3& tap = p.tap_of(column);
  const Range reach = tap.axis[2].reach;
  const int64_t length = reach.end - reach.begin, step = p.axes[2].step;
  C sums[lanes] = {};
  for (int64_t image = 0; image < p.images; ++image) {
    const C* gradient = p.gradient_of(image, group, row) + reach.begin;
    const C* source = p.source_of(image, group, column);
    for (int64_t d = 0; d < p.axes[0].count; ++d) {
      for (int64_t h = 0; h < p.axes[1].count; ++h, gradient += p.axes[2].count) {
        const C* from = source_row(p.axes, tap, d, h, source);
        if (!from || length <= 0) continue;
        from += reach.begin * step + tap.axis[2].shift;
        int64_t i = 0;
        for (; i + lanes <= length; i += lanes)
          for (int64_t l = 0; l < lanes; ++l) sums[l] += gradient[i + l] * from[(i + l) * step];
        for (int64_t l = 0; i + l < length; ++l) sums[l] += gradient[i + l] * from[(i + l) * step];
      }
    }
  }
  const auto pair = [&](int64_t l) { return sums[l] + sums[l + 4]; };
  return (pair(0) + pair(2)) + (pair(1) + pair(3));
}

template <class C>
void solve(const Problem<C>& p) {
  const int64_t columns = p.columns(), depth = p.images * targets(p.axes);
  if (depth == 0) {
    std::fill_n(p.result, p.groups * p.rows * columns, C(0));
    return;
  }
  if (p.rows < kTileRows) {
    parallel(p.groups * p.rows * columns, grain_for(depth), [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i)
        p.result[i] = single_gradient(p, i / columns / p.rows, i / columns % p.rows, i % columns);
    });
    return;
  }
  const int64_t down = (p.rows + kBlockRows - 1) / kBlockRows;
  const int64_t across = (columns + kPanelColumns<C> - 1) / kPanelColumns<C>;
  const int64_t cost = std::min(p.rows, kBlockRows) * kPanelColumns<C> * depth / 8;
  parallel(p.groups * down * across, grain_for(cost), [&](int64_t begin, int64_t end) {
    BlockGradient<C> block(p);
    for (int64_t job = begin; job < end; ++job)
      block.run(job / across / down, job / across % down * kBlockRows, job % across * kPanelColumns<C>);
  });
}

}  // namespace

template <class T>
void conv_weight_gradient(const ConvShape& shape, const T* x, const T* y_gradient, T* w_gradient) {
  if constexpr (!Real<T>) {
    unsupported("conv_weight_gradient", dtype_of<T>);
  } else {
    const Window3 window("conv_weight_gradient", shape.input, shape.output, shape.window);
    Problem<T> p;
    for (size_t a = 0; a < 3; ++a) p.axes[a] = TapAxis::forward(window, a);
    p.taps = all_taps(p.axes, window.kernel);
    p.images = shape.batch;
    p.groups = shape.groups;
    p.sources = shape.in_channels / shape.groups;
    p.rows = shape.out_channels / shape.groups;
    p.x = x;
    p.gradient = y_gradient;
    p.result = w_gradient;
    solve(p);
  }
}

#define OM_INSTANTIATE(T) template void conv_weight_gradient<T>(const ConvShape&, const T*, const T*, T*);
OM_FOR_EACH_TYPE(OM_INSTANTIATE)
#undef OM_INSTANTIATE

}  // namespace onemodel::kernels

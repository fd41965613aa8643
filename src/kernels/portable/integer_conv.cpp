#include "kernels/portable/integer_conv.h"

#include "kernels/portable/conv_taps.h"
#include "kernels/portable/gemm_pack.h"
#include "kernels/portable/internal.h"

namespace onemodel::kernels {
namespace {

constexpr int64_t kWidth = kTileColumns<uint32_t>;
constexpr int64_t kColumns = kBlockColumns<uint32_t>;

int64_t rows_of(const ConvShape& shape) { return shape.out_channels / shape.groups; }
int64_t depth_of(const ConvShape& shape) { return shape.in_channels / shape.groups * numel(shape.window.kernel); }
int64_t pairs_of(const ConvShape& shape) { return (depth_of(shape) + 1) / 2; }
bool has_few_rows(const ConvShape& shape) { return rows_of(shape) < kTileRows; }
/// Numbers of one group in `PackedWeights::pairs_`.
int64_t packed_size(const ConvShape& shape) { return round_up(rows_of(shape), kTileRows) * pairs_of(shape); }

}  // namespace

/// One convolution: x less its zero point, and the loops over it.
class IntegerConvolution {
 public:
  IntegerConvolution(const IntegerConv& problem, const void* x, const PackedWeights& w, int16_t* levels, void* y)
      : p_(problem),
        window_("conv", problem.shape.input, problem.shape.output, problem.shape.window),
        w_(w),
        y_(y),
        x_(levels) {
    for (size_t a = 0; a < 3; ++a) axes_[a] = TapAxis::forward(window_, a);
    taps_ = all_taps(axes_, window_.kernel);
    plane_ = volume(window_.input);
    sources_ = problem.shape.in_channels / problem.shape.groups;
    parallel(static_cast<int64_t>(level_count(problem)), grain_for(1),
             [&, from = Levels(x, problem.x_dtype)](int64_t begin, int64_t end) {
               from.at(begin).read(end - begin, static_cast<int16_t>(p_.x_zero), x_ + begin);
             });
  }

  void run() const {
    const int64_t columns = targets(axes_), rows = rows_of(p_.shape), groups = p_.shape.batch * p_.shape.groups;
    if (columns == 0 || rows == 0) return;
    if (has_few_rows(p_.shape)) return run_rows();
    const int64_t down = (rows + kBlockRows - 1) / kBlockRows, across = (columns + kColumns - 1) / kColumns;
    const int64_t cost = std::min(rows, kBlockRows) * std::min(columns, kColumns) * (pairs_of(p_.shape) + 1) / 8;
    parallel(groups * down * across, grain_for(cost), [&](int64_t begin, int64_t end) {
      const Buffers buffers(std::min(round_up(rows, kTileRows), kBlockRows),
                            std::min(round_up(columns, kWidth), kColumns), std::min(pairs_of(p_.shape), kBlockDepth));
      for (int64_t job = begin; job < end; ++job)
        run_block(job / across / down, job / across % down * kBlockRows, job % across * kColumns, buffers);
    });
  }

 private:
  struct Buffers {
    std::unique_ptr<uint32_t[]> right, sums;
    std::unique_ptr<int16_t[]> first, second;
    Buffers(int64_t rows, int64_t columns, int64_t pairs)
        : right(scratch<uint32_t>(columns / kWidth * panel_size<uint32_t>(pairs))),
          sums(scratch<uint32_t>(rows * columns)),
          first(scratch<int16_t>(columns)),
          second(scratch<int16_t>(columns)) {}
  };

  /// The source of group `which` of all images' groups.
  const int16_t* source(int64_t which) const { return x_ + which * sources_ * plane_; }

  /// Element `q` of the depth, as `columns` targets from `first` see it.
  void see_depth(const int16_t* source, int64_t q, int64_t first, int64_t columns, int16_t* out) const {
    const auto taps = static_cast<int64_t>(taps_.size());
    see(axes_, taps_[static_cast<size_t>(q % taps)], source + q / taps * plane_, first, columns, out);
  }

  void pack_seen(int64_t which, int64_t first, int64_t columns, int64_t begin, int64_t pairs,
                 const Buffers& buffers) const {
    const int64_t all = round_up(columns, kWidth), depth = depth_of(p_.shape);
    std::fill(buffers.first.get() + columns, buffers.first.get() + all, int16_t{0});
    std::fill(buffers.second.get() + columns, buffers.second.get() + all, int16_t{0});
    for (int64_t q = 0; q < pairs; ++q) {
      const int64_t at = 2 * (begin + q);
      see_depth(source(which), at, first, columns, buffers.first.get());
      if (at + 1 < depth)
        see_depth(source(which), at + 1, first, columns, buffers.second.get());
      else
        std::fill_n(buffers.second.get(), columns, int16_t{0});
      uint32_t* to = buffers.right.get() + q * kWidth;
      for (int64_t j = 0; j < all; j += kWidth, to += panel_size<uint32_t>(pairs))
        join_lines(buffers.first.get() + j, buffers.second.get() + j, kWidth, to);
    }
  }

  void run_block(int64_t which, int64_t top, int64_t first, const Buffers& buffers) const {
    const int64_t rows = std::min(kBlockRows, rows_of(p_.shape) - top);
    const int64_t columns = std::min(kColumns, targets(axes_) - first), all = pairs_of(p_.shape);
    const SumBlock<uint32_t> sums{buffers.sums.get(), rows, columns, round_up(columns, kWidth)};
    if (all == 0) std::fill_n(sums.data, rows * sums.stride, 0u);
    const uint32_t* group = w_.pairs_.get() + which % p_.shape.groups * packed_size(p_.shape);
    for (int64_t q = 0; q < all; q += kBlockDepth) {
      const int64_t pairs = std::min(kBlockDepth, all - q);
      pack_seen(which, first, columns, q, pairs, buffers);
      // the weights lie block by block along the depth, as they are taken here
      const uint32_t* left = group + q * round_up(rows_of(p_.shape), kTileRows) + top * pairs;
      multiply_pairs(pairs, left, {buffers.right.get(), panel_size<uint32_t>(pairs), kWidth}, sums,
                     q == 0 ? Start::fresh : Start::resume);
    }
    for (int64_t r = 0; r < rows; ++r) store(which, top + r, first, columns, sums.data + r * sums.stride);
  }

  /// For few rows: one target row at a time, a tap at a time.
  void run_rows() const {
    const int64_t rows = rows_of(p_.shape), height = axes_[1].count, lines = axes_[0].count * height;
    const int64_t width = axes_[2].count;
    parallel(p_.shape.batch * p_.shape.out_channels * lines, grain_for(width * (depth_of(p_.shape) + 1) / 4),
             [&](int64_t begin, int64_t end) {
               const auto sums = scratch<uint32_t>(width);
               for (int64_t job = begin; job < end; ++job) {
                 const int64_t line = job % lines, row = job / lines % rows, which = job / lines / rows;
                 sum_row(which, row, line / height, line % height, sums.get());
                 store(which, row, line * width, width, sums.get());
               }
             });
  }

  void sum_row(int64_t which, int64_t row, int64_t d, int64_t h, uint32_t* sums) const {
    const int16_t* weights = w_.rows_.get() + (which % p_.shape.groups * rows_of(p_.shape) + row) * depth_of(p_.shape);
    std::fill_n(sums, axes_[2].count, 0u);
    for (int64_t channel = 0; channel < sources_; ++channel)
      for (const Tap3& tap : taps_) {
        const int16_t weight = *weights++;
        const int16_t* from = source_row(axes_, tap, d, h, source(which) + channel * plane_);
        if (!from || weight == 0) continue;
        const Range reach = tap.axis[2].reach;
        from += reach.begin * axes_[2].step + tap.axis[2].shift;
        update(sums + reach.begin, from, axes_[2].step, reach.end - reach.begin,
               [weight](uint32_t sum, int16_t value) { return sum + static_cast<uint32_t>(weight * value); });
      }
  }

  void store(int64_t which, int64_t row, int64_t first, int64_t count, const uint32_t* sums) const {
    const int64_t channel = which % p_.shape.groups * rows_of(p_.shape) + row;
    const float multiplier = p_.target.dtype == DType::i32 ? 0 : p_.x_scale * p_.w_scale[channel] / p_.y_scale;
    const uint32_t bias = p_.bias ? static_cast<uint32_t>(p_.bias[channel]) : 0;
    const int64_t plane = which * rows_of(p_.shape) + row;
    store_sums(p_.target, sums, count, bias, &multiplier, 0, y_, plane * targets(axes_) + first);
  }

  const IntegerConv& p_;
  Window3 window_;
  const PackedWeights& w_;
  void* y_;
  int16_t* x_;
  TapAxes axes_;
  std::vector<Tap3> taps_;
  int64_t plane_, sources_;
};

PackedWeights::PackedWeights(const IntegerConv& problem, const void* w) {
  const ConvShape& shape = problem.shape;
  const int64_t depth = depth_of(shape), rows = rows_of(shape), all = pairs_of(shape);
  const Levels levels(w, problem.w_dtype);
  if (has_few_rows(shape)) {
    rows_ = scratch<int16_t>(shape.out_channels * depth);
    for (int64_t m = 0; m < shape.out_channels; ++m)
      for (int64_t q = 0; q < depth; ++q)
        rows_[static_cast<size_t>(m * depth + q)] = static_cast<int16_t>(levels.get(m * depth + q, problem.w_zero[m]));
    return;
  }
  pairs_ = scratch<uint32_t>(shape.groups * packed_size(shape));
  uint32_t* to = pairs_.get();
  for (int64_t group = 0; group < shape.groups; ++group)
    for (int64_t begin = 0; begin < all; begin += kBlockDepth) {
      const int64_t pairs = std::min(kBlockDepth, all - begin);
      pack_left(rows, pairs, to, [&](int64_t r, int64_t p) {
        const int64_t channel = group * rows + r, q = 2 * (begin + p), at = channel * depth + q;
        const int32_t second = q + 1 < depth ? levels.get(at + 1, problem.w_zero[channel]) : 0;
        return pair_of(levels.get(at, problem.w_zero[channel]), second);
      });
      to += round_up(rows, kTileRows) * pairs;
    }
}

size_t level_count(const IntegerConv& problem) {
  return static_cast<size_t>(problem.shape.batch * problem.shape.in_channels * numel(problem.shape.input));
}

void integer_conv(const IntegerConv& problem, const void* x, const PackedWeights& w, int16_t* levels, void* y) {
  IntegerConvolution(problem, x, w, levels, y).run();
}

}  // namespace onemodel::kernels

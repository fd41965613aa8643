#include "kernels/portable/integer_matmul.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "kernels/portable/gemm_tile.h"
#include "kernels/portable/internal.h"

namespace onemodel::kernels {
namespace {

constexpr int64_t kWidth = kTileColumns<uint32_t>;
constexpr int64_t kColumns = kBlockColumns<uint32_t>;

/// Where the operands of the `which`-th product of the batch begin.
int64_t offset_of(int64_t which, const Dims& batch, const Dims& strides) {
  int64_t offset = 0;
  for (size_t i = strides.empty() ? 0 : batch.size(); i-- > 0;) {
    offset += which % batch[i] * strides[i];
    which /= batch[i];
  }
  return offset;
}

bool repeats(const Dims& strides) {
  return std::ranges::all_of(strides, [](int64_t stride) { return stride == 0; });
}

/// [pairs][kWidth], columns beyond the last and a row that makes the last pair full as zeros.
void pack_panel(const Levels& b, const MatMulShape& s, const int32_t* zero, int64_t zero_step, int64_t columns,
                uint32_t* out) {
  int16_t zeros[kWidth] = {}, lines[2][kWidth] = {};
  for (int64_t v = 0; v < columns; ++v) zeros[v] = static_cast<int16_t>(zero[v * zero_step]);
  const bool whole = columns == kWidth && s.b_col == 1;
  for (int64_t p = 0; p < s.k; p += 2, out += kWidth) {
    for (int64_t q = 0; q < 2; ++q) {
      if (p + q == s.k) {
        std::fill_n(lines[q], kWidth, int16_t{0});
        continue;
      }
      const Levels row = b.at((p + q) * s.b_row);
      if (whole)
        row.read(kWidth, zeros, lines[q]);
      else
        for (int64_t v = 0; v < columns; ++v) lines[q][v] = static_cast<int16_t>(row.get(v * s.b_col, zeros[v]));
    }
    join_lines(lines[0], lines[1], kWidth, out);
  }
}

constexpr int64_t kLine = 2 * kBlockDepth;

/// kTileRows lines of 16-bit numbers, kLine apart, as pairs in the order in which tiles read them. Lines are read and
/// `out` is written up to a multiple of four pairs.
void interleave(const int16_t* lines, int64_t pairs, uint32_t* out) {
  static_assert(kTileRows == 4 && std::endian::native == std::endian::little);
  typedef uint32_t Four __attribute__((vector_size(16)));
  for (int64_t q = 0; q < pairs; q += 4, out += 16) {
    Four row[4];
    for (int64_t r = 0; r < 4; ++r) std::memcpy(&row[r], lines + r * kLine + 2 * q, sizeof(Four));
    const Four low_01 = __builtin_shufflevector(row[0], row[1], 0, 4, 1, 5);
    const Four low_23 = __builtin_shufflevector(row[2], row[3], 0, 4, 1, 5);
    const Four high_01 = __builtin_shufflevector(row[0], row[1], 2, 6, 3, 7);
    const Four high_23 = __builtin_shufflevector(row[2], row[3], 2, 6, 3, 7);
    row[0] = __builtin_shufflevector(low_01, low_23, 0, 1, 4, 5);
    row[1] = __builtin_shufflevector(low_01, low_23, 2, 3, 6, 7);
    row[2] = __builtin_shufflevector(high_01, high_23, 0, 1, 4, 5);
    row[3] = __builtin_shufflevector(high_01, high_23, 2, 3, 6, 7);
    std::memcpy(out, row, sizeof(row));
  }
}

/// Products that share B, and whose rows of A follow each other, are one product of more rows.
void join_batch(IntegerMatMul& problem) {
  MatMulShape& s = problem.shape;
  const auto follows = [&](const auto& values, size_t axis) {
    return (values.batch.empty() ? 0 : values.batch[axis]) == s.m * values.step;
  };
  while (!s.batch.empty()) {
    const size_t last = s.batch.size() - 1;
    const bool joins = s.b_batch[last] == 0 && s.a_batch[last] == s.m * s.a_row && follows(problem.a_zero, last) &&
                       follows(problem.a_scale, last) && repeats(problem.b_zero.batch) &&
                       repeats(problem.b_scale.batch);
    if (s.batch[last] != 1) {
      if (!joins) return;
      s.m *= s.batch[last];
    }
    for (Dims* d : {&s.batch, &s.a_batch, &s.b_batch, &problem.a_zero.batch, &problem.b_zero.batch,
                    &problem.a_scale.batch, &problem.b_scale.batch})
      if (!d->empty()) d->erase(last);
  }
}

/// One job: a block of C, in buffers of its own.
class Block {
 public:
  explicit Block(const IntegerMatMul& problem) : p_(problem), pairs_((problem.shape.k + 1) / 2) {
    const int64_t rows = round_up(std::min(p_.shape.m, kBlockRows), kTileRows);
    const int64_t columns = round_up(std::min(p_.shape.n, kColumns), kWidth);
    left_ = scratch<uint32_t>(rows * std::min(pairs_, kBlockDepth) + 4 * kTileRows);
    lines_ = scratch<int16_t>(kTileRows * kLine);
    sums_ = scratch<uint32_t>(rows * columns);
    multipliers_ = scratch<float>(columns);
  }

  void run(int64_t which, const void* a, const PackedColumns& b, void* c, int64_t top, int64_t left) {
    const MatMulShape& s = p_.shape;
    const int64_t rows = std::min(kBlockRows, s.m - top), columns = std::min(kColumns, s.n - left);
    const SumBlock<uint32_t> sums{sums_.get(), rows, columns, round_up(columns, kWidth)};
    if (pairs_ == 0) std::fill_n(sums.data, round_up(rows, kTileRows) * sums.stride, 0u);
    const Levels from = Levels(a, p_.a_dtype).at(offset_of(which, s.batch, s.a_batch) + top * s.a_row);
    const LineValues<int32_t> zero = lines(p_.a_zero, which, top);
    const Panels<uint32_t> panels = b.panels(which);
    const uint32_t* right = panels.data + left / kWidth * panels.panel;
    for (int64_t q = 0; q < pairs_; q += kBlockDepth) {
      const int64_t depth = std::min(kBlockDepth, pairs_ - q);
      pack_rows(from, zero, rows, q, depth);
      multiply_pairs(depth, left_.get(), {right + q * kWidth, panels.panel, kWidth}, sums,
                     q == 0 ? Start::fresh : Start::resume);
    }
    store(which, sums, c, top, left);
  }

 private:
  template <class T>
  LineValues<T> lines(const LineValues<T>& values, int64_t which, int64_t first) const {
    return {values.data + offset_of(which, p_.shape.batch, values.batch) + first * values.step, values.step};
  }

  void pack_rows(const Levels& a, const LineValues<int32_t>& zero, int64_t rows, int64_t begin, int64_t depth) {
    const MatMulShape& s = p_.shape;
    const int64_t count = std::min(2 * depth, s.k - 2 * begin);
    for (int64_t i = 0; i < rows; i += kTileRows) {
      for (int64_t r = 0; r < kTileRows; ++r) {
        int16_t* line = lines_.get() + r * kLine;
        const int64_t present = i + r < rows ? count : 0;
        if (present) read_line(a.at((i + r) * s.a_row + 2 * begin * s.a_col), zero[i + r], present, line);
        std::fill(line + present, line + round_up(2 * depth, 8), int16_t{0});
      }
      interleave(lines_.get(), depth, left_.get() + i * depth);
    }
  }

  void read_line(const Levels& a, int32_t zero, int64_t count, int16_t* line) const {
    if (p_.shape.a_col == 1) return a.read(count, static_cast<int16_t>(zero), line);
    for (int64_t p = 0; p < count; ++p) line[p] = static_cast<int16_t>(a.get(p * p_.shape.a_col, zero));
  }

  void store(int64_t which, const SumBlock<uint32_t>& sums, void* c, int64_t top, int64_t left) {
    const bool scaled = p_.target.dtype != DType::i32;
    LineValues<float> a_scale, b_scale;
    if (scaled) {
      a_scale = lines(p_.a_scale, which, top);
      b_scale = lines(p_.b_scale, which, left);
    }
    const int64_t first = which * p_.shape.m * p_.shape.n + left;
    for (int64_t i = 0; i < sums.rows; ++i) {
      uint32_t* row = sums.data + i * sums.stride;
      if (scaled && (i == 0 || a_scale.step != 0))
        for (int64_t j = 0; j < (b_scale.step ? sums.columns : 1); ++j)
          multipliers_[static_cast<size_t>(j)] = a_scale[i] * b_scale[j] / p_.y_scale;
      if (p_.bias)
        for (int64_t j = 0; j < sums.columns; ++j) row[j] += static_cast<uint32_t>(p_.bias[left + j]);
      store_sums(p_.target, row, sums.columns, 0, multipliers_.get(), b_scale.step, c, first + (top + i) * p_.shape.n);
    }
  }

  const IntegerMatMul& p_;
  int64_t pairs_;
  std::unique_ptr<uint32_t[]> left_, sums_;
  std::unique_ptr<int16_t[]> lines_;
  std::unique_ptr<float[]> multipliers_;
};

}  // namespace

PackedColumns::PackedColumns(const IntegerMatMul& given, const void* b) {
  IntegerMatMul problem = given;
  join_batch(problem);
  const MatMulShape& s = problem.shape;
  const int64_t pairs = (s.k + 1) / 2, across = (s.n + kWidth - 1) / kWidth;
  panel_ = panel_size<uint32_t>(pairs);
  const bool one = repeats(s.b_batch) && repeats(problem.b_zero.batch);
  if (!one) batch_step_ = across * panel_;
  const int64_t count = one ? 1 : numel(s.batch);
  data_ = scratch<uint32_t>(count * across * panel_);
  parallel(count * across, grain_for(pairs * kWidth), [&](int64_t begin, int64_t end) {
    for (int64_t job = begin; job < end; ++job) {
      const int64_t which = job / across, left = job % across * kWidth;
      const Levels from = Levels(b, problem.b_dtype).at(offset_of(which, s.batch, s.b_batch) + left * s.b_col);
      const int32_t* zero =
          problem.b_zero.data + offset_of(which, s.batch, problem.b_zero.batch) + left * problem.b_zero.step;
      pack_panel(from, s, zero, problem.b_zero.step, std::min(kWidth, s.n - left), data_.get() + job * panel_);
    }
  });
}

void integer_matmul(const IntegerMatMul& given, const void* a, const PackedColumns& b, void* c) {
  IntegerMatMul problem = given;
  join_batch(problem);
  const MatMulShape& s = problem.shape;
  const int64_t batch = numel(s.batch);
  if (batch == 0 || s.m == 0 || s.n == 0) return;
  const int64_t down = (s.m + kBlockRows - 1) / kBlockRows, across = (s.n + kColumns - 1) / kColumns;
  const int64_t cost = std::min(s.m, kBlockRows) * std::min(s.n, kColumns) * std::max<int64_t>(s.k, 1) / 16;
  parallel(batch * down * across, grain_for(cost), [&](int64_t begin, int64_t end) {
    Block block(problem);
    for (int64_t job = begin; job < end; ++job)
      block.run(job / across / down, a, b, c, job / across % down * kBlockRows, job % across * kColumns);
  });
}

void integer_matmul(const IntegerMatMul& problem, const void* a, const void* b, void* c) {
  if (numel(problem.shape.batch) > 0) integer_matmul(problem, a, PackedColumns(problem, b), c);
}

}  // namespace onemodel::kernels

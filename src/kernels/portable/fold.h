#pragma once
// Folding many values into one in a fixed order: 8 lanes (index mod 8) within blocks of 256, blocks
// combined pairwise. The order depends on the index alone, and long sums stay accurate.

#include <array>
#include <cstddef>
#include <cstdint>

namespace onemodel::kernels {

/// max and min are NaN when one value is; sum and prod of integers wrap.
enum class FoldOp : uint8_t { sum, prod, max, min };

inline constexpr int64_t kBlock = 256;

/// Columns folded side by side, each on its own in the order above, fed row after row.
/// C is float, double, int64_t or uint64_t; kColumns is 1 or 64.
template <class C, int64_t kColumns>
class Fold {
 public:
  explicit Fold(FoldOp op);

  /// The next row: `width` <= kColumns values, the same number for all rows.
  void add_row(const C* row, int64_t width);

  /// The next `count` values of a single column; not past the end of a block.
  void add_run(const C* x, int64_t count) requires(kColumns == 1);

  /// The folds of all rows, at least one; afterwards it is ready for the next ones.
  const C* finish();

 private:
  static constexpr size_t kLanes = 8;
  using Row = std::array<C, static_cast<size_t>(kColumns)>;

  size_t width() const { return kColumns == 1 ? 1 : width_; }
  template <class F>
  void with_op(const F& f);
  void clear();
  void finish_block();
  void merge(size_t level);

  FoldOp op_;
  size_t width_ = 1;  // columns in use
  std::array<Row, kLanes> lanes_;
  std::array<Row, 56> levels_;
  size_t depth_ = 0;
  int64_t rows_ = 0;
};

/// Of `count` >= 1 contiguous values.
template <class C>
C fold(FoldOp op, const C* x, int64_t count);

}  // namespace onemodel::kernels

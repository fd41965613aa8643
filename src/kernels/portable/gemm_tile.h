#pragma once
// The inner loop of matrix products and convolutions: a tile of sums in registers, over packed
// panels.
//
// Each sum adds its products one after the other, whatever the width of the vectors.
// C is float, double, uint32_t or uint64_t.

#include <cstdint>

namespace onemodel::kernels {

inline constexpr int64_t kTileRows = 4;
/// Columns of a tile: 16 floats, 8 doubles.
template <class C>
inline constexpr int64_t kTileColumns = 64 / static_cast<int64_t>(sizeof(C));

/// The largest block of sums that a job works on, and the depth after which panels are exchanged:
/// they stay in the second cache.
inline constexpr int64_t kBlockRows = 128;
template <class C>
inline constexpr int64_t kBlockColumns = 16 * kTileColumns<C>;
inline constexpr int64_t kBlockDepth = 256;

/// How products meet the sums before them: none are there, each product is added in turn, or the
/// products are summed first.
enum class Start : uint8_t { fresh, resume, add };

/// `rows` x `columns` sums, with room up to whole tiles, `stride` from row to row.
template <class C>
struct SumBlock {
  C* data;
  int64_t rows, columns, stride;
};

/// Columns of the right operand, kTileColumns<C> beside each other: panel q begins at
/// data + q * panel, its rows are `row` apart.
template <class C>
struct Panels {
  const C* data;
  int64_t panel, row;
};

/// From panel to panel when packed: not a power of two, which would crowd one set of the cache.
template <class C>
constexpr int64_t panel_size(int64_t depth) {
  return (depth + 1) * kTileColumns<C>;
}

/// sums += a b over `depth`; `a` is packed as [rows / kTileRows][depth][kTileRows].
template <class C>
void multiply_block(int64_t depth, const C* a, const Panels<C>& b, const SumBlock<C>& sums, Start start);

/// As multiply_block of 16-bit integers, of which each number holds two that follow each other along `depth`: the
/// earlier one in its lower half. Sums wrap.
void multiply_pairs(int64_t depth, const uint32_t* a, const Panels<uint32_t>& b, const SumBlock<uint32_t>& sums,
                    Start start);

/// As multiply_block to resume, for one row and a `b` that is not packed: rows `b_row` apart are read
/// in the long direction. Of `a`, every kTileRows-th value is taken.
template <class C>
void multiply_row(int64_t depth, const C* a, const C* b, int64_t b_row, const SumBlock<C>& sums);

/// Multiple of `unit` not below `value`.
constexpr int64_t round_up(int64_t value, int64_t unit) { return (value + unit - 1) / unit * unit; }

}  // namespace onemodel::kernels

#include "kernels/xnn/gemm.h"

#include "kernels/xnn/columns.h"
#include "kernels/xnn/gemm_tile.h"
#include "kernels/xnn/operator.h"
#include "kernels/xnn/strided.h"

namespace onemodel::kernels::xnn {
namespace {

// A block of b stays in the second cache, a panel of a in the first.
constexpr size_t kDepth = 256;
constexpr size_t kColumns = 192;
static_assert(kColumns % kTileColumns == 0);

/// What one task needs besides its operands.
struct Scratch {
  alignas(kAlignment) float b[kDepth * kColumns];  // [panel][depth][kTileColumns]
  float a[kDepth * kTileRows];                     // [depth][kTileRows]
  float lines[kTileColumns * kDepth > kColumns ? kTileColumns* kDepth : kColumns];
  float tile[kTileRows * kTileColumns];
};

void copy_rows(const float* from, size_t stride, size_t count, size_t depth, float* to) {
  for (size_t k = 0; k < depth; ++k, from += stride, to += kTileRows)
    for (size_t i = 0; i < kTileRows; ++i) to[i] = i < count ? from[i] : 0;
}

void pack_b(const Product& p, const Operands& o, size_t k, size_t depth, size_t n, size_t columns, Scratch& scratch) {
  const size_t panel = depth * kTileColumns;
  if (!p.transposed_b) {
    for (size_t i = 0; i < depth; ++i) {
      const float* row = o.b + (k + i) * to_size(p.n) + n;
      if (p.windows) {
        window_line(*p.windows, o.b, o.first_line + static_cast<int64_t>(k + i), n, columns, scratch.lines);
        row = scratch.lines;
      }
      spread_row(row, columns, scratch.b + i * kTileColumns, panel);
    }
    return;
  }
  for (size_t c = 0; c < columns; c += kTileColumns) {
    const size_t count = std::min(kTileColumns, columns - c);
    const float* lines = o.b + (n + c) * to_size(p.k) + k;
    if (p.windows) {
      for (size_t i = 0; i < count; ++i)
        window_line(*p.windows, o.b, o.first_line + static_cast<int64_t>(n + c + i), k, depth,
                    scratch.lines + i * depth);
      lines = scratch.lines;
    }
    interleave(lines, p.windows ? depth : to_size(p.k), count, depth, scratch.b + c * depth, kTileColumns);
  }
}

/// Rows [row, row + rows) and columns [n, n + columns) of c.
void compute_block(const Product& p, const Operands& o, size_t row, size_t rows, size_t n, size_t columns,
                   Scratch& scratch) {
  const size_t blocks = (to_size(p.k) + kDepth - 1) / kDepth;
  for (size_t block = 0; block < blocks; ++block) {
    const size_t k = block * to_size(p.k) / blocks, depth = (block + 1) * to_size(p.k) / blocks - k;
    pack_b(p, o, k, depth, n, columns, scratch);
    for (size_t i = row; i < row + rows; i += kTileRows) {
      const size_t height = std::min(kTileRows, row + rows - i);
      if (p.transposed_a)
        copy_rows(o.a + k * to_size(p.m) + i, to_size(p.m), height, depth, scratch.a);
      else
        interleave(o.a + i * to_size(p.k) + k, to_size(p.k), height, depth, scratch.a, kTileRows);
      for (size_t j = 0; j < columns; j += kTileColumns) {
        const size_t width = std::min(kTileColumns, columns - j), stride = to_size(p.n);
        float* c = o.c + i * stride + n + j;
        const bool whole = height == kTileRows && width == kTileColumns;
        float biases[kTileRows + kTileColumns] = {};
        Epilogue epilogue{o.row_bias ? o.row_bias + i : nullptr, o.column_bias ? o.column_bias + n + j : nullptr, p.min,
                          p.max};
        if (!whole) {
          for (size_t r = 0; r < height; ++r)
            std::copy(c + r * stride, c + r * stride + width, scratch.tile + r * kTileColumns);
          if (o.row_bias) epilogue.row_bias = std::copy(o.row_bias + i, o.row_bias + i + height, biases) - height;
          if (o.column_bias)
            epilogue.column_bias =
                std::copy(o.column_bias + n + j, o.column_bias + n + j + width, biases + kTileRows) - width;
        }
        compute_tile(depth, scratch.a, scratch.b + j * depth, whole ? c : scratch.tile, whole ? stride : kTileColumns,
                     o.accumulate || block > 0, block + 1 == blocks ? &epilogue : nullptr);
        if (!whole)
          for (size_t r = 0; r < height; ++r)
            std::copy(scratch.tile + r * kTileColumns, scratch.tile + r * kTileColumns + width, c + r * stride);
      }
    }
  }
}

}  // namespace

size_t gemm_workspace_bytes(size_t slots) { return slots * sizeof(Scratch); }

void gemm(const Product& p, size_t count, const std::function<Operands(size_t)>& operands, size_t slots,
          std::byte* workspace) {
  const size_t m = to_size(p.m), n = to_size(p.n);
  size_t rows = (m + kTileRows - 1) / kTileRows * kTileRows, columns = kColumns;
  const auto parts = [](size_t size, size_t block) { return (size + block - 1) / block; };
  const int64_t work = static_cast<int64_t>(count) * p.m * p.k * p.n;
  const size_t threads = work < 2 * kThreadWork ? 1 : thread_pool().threads();
  // smaller blocks until there is work for all; each block packs its part of b anew
  while (threads > 1 && count * parts(m, rows) * parts(n, columns) < 3 * threads) {
    if (std::min(columns, n) > 4 * kTileColumns)
      columns = parts(std::min(columns, n), 2 * kTileColumns) * kTileColumns;
    else if (rows > 8 * kTileRows)
      rows = parts(rows, 2 * kTileRows) * kTileRows;
    else
      break;
  }
  const size_t down = parts(m, rows), across = parts(n, columns);
  const auto body = [&](size_t slot, size_t first, size_t last) {
    Scratch& scratch = reinterpret_cast<Scratch*>(workspace)[slot];
    for (size_t task = first; task < last; ++task) {
      const size_t row = task % down * rows, column = task / down % across * columns;
      compute_block(p, operands(task / down / across), row, std::min(rows, m - row), column,
                    std::min(columns, n - column), scratch);
    }
  };
  parallel_slots(count * down * across, work, slots, body);
}

}  // namespace onemodel::kernels::xnn

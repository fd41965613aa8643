#include "kernels/xnn/gemm.h"

#include "kernels/xnn/columns.h"
#include "kernels/xnn/gemm_tile.h"
#include "kernels/xnn/layout.h"
#include "kernels/xnn/operator.h"
#include "kernels/xnn/strided.h"

namespace onemodel::kernels::xnn {
namespace {

// A panel of b stays in the first cache while a block of rows passes it, and the rows in the second. What is packed in
// each run stays in the second cache too.
constexpr size_t kDepth = 256;
constexpr size_t kColumns = 192;
constexpr size_t kRows = 96;
// A constant factor is deep, since each block of the depth reads and writes all of c: with 512 by 512 elements that
// takes 6 % of the time, and with 1024 by 1024 a few more.
constexpr size_t kPackedDepth = 512;
constexpr size_t kPackedRows = 192;
static_assert(kColumns % kWidePanel == 0 && kRows % kTileRows == 0 && kPackedRows % kTileRows == 0);

constexpr size_t parts(size_t size, size_t block) { return (size + block - 1) / block; }

/// What one task needs besides its operands.
struct Scratch {
  alignas(kAlignment) float b[kDepth * kColumns];
  float a[kRows * kDepth];  // where a is transposed
  float lines[kWidePanel * kDepth > kColumns ? kWidePanel* kDepth : kColumns];
};

/// A block of the depth.
struct DepthBlock {
  size_t begin, depth;
  bool first, last;
};

template <class Body>
void for_depth_blocks(int64_t k, size_t most, const Body& body) {
  const size_t whole = to_size(k), count = parts(whole, most);
  for (size_t i = 0; i < count; ++i) {
    const size_t begin = i * whole / count, end = (i + 1) * whole / count;
    body(DepthBlock{begin, end - begin, i == 0, i + 1 == count});
  }
}

/// The block's rows of columns [n, n + panels.columns()).
void pack_b(const Product& p, const Operands& o, const DepthBlock& block, size_t n, const Panels& panels, float* lines,
            float* to) {
  const size_t depth = block.depth;
  if (!p.transposed_b && !p.windows)
    return pack_rows(o.b + block.begin * to_size(p.n) + n, to_size(p.n), depth, panels, 0, depth, to);
  if (!p.transposed_b) {
    for (size_t i = 0; i < depth; ++i) {
      window_line(*p.windows, o.b, o.first_line + static_cast<int64_t>(block.begin + i), n, panels.columns(), lines);
      pack_rows(lines, 0, 1, panels, i, depth, to);
    }
    return;
  }
  for (size_t panel = 0; panel < panels.count(); ++panel) {
    const size_t column = n + panels.begin(panel);
    const float* rows = o.b + column * to_size(p.k) + block.begin;
    if (p.windows) {
      for (size_t i = 0; i < panels.columns(panel); ++i)
        window_line(*p.windows, o.b, o.first_line + static_cast<int64_t>(column + i), block.begin, depth,
                    lines + i * depth);
      rows = lines;
    }
    pack_lines(rows, p.windows ? depth : to_size(p.k), panels, panel, depth, to);
  }
}

struct PanelRange {
  const Panels& panels;
  size_t first, last;
};

/// What the block of the depth, packed as `b`, brings to rows [row, row + rows) of c, in which the panels begin at
/// column n. `turned`: room for rows of a, where it is transposed.
void multiply_rows(const Product& p, const Operands& o, const DepthBlock& block, size_t row, size_t rows, size_t n,
                   const PanelRange& range, const float* b, float* turned) {
  const float* a = o.a + row * to_size(p.k) + block.begin;
  if (p.transposed_a) {
    transpose_tile(o.a + block.begin * to_size(p.m) + row, to_size(p.m), turned, block.depth, block.depth, rows);
    a = turned;
  }
  const Epilogue epilogue{o.row_bias ? o.row_bias + row : nullptr, o.column_bias ? o.column_bias + n : nullptr, p.min,
                          p.max};
  const PanelProduct product{.rows = rows,
                             .depth = block.depth,
                             .a = a,
                             .a_stride = p.transposed_a ? block.depth : to_size(p.k),
                             .b = b,
                             .c = o.c + row * to_size(p.n) + n,
                             .c_stride = to_size(p.n),
                             .accumulate = o.accumulate || !block.first,
                             .last = block.last ? &epilogue : nullptr};
  multiply_panels(product, range.panels, range.first, range.last);
}

/// Rows [row, row + rows) and columns [n, n + columns) of c.
void compute_block(const Product& p, const Operands& o, size_t row, size_t rows, size_t n, size_t columns,
                   Scratch& scratch) {
  const Panels panels(columns);
  for_depth_blocks(p.k, kDepth, [&](const DepthBlock& block) {
    pack_b(p, o, block, n, panels, scratch.lines, scratch.b);
    for (size_t i = row; i < row + rows; i += kRows)
      multiply_rows(p, o, block, i, std::min(kRows, row + rows - i), n, {panels, 0, panels.count()}, scratch.b,
                    scratch.a);
  });
}

}  // namespace

size_t gemm_workspace_bytes(size_t slots) { return slots * sizeof(Scratch); }

void gemm(const Product& p, size_t count, const std::function<Operands(size_t)>& operands, size_t slots,
          std::byte* workspace) {
  const size_t m = to_size(p.m), n = to_size(p.n);
  size_t rows = parts(m, kTileRows) * kTileRows, columns = kColumns;
  const int64_t work = static_cast<int64_t>(count) * p.m * p.k * p.n;
  const size_t threads = work < 2 * kThreadWork ? 1 : thread_pool().threads();
  // smaller blocks until there is work for all; each block packs its part of b anew
  while (threads > 1 && count * parts(m, rows) * parts(n, columns) < 3 * threads) {
    if (std::min(columns, n) > 4 * kWidePanel)
      columns = parts(std::min(columns, n), 2 * kWidePanel) * kWidePanel;
    else if (rows > 3 * kTileRows)
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

PackedFactor::PackedFactor(const Product& p, const float* b) {
  const Panels panels(to_size(p.n));
  packed_.resize(to_size(p.k) * panels.packed());
  for_depth_blocks(p.k, kPackedDepth, [&](const DepthBlock& block) {
    pack_b(p, {.b = b}, block, 0, panels, nullptr, packed_.data() + block.begin * panels.packed());
  });
}

void PackedFactor::multiply(const Product& p, const Operands& o) const {
  const Panels panels(to_size(p.n));
  const size_t m = to_size(p.m);
  const int64_t work = p.m * p.k * p.n;
  const size_t threads = work < 2 * kThreadWork ? 1 : thread_pool().threads();
  size_t rows = kPackedRows, each = panels.count();
  while (threads > 1 && parts(m, rows) * parts(panels.count(), each) < 3 * threads) {
    if (rows > 2 * kTileRows && m > rows / 2)
      rows = parts(rows, 2 * kTileRows) * kTileRows;
    else if (each > 1)
      each = parts(each, 2);
    else
      break;
  }
  const size_t down = parts(m, rows), across = parts(panels.count(), each);
  const auto body = [&](size_t first, size_t last) {
    for (size_t task = first; task < last; ++task) {
      const size_t row = task % down * rows, panel = task / down * each;
      for_depth_blocks(p.k, kPackedDepth, [&](const DepthBlock& block) {
        multiply_rows(p, o, block, row, std::min(rows, m - row), 0,
                      {panels, panel, std::min(panel + each, panels.count())},
                      packed_.data() + block.begin * panels.packed(), nullptr);
      });
    }
  };
  parallel(down * across, to_size(kThreadWork * static_cast<int64_t>(down * across) / work + 1), body);
}

}  // namespace onemodel::kernels::xnn

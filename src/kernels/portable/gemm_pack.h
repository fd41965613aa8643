#pragma once
// Operands in the order in which tiles read them.

#include <algorithm>
#include <cstdint>

#include "kernels/portable/gemm_tile.h"
#include "kernels/portable/internal.h"

namespace onemodel::kernels {

/// [rows / kTileRows][depth][kTileRows] of `at(row, p)`, rows beyond the last as zeros.
template <class C, class At>
void pack_left(int64_t rows, int64_t depth, C* out, const At& at) {
  for (int64_t i = 0; i < rows; i += kTileRows) {
    const int64_t present = std::min(kTileRows, rows - i);
    for (int64_t p = 0; p < depth; ++p, out += kTileRows)
      for (int64_t r = 0; r < kTileRows; ++r) out[r] = r < present ? static_cast<C>(at(i + r, p)) : C(0);
  }
}

}  // namespace onemodel::kernels

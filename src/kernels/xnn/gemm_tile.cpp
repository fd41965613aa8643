#include "kernels/xnn/gemm_tile.h"

#include "kernels/xnn/layout.h"
#include "kernels/xnn/simd.h"

namespace onemodel::kernels::xnn {

OM_SIMD_BEGIN

void compute_tile(size_t depth, const float* a, const float* b, float* c, size_t stride, bool accumulate,
                  const Epilogue* last) {
  F8 s[kTileRows][kTileVectors];
  for (size_t i = 0; i < kTileRows; ++i)
    for (size_t j = 0; j < kTileVectors; ++j) s[i][j] = accumulate ? load8(c + i * stride + 8 * j) : F8{};
  for (size_t k = 0; k < depth; ++k, a += kTileRows, b += kTileColumns) {
    F8 x[kTileVectors];
    for (size_t j = 0; j < kTileVectors; ++j) x[j] = load8(b + 8 * j);
    for (size_t i = 0; i < kTileRows; ++i) {
      const F8 factor = splat8(a[i]);
      for (size_t j = 0; j < kTileVectors; ++j) s[i][j] = multiply_add(factor, x[j], s[i][j]);
    }
  }
  if (last) {
    for (size_t i = 0; i < kTileRows; ++i)
      for (size_t j = 0; j < kTileVectors; ++j) {
        if (last->row_bias) s[i][j] += splat8(last->row_bias[i]);
        if (last->column_bias) s[i][j] += load8(last->column_bias + 8 * j);
        s[i][j] = clamp(s[i][j], splat8(last->min), splat8(last->max));
      }
  }
  for (size_t i = 0; i < kTileRows; ++i)
    for (size_t j = 0; j < kTileVectors; ++j) store8(c + i * stride + 8 * j, s[i][j]);
}

void spread_row(const float* row, size_t count, float* to, size_t panel) {
  for (; count >= kTileColumns; count -= kTileColumns, row += kTileColumns, to += panel)
    for (size_t j = 0; j < kTileVectors; ++j) store8(to + 8 * j, load8(row + 8 * j));
  if (count == 0) return;
  for (size_t j = 0; j < kTileColumns; ++j) to[j] = j < count ? row[j] : 0;
}

void interleave(const float* lines, size_t stride, size_t count, size_t depth, float* to, size_t width) {
  if (count < width) std::fill(to, to + depth * width, 0.f);
  transpose_tile(lines, stride, to, width, count, depth);
}

OM_SIMD_END

}  // namespace onemodel::kernels::xnn

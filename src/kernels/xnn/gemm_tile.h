#pragma once
// The product of a packed row panel and a packed column panel, which every product of ours is made of, and the packing.
// For the sources of this folder only.

#include <cstddef>

namespace onemodel::kernels::xnn {

// A tile of c is held in registers: 8 of wasm's or 8 of AVX's, so that loads and multiplications overlap.
inline constexpr size_t kTileRows = 4;
#ifdef __wasm__
inline constexpr size_t kTileVectors = 1;
#else
inline constexpr size_t kTileVectors = 2;
#endif
inline constexpr size_t kTileColumns = 8 * kTileVectors;

/// What happens to a finished tile; null biases are none.
struct Epilogue {
  const float *row_bias, *column_bias;
  float min, max;
};

/// c[kTileRows, kTileColumns] (+)= a x b for a[depth, kTileRows] and b[depth, kTileColumns]; rows of c are `stride`
/// apart. With an epilogue, when this was the last block of the depth.
void compute_tile(size_t depth, const float* a, const float* b, float* c, size_t stride, bool accumulate,
                  const Epilogue* last);

/// One row of a block of b into its panels, which `to` points to and which are `panel` floats apart; zero behind it.
void spread_row(const float* row, size_t count, float* to, size_t panel);

/// to[k, 0..width) = lines[0..count)[k], zero behind `count`; lines are `stride` apart.
void interleave(const float* lines, size_t stride, size_t count, size_t depth, float* to, size_t width);

}  // namespace onemodel::kernels::xnn

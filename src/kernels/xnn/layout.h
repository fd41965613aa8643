#pragma once
// Transposing many planes of floats, for layouts and transposed operands. For the sources of this folder only.

#include <cstddef>
#include <cstdint>
#include <limits>

namespace onemodel::kernels::xnn {

/// y[c, r] = x[r, c] for r < height, c < width, on the caller's thread; rows are a stride apart.
void transpose_tile(const float* x, size_t x_stride, float* y, size_t y_stride, size_t height, size_t width);

/// y[b, c, r] = x[b, r, c] for x[batch, rows, columns], on the pool.
void transpose_planes(const float* x, float* y, int64_t batch, int64_t rows, int64_t columns);

/// In place: y[b, r, c] = clamp(y[b, r, c] + bias[r]), on the pool. `bias` may be null; NaN stays NaN.
void add_bias_to_rows(float* y, const float* bias, int64_t batch, int64_t rows, int64_t columns,
                      float min = -std::numeric_limits<float>::infinity(),
                      float max = std::numeric_limits<float>::infinity());

/// In place: y[r, c] = clamp(y[r, c] + bias[c]), on the pool.
void add_bias_to_columns(float* y, const float* bias, int64_t rows, int64_t columns,
                         float min = -std::numeric_limits<float>::infinity(),
                         float max = std::numeric_limits<float>::infinity());

/// True when a clamp to these bounds changes nothing.
constexpr bool unbounded(float min, float max) {
  return min == -std::numeric_limits<float>::infinity() && max == std::numeric_limits<float>::infinity();
}

/// XNNPACK's own clamps turn NaN into a bound in WebAssembly; there they run unbounded, with a clamp of ours after.
#ifdef __wasm__
inline constexpr bool kClampsKeepNan = false;
#else
inline constexpr bool kClampsKeepNan = true;
#endif

}  // namespace onemodel::kernels::xnn

#include "kernels/xnn/layout.h"

#include "kernels/xnn/simd.h"

namespace onemodel::kernels::xnn {
namespace {

constexpr size_t kTile = 32;
constexpr size_t kGrain = 1 << 15;

OM_SIMD_BEGIN

void transpose(const float* x, size_t x_stride, float* y, size_t y_stride, size_t height, size_t width) {
  size_t c = 0;
  for (; c + 4 <= width; c += 4) {
    size_t r = 0;
    for (; r + 4 <= height; r += 4) {
      const float* from = x + r * x_stride + c;
      float* to = y + c * y_stride + r;
      const F4 a = load4(from), b = load4(from + x_stride), d = load4(from + 2 * x_stride),
               e = load4(from + 3 * x_stride);
      const F4 ab_low = __builtin_shufflevector(a, b, 0, 4, 1, 5), ab_high = __builtin_shufflevector(a, b, 2, 6, 3, 7);
      const F4 de_low = __builtin_shufflevector(d, e, 0, 4, 1, 5), de_high = __builtin_shufflevector(d, e, 2, 6, 3, 7);
      store4(to, __builtin_shufflevector(ab_low, de_low, 0, 1, 4, 5));
      store4(to + y_stride, __builtin_shufflevector(ab_low, de_low, 2, 3, 6, 7));
      store4(to + 2 * y_stride, __builtin_shufflevector(ab_high, de_high, 0, 1, 4, 5));
      store4(to + 3 * y_stride, __builtin_shufflevector(ab_high, de_high, 2, 3, 6, 7));
    }
    for (; r < height; ++r)
      for (size_t i = c; i < c + 4; ++i) y[i * y_stride + r] = x[r * x_stride + i];
  }
  for (; c < width; ++c)
    for (size_t r = 0; r < height; ++r) y[c * y_stride + r] = x[r * x_stride + c];
}

void shift_clamp(float* y, float shift, size_t count, float min, float max) {
  for (size_t i = 0; i < count; ++i) {
    float v = y[i] + shift;
    v = v < min ? min : v;
    y[i] = v > max ? max : v;
  }
}

void add_clamp(float* y, const float* x, size_t count, float min, float max) {
  for (size_t i = 0; i < count; ++i) {
    float v = y[i] + x[i];
    v = v < min ? min : v;
    y[i] = v > max ? max : v;
  }
}

OM_SIMD_END

}  // namespace

void transpose_tile(const float* x, size_t x_stride, float* y, size_t y_stride, size_t height, size_t width) {
  transpose(x, x_stride, y, y_stride, height, width);
}

void transpose_planes(const float* x, float* y, int64_t batch, int64_t rows, int64_t columns) {
  const size_t height = to_size(rows), width = to_size(columns);
  const size_t down = (height + kTile - 1) / kTile;
  const auto body = [&](size_t begin, size_t end) {
    for (size_t task = begin; task < end; ++task) {
      const size_t plane = task / down * height * width, r = task % down * kTile;
      for (size_t c = 0; c < width; c += kTile)
        transpose(x + plane + r * width + c, width, y + plane + c * height + r, height, std::min(kTile, height - r),
                  std::min(kTile, width - c));
    }
  };
  parallel(to_size(batch) * down, std::max<size_t>(1, kGrain / (kTile * width)), body);
}

void add_bias_to_rows(float* y, const float* bias, int64_t batch, int64_t rows, int64_t columns, float min, float max) {
  if (!bias && unbounded(min, max)) return;
  const size_t height = to_size(rows), width = to_size(columns);
  const auto body = [&](size_t begin, size_t end) {
    for (size_t r = begin; r < end; ++r) shift_clamp(y + r * width, bias ? bias[r % height] : 0, width, min, max);
  };
  parallel(to_size(batch) * height, std::max<size_t>(1, kGrain / width), body);
}

void add_bias_to_columns(float* y, const float* bias, int64_t rows, int64_t columns, float min, float max) {
  if (!bias) return add_bias_to_rows(y, nullptr, 1, rows, columns, min, max);
  const size_t width = to_size(columns);
  const auto body = [&](size_t begin, size_t end) {
    for (size_t r = begin; r < end; ++r) add_clamp(y + r * width, bias, width, min, max);
  };
  parallel(to_size(rows), std::max<size_t>(1, kGrain / width), body);
}

}  // namespace onemodel::kernels::xnn

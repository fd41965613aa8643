#include "kernels/xnn/gemv.h"

#include "kernels/xnn/simd.h"

// Before a loop over what is left of a vector: neither vectors nor copies of its body are worth their size.
#ifdef __clang__
#define OM_REST _Pragma("clang loop vectorize(disable) unroll(disable)")
#else
#define OM_REST
#endif

namespace onemodel::kernels::xnn {
namespace {

constexpr size_t kGrain = kThreadWork;  // multiplications that are worth a thread

size_t grain(int64_t work_each) { return std::max<size_t>(1, kGrain / std::max<size_t>(1, size_t(work_each))); }

OM_SIMD_BEGIN

void dot_four(const float* matrix, size_t stride, const float* v, float* y, size_t k) {
  const float *m0 = matrix, *m1 = m0 + stride, *m2 = m1 + stride, *m3 = m2 + stride;
  F8 s0{}, s1{}, s2{}, s3{};
  size_t i = 0;
  for (; i + 8 <= k; i += 8) {
    const F8 x = load8(v + i);
    s0 = multiply_add(load8(m0 + i), x, s0);
    s1 = multiply_add(load8(m1 + i), x, s1);
    s2 = multiply_add(load8(m2 + i), x, s2);
    s3 = multiply_add(load8(m3 + i), x, s3);
  }
  y[0] = sum(s0), y[1] = sum(s1), y[2] = sum(s2), y[3] = sum(s3);
  OM_REST
  for (; i < k; ++i) y[0] += m0[i] * v[i], y[1] += m1[i] * v[i], y[2] += m2[i] * v[i], y[3] += m3[i] * v[i];
}

/// y[i, c] (+)= sum of `kDepth` rows, `stride` apart, times v[i, 0..kDepth), for `kCount` vectors `k` apart.
template <size_t kCount, size_t kDepth>
void combine(const float* rows, size_t stride, const float* v, size_t k, bool first, float* y, size_t columns) {
  F8 factors[kCount][kDepth];
  for (size_t i = 0; i < kCount; ++i)
    for (size_t j = 0; j < kDepth; ++j) factors[i][j] = splat8(v[i * k + j]);
  size_t c = 0;
  for (; c + 8 <= columns; c += 8) {
    F8 row[kDepth];
    for (size_t j = 0; j < kDepth; ++j) row[j] = load8(rows + j * stride + c);
    for (size_t i = 0; i < kCount; ++i) {
      F8 s = first ? F8{} : load8(y + i * stride + c);
      for (size_t j = 0; j < kDepth; ++j) s = multiply_add(factors[i][j], row[j], s);
      store8(y + i * stride + c, s);
    }
  }
  OM_REST
  for (; c < columns; ++c)
    for (size_t i = 0; i < kCount; ++i) {
      float s = first ? 0 : y[i * stride + c];
      for (size_t j = 0; j < kDepth; ++j) s += v[i * k + j] * rows[j * stride + c];
      y[i * stride + c] = s;
    }
}

template <size_t kCount>
void combine_all(const float* matrix, size_t stride, const float* v, size_t k, float* y, size_t columns) {
  size_t i = 0;
  for (; i + 4 <= k; i += 4) combine<kCount, 4>(matrix + i * stride, stride, v + i, k, i == 0, y, columns);
  for (; i < k; ++i) combine<kCount, 1>(matrix + i * stride, stride, v + i, k, i == 0, y, columns);
}

void panel(const float* packed, const float* v, const float* bias, float* y, size_t k, size_t columns, float min,
           float max) {
  F8 s[4] = {};
  for (size_t i = 0; i < k; ++i, packed += kPanel) {
    const F8 x = splat8(v[i]);
    for (size_t j = 0; j < 4; ++j) s[j] = multiply_add(x, load8(packed + 8 * j), s[j]);
  }
  for (size_t j = 0; j < 4 && 8 * j < columns; ++j) {
    const size_t count = columns - 8 * j;
    if (bias) s[j] += load_some(bias + 8 * j, count);
    store_some(y + 8 * j, clamp(s[j], splat8(min), splat8(max)), count);
  }
}

}  // namespace

float dot(const float* a, const float* b, size_t k) {
  F8 s{}, t{};
  size_t i = 0;
  for (; i + 16 <= k; i += 16) {
    s = multiply_add(load8(a + i), load8(b + i), s);
    t = multiply_add(load8(a + i + 8), load8(b + i + 8), t);
  }
  float total = sum(s + t);
  OM_REST
  for (; i < k; ++i) total += a[i] * b[i];
  return total;
}

OM_SIMD_END

void dot_rows(const float* matrix, size_t stride, const float* v, float* y, size_t rows, size_t k) {
  size_t r = 0;
  for (; r + 4 <= rows; r += 4) dot_four(matrix + r * stride, stride, v, y + r, k);
  for (; r < rows; ++r) y[r] = dot(matrix + r * stride, v, k);
}

void gemv_rows(const float* matrix, const float* v, float* y, int64_t rows, int64_t k) {
  const size_t count = to_size(rows), width = to_size(k);
  const auto body = [&](size_t begin, size_t end) {
    dot_rows(matrix + begin * width, width, v, y + begin, end - begin, width);
  };
  parallel(count, grain(k), body);
}

void gemv_columns(const float* matrix, const float* v, float* y, int64_t count, int64_t k, int64_t columns) {
  const size_t stride = to_size(columns), depth = to_size(k), vectors = to_size(count);
  const auto body = [&](size_t begin, size_t end) {
    size_t i = 0;
    for (; i + 4 <= vectors; i += 4)
      combine_all<4>(matrix + begin, stride, v + i * depth, depth, y + i * stride + begin, end - begin);
    for (; i + 2 <= vectors; i += 2)
      combine_all<2>(matrix + begin, stride, v + i * depth, depth, y + i * stride + begin, end - begin);
    for (; i < vectors; ++i)
      combine_all<1>(matrix + begin, stride, v + i * depth, depth, y + i * stride + begin, end - begin);
  };
  parallel(stride, std::max<size_t>(64, grain(k * count)), body);
}

void pack_panels(const float* matrix, bool transposed, int64_t k, int64_t columns, float* packed) {
  const int64_t row = transposed ? 1 : columns, step = transposed ? k : 1;
  for (int64_t first = 0; first < columns; first += kPanel)
    for (int64_t i = 0; i < k; ++i) {
      OM_REST
      for (int64_t c = first; c < first + kPanel; ++c) *packed++ = c < columns ? matrix[i * row + c * step] : 0;
    }
}

void gemv_packed(const float* packed, const float* v, const float* bias, float* y, int64_t k, int64_t columns,
                 float min, float max) {
  const auto body = [&](size_t begin, size_t end) {
    for (size_t p = begin; p < end; ++p) {
      const size_t first = p * kPanel;
      panel(packed + first * to_size(k), v, bias ? bias + first : nullptr, y + first, to_size(k),
            std::min<size_t>(kPanel, to_size(columns) - first), min, max);
    }
  };
  parallel(to_size((columns + kPanel - 1) / kPanel), grain(k * kPanel), body);
}

}  // namespace onemodel::kernels::xnn

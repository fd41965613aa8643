#include "kernels/xnn/packed_tile.h"

#include <cstdint>

#include "kernels/xnn/layout.h"
#include "kernels/xnn/simd.h"

namespace onemodel::kernels::xnn {
namespace {

// V8 moves all loads of a basic block before all its sums, and has 15 vector registers. A tile of 3 by 12 floats needs
// them all: 9 sums and the 6 operands of one step of the depth. So each step must be a basic block, which the test for
// the end of the depth makes it. Products that are not fused with their sums take registers too: then each row of a step
// ends with a test, of what is never true. Larger tiles spill; smaller ones wait for the sums before.
#if defined(__wasm__) && !defined(__wasm_relaxed_simd__)
constexpr bool kFencesRows = true;
#else
constexpr bool kFencesRows = false;
#endif
#ifdef __wasm__
constexpr size_t kWideRows = 3;
#else
constexpr size_t kWideRows = 4;
#endif
constexpr size_t kNarrowRows = 4;
constexpr size_t kUnrolled = 4;
static_assert(kPanelRows % kWideRows == 0 && kPanelRows % kNarrowRows == 0);

OM_SIMD_BEGIN

#ifdef __wasm__
using Vector = F4;
#else
using Vector = F8;
#endif
static_assert(sizeof(Vector) == kPanelVector * sizeof(float));

OM_INLINE Vector load(const float* p) { return *reinterpret_cast<const Vector*>(p); }
OM_INLINE void store(float* p, Vector v) { *reinterpret_cast<Vector*>(p) = v; }
OM_INLINE Vector splat(float x) { return x - Vector{}; }

OM_INLINE Vector load_columns(const float* p, size_t count) {
  if (count >= kPanelVector) return load(p);
  Vector v{};
  std::memcpy(&v, p, count * sizeof(float));
  return v;
}
OM_INLINE void store_columns(float* p, Vector v, size_t count) {
  if (count >= kPanelVector) return store(p, v);
  std::memcpy(p, &v, count * sizeof(float));
}

/// Nothing is known of the pointer afterwards, so that offsets to it stay offsets.
OM_INLINE void forget(const float*& p) { asm("" : "+r"(p)); }

/// One step of the depth; true after the last. `left`: steps with those of this turn.
template <size_t kStep, size_t kRows, size_t kVectors>
OM_INLINE bool step(const float* const (&a)[kRows], const float* b, size_t left, Vector (&sums)[kRows][kVectors]) {
  Vector x[kVectors];
  for (size_t j = 0; j < kVectors; ++j) x[j] = load(b + (kStep * kVectors + j) * kPanelVector);
  for (size_t i = 0; i < kRows; ++i) {
    const Vector factor = splat(a[i][kStep]);
    for (size_t j = 0; j < kVectors; ++j) sums[i][j] = multiply_add(factor, x[j], sums[i][j]);
    if (kFencesRows && i + 1 < kRows && left == SIZE_MAX - i * kUnrolled - kStep) return true;
  }
  return left == kStep + 1;
}

/// Rows from `row` on of columns [column, column + columns) of c. `kWhole`: no vector of the panel is filled up.
template <size_t kRows, size_t kVectors, bool kWhole>
void compute_tile(const PanelProduct& p, size_t row, size_t column, size_t columns) {
  const float* a[kRows];
  size_t rows[kRows];
  for (size_t i = 0; i < kRows; ++i) {
    rows[i] = std::min(row + i, p.rows - 1);  // the last row again instead of rows that there are not
    a[i] = p.a + rows[i] * p.a_stride;
  }
  const float* b = p.b + column * p.depth;
  Vector sums[kRows][kVectors] = {};
  for (size_t left = p.depth;;) {
    for (const float*& each : a) forget(each);
    forget(b);
    if (step<0>(a, b, left, sums) || step<1>(a, b, left, sums) || step<2>(a, b, left, sums)) break;
    step<3>(a, b, left, sums);
    for (const float*& each : a) each += kUnrolled;
    b += kUnrolled * kVectors * kPanelVector;
    left -= kUnrolled;
    if (left == 0) break;
  }
  const auto each = [&](const auto& change) {
    for (size_t i = 0; i < kRows; ++i)
      for (size_t j = 0; j < kVectors; ++j) {
        const size_t done = j * kPanelVector;
        if (kWhole || done < columns)
          change(sums[i][j], rows[i], column + done, kWhole ? kPanelVector : columns - done);
      }
  };
  if (p.accumulate)
    each([&](Vector& v, size_t r, size_t at, size_t count) { v += load_columns(p.c + r * p.c_stride + at, count); });
  if (p.bias) each([&](Vector& v, size_t, size_t at, size_t count) { v += load_columns(p.bias + at, count); });
  if (!unbounded(p.min, p.max))
    each([&](Vector& v, size_t, size_t, size_t) { v = clamp(v, splat(p.min), splat(p.max)); });
  each([&](Vector& v, size_t r, size_t at, size_t count) { store_columns(p.c + r * p.c_stride + at, v, count); });
}

struct TileKind {
  size_t rows;
  // Called by address: inlined, its loop would have fewer registers.
  void (*compute)(const PanelProduct&, size_t row, size_t column, size_t columns);
};
template <size_t kRows, size_t kVectors>
constexpr TileKind kTiles[] = {{kRows, compute_tile<kRows, kVectors, false>},
                               {kRows, compute_tile<kRows, kVectors, true>}};

OM_SIMD_END

}  // namespace

void multiply_panels(const PanelProduct& p, const Panels& panels, size_t first, size_t last) {
  constexpr size_t kVectors = kWidePanel / kPanelVector;
  for (size_t i = first; i < last; ++i) {
    const size_t column = panels.begin(i), width = panels.width(i), columns = panels.columns(i);
    const bool whole = columns == width;
    const TileKind& kind =
        width == kWidePanel ? kTiles<kWideRows, kVectors>[whole] : kTiles<kNarrowRows, kVectors - 1>[whole];
    for (size_t row = 0; row < p.rows; row += kind.rows) kind.compute(p, row, column, columns);
  }
}

void pack_rows(const float* rows, size_t stride, const Panels& panels, size_t depth, float* to) {
  for (size_t i = 0; i < panels.count(); ++i) {
    const size_t column = panels.begin(i), width = panels.width(i), length = panels.columns(i);
    const float* from = rows + column;
    float* line = to + column * depth;
    for (size_t k = 0; k < depth; ++k, from += stride, line += width)
      std::fill(std::copy_n(from, length, line), line + width, 0.f);
  }
}

void pack_lines(const float* lines, size_t stride, const Panels& panels, size_t depth, float* to) {
  for (size_t i = 0; i < panels.count(); ++i) {
    const size_t column = panels.begin(i), width = panels.width(i), count = panels.columns(i);
    float* panel = to + column * depth;
    if (count < width) std::fill_n(panel, depth * width, 0.f);
    transpose_tile(lines + column * stride, stride, panel, width, count, depth);
  }
}

}  // namespace onemodel::kernels::xnn

#include "kernels/xnn/gemm_tile.h"

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
constexpr size_t kNarrowRows = 4, kMostRows = 4;
constexpr size_t kUnrolled = 4;
static_assert(kTileRows % kWideRows == 0 && kTileRows % kNarrowRows == 0);

OM_SIMD_BEGIN

#ifdef __wasm__
using Vector = F4;
#else
using Vector = F8;
#endif
static_assert(sizeof(Vector) == kTileVector * sizeof(float));

OM_INLINE Vector load(const float* p) { return *reinterpret_cast<const Vector*>(p); }
OM_INLINE void store(float* p, Vector v) { *reinterpret_cast<Vector*>(p) = v; }
OM_INLINE Vector splat(float x) { return x - Vector{}; }

OM_INLINE Vector load_columns(const float* p, size_t count) {
  if (count >= kTileVector) return load(p);
  Vector v{};
  std::memcpy(&v, p, count * sizeof(float));
  return v;
}
OM_INLINE void store_columns(float* p, Vector v, size_t count) {
  if (count >= kTileVector) return store(p, v);
  std::memcpy(p, &v, count * sizeof(float));
}

/// Nothing is known of the pointer afterwards, so that offsets to it stay offsets.
OM_INLINE void forget(const float*& p) { asm("" : "+r"(p)); }

struct Tile {
  size_t depth;
  const float* a[kMostRows];
  const float* b;  // the panel
  float* sums;     // [rows, width of the panel]
};

/// One step of the depth; true after the last. `left`: steps with those of this turn.
template <size_t kStep, size_t kRows, size_t kVectors>
OM_INLINE bool step(const float* const (&a)[kRows], const float* b, size_t left, Vector (&sums)[kRows][kVectors]) {
  Vector x[kVectors];
  for (size_t j = 0; j < kVectors; ++j) x[j] = load(b + (kStep * kVectors + j) * kTileVector);
  for (size_t i = 0; i < kRows; ++i) {
    const Vector factor = splat(a[i][kStep]);
    for (size_t j = 0; j < kVectors; ++j) sums[i][j] = multiply_add(factor, x[j], sums[i][j]);
    if (kFencesRows && i + 1 < kRows && left == SIZE_MAX - i * kUnrolled - kStep) return true;
  }
  return left == kStep + 1;
}

template <size_t kRows, size_t kVectors>
void compute_tile(const Tile& tile) {
  const float* a[kRows];
  for (size_t i = 0; i < kRows; ++i) a[i] = tile.a[i];
  const float* b = tile.b;
  Vector sums[kRows][kVectors] = {};
  for (size_t left = tile.depth;;) {
    for (const float*& each : a) forget(each);
    forget(b);
    if (step<0>(a, b, left, sums) || step<1>(a, b, left, sums) || step<2>(a, b, left, sums)) break;
    step<3>(a, b, left, sums);
    for (const float*& each : a) each += kUnrolled;
    b += kUnrolled * kVectors * kTileVector;
    left -= kUnrolled;
    if (left == 0) break;
  }
  for (size_t i = 0; i < kRows; ++i)
    for (size_t j = 0; j < kVectors; ++j) store(tile.sums + (i * kVectors + j) * kTileVector, sums[i][j]);
}

struct TileKind {
  size_t rows;
  void (*compute)(const Tile&);
};
// Called by address: inlined, its loop would have fewer registers.
constexpr TileKind kWideTile{kWideRows, compute_tile<kWideRows, kWidePanel / kTileVector>};
constexpr TileKind kNarrowTile{kNarrowRows, compute_tile<kNarrowRows, kWidePanel / kTileVector - 1>};

/// Row `row` of a finished tile goes to c.
void write_sums(const PanelProduct& p, const float* sums, size_t row, size_t column, size_t columns) {
  float* c = p.c + row * p.c_stride + column;
  for (size_t j = 0; j < columns; j += kTileVector) {
    const size_t rest = columns - j;
    Vector v = load(sums + j);
    if (p.accumulate) v += load_columns(c + j, rest);
    if (const Epilogue* last = p.last) {
      if (last->row_bias) v += splat(last->row_bias[row]);
      if (last->column_bias) v += load_columns(last->column_bias + column + j, rest);
      v = clamp(v, splat(last->min), splat(last->max));
    }
    store_columns(c + j, v, rest);
  }
}

void multiply_panel(const PanelProduct& p, const Panels& panels, size_t panel) {
  const size_t column = panels.begin(panel), width = panels.width(panel);
  const TileKind& kind = width == kWidePanel ? kWideTile : kNarrowTile;
  float sums[kMostRows * kWidePanel];
  Tile tile{.depth = p.depth, .a = {}, .b = p.b + column * p.depth, .sums = sums};
  for (size_t row = 0; row < p.rows; row += kind.rows) {
    for (size_t i = 0; i < kind.rows; ++i)  // the last row again instead of rows that there are not
      tile.a[i] = p.a + std::min(row + i, p.rows - 1) * p.a_stride;
    kind.compute(tile);
    for (size_t i = 0; i < kind.rows && row + i < p.rows; ++i)
      write_sums(p, sums + i * width, row + i, column, panels.columns(panel));
  }
}

void spread(const float* row, size_t width, size_t count, float* to) {
  if (count < width) std::fill_n(to, width, 0.f);
  for (size_t i = 0; i < count; i += kTileVector) store_columns(to + i, load_columns(row + i, count - i), count - i);
}

OM_SIMD_END

}  // namespace

void multiply_panels(const PanelProduct& p, const Panels& panels, size_t first, size_t last) {
  for (size_t i = first; i < last; ++i) multiply_panel(p, panels, i);
}

void pack_row(const float* row, const Panels& panels, size_t k, size_t depth, float* to) {
  for (size_t i = 0; i < panels.count(); ++i) {
    const size_t column = panels.begin(i), width = panels.width(i);
    spread(row + column, width, panels.columns(i), to + column * depth + k * width);
  }
}

void pack_lines(const float* lines, size_t stride, const Panels& panels, size_t panel, size_t depth, float* to) {
  const size_t width = panels.width(panel), count = panels.columns(panel);
  to += panels.begin(panel) * depth;
  if (count < width) std::fill_n(to, depth * width, 0.f);
  transpose_tile(lines, stride, to, width, count, depth);
}

}  // namespace onemodel::kernels::xnn

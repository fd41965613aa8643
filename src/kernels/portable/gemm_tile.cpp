#include "kernels/portable/gemm_tile.h"

#include <cstring>

#include "kernels/portable/loops.h"

namespace onemodel::kernels {
namespace {

template <class C>
struct Tile {
  int64_t depth;
  const C* a;
  const C* b;
  int64_t b_row;
  C* sums;
  int64_t stride;
};

/// sums += b * a.
struct Single {
  template <class Vector, class C>
  [[gnu::always_inline]] static void add(Vector& sums, const Vector& b, C a) {
    sums += b * a;
  }
};

/// The same of two products, whose factors are the 16-bit halves of each number.
struct Paired {
  template <class Vector>
  [[gnu::always_inline]] static void add(Vector& sums, const Vector& b, uint32_t a) {
    const Vector factor = Vector{} + a;
#if defined(__wasm_simd128__)
    sums += reinterpret_cast<Vector>(
        __builtin_wasm_dot_s_i32x4_i16x8(reinterpret_cast<Halves>(b), reinterpret_cast<Halves>(factor)));
#elif defined(__x86_64__) && !defined(__clang__)
    Vector products;
    if constexpr (sizeof(Vector) == 32)  // GCC hides its built-in from functions that are not of the target
      asm("vpmaddwd %2, %1, %0" : "=x"(products) : "x"(factor), "xm"(b));
    else
      products = reinterpret_cast<Vector>(
          __builtin_ia32_pmaddwd128(reinterpret_cast<Halves>(b), reinterpret_cast<Halves>(factor)));
    sums += products;
#else
    constexpr uint32_t kSign = 0x8000;
    const Vector b_low = ((b & 0xffff) ^ kSign) - kSign, b_high = ((b >> 16) ^ kSign) - kSign;
    const Vector a_low = ((factor & 0xffff) ^ kSign) - kSign, a_high = ((factor >> 16) ^ kSign) - kSign;
    sums += b_low * a_low + b_high * a_high;
#endif
  }

 private:
  typedef int16_t Halves __attribute__((vector_size(16)));
};

/// kRows rows of two vectors of kBytes. With 16 bytes four rows fit the 16 registers of SSE and of
/// WebAssembly engines, with 32 those of AVX.
template <class Product, class C, int kBytes, int64_t kRows>
[[gnu::always_inline]] inline void multiply_tile(const Tile<C>& tile, Start start) {
  typedef C Vector __attribute__((vector_size(kBytes)));
  constexpr int64_t lanes = kBytes / static_cast<int64_t>(sizeof(C));
  Vector sums[kRows][2];
  for (int64_t r = 0; r < kRows; ++r)
    for (int64_t v = 0; v < 2; ++v) {
      if (start == Start::resume)
        std::memcpy(&sums[r][v], tile.sums + r * tile.stride + v * lanes, kBytes);
      else
        sums[r][v] = Vector{};
    }
  const C* a = tile.a;
  const C* b = tile.b;
  for (int64_t p = 0; p < tile.depth; ++p, a += kTileRows, b += tile.b_row) {
    Vector left, right;
    std::memcpy(&left, b, kBytes);
    std::memcpy(&right, b + lanes, kBytes);
    for (int64_t r = 0; r < kRows; ++r) {
      Product::add(sums[r][0], left, a[r]);
      Product::add(sums[r][1], right, a[r]);
    }
  }
  for (int64_t r = 0; r < kRows; ++r)
    for (int64_t v = 0; v < 2; ++v) {
      C* to = tile.sums + r * tile.stride + v * lanes;
      if (start == Start::add) {
        Vector before;
        std::memcpy(&before, to, kBytes);
        sums[r][v] = before + sums[r][v];
      }
      std::memcpy(to, &sums[r][v], kBytes);
    }
}

template <class Product, class C, int kBytes>
[[gnu::always_inline]] inline void multiply(int64_t depth, const C* a, const Panels<C>& b, const SumBlock<C>& sums,
                                            Start start) {
  constexpr int64_t width = int64_t{2} * kBytes / static_cast<int64_t>(sizeof(C));
  for (int64_t j = 0; j < sums.columns; j += width) {
    const C* panel = b.data + j / kTileColumns<C> * b.panel + j % kTileColumns<C>;
    for (int64_t i = 0; i < sums.rows; i += kTileRows) {
      const Tile<C> tile{depth, a + i * depth, panel, b.row, sums.data + i * sums.stride + j, sums.stride};
      if (sums.rows - i == 1)
        multiply_tile<Product, C, kBytes, 1>(tile, start);
      else
        multiply_tile<Product, C, kBytes, kTileRows>(tile, start);
    }
  }
}

template <class C>
[[gnu::always_inline]] inline void add_four_rows(const C* a, const C* __restrict b0, const C* __restrict b1,
                                                 const C* __restrict b2, const C* __restrict b3, C* __restrict sums,
                                                 int64_t columns) {
  const C a0 = a[0], a1 = a[kTileRows], a2 = a[2 * kTileRows], a3 = a[3 * kTileRows];
  for (int64_t j = 0; j < columns; ++j) sums[j] = sums[j] + a0 * b0[j] + a1 * b1[j] + a2 * b2[j] + a3 * b3[j];
}

template <class C>
[[gnu::always_inline]] inline void add_row(int64_t depth, const C* a, const C* b, int64_t b_row, C* sums,
                                           int64_t columns) {
  int64_t p = 0;
  for (; p + 4 <= depth; p += 4, a += 4 * kTileRows, b += 4 * b_row)
    add_four_rows(a, b, b + b_row, b + 2 * b_row, b + 3 * b_row, sums, columns);
  for (; p < depth; ++p, a += kTileRows, b += b_row)
    update(sums, b, 1, columns, [factor = a[0]](C sum, C value) { return sum + factor * value; });
}

#if defined(__x86_64__)
template <class C>
__attribute__((target("avx2"))) void add_row_avx2(int64_t depth, const C* a, const C* b, int64_t b_row, C* sums,
                                                  int64_t columns) {
  add_row(depth, a, b, b_row, sums, columns);
}

template <class Product, class C>
__attribute__((target("avx2"))) void multiply_avx2(int64_t depth, const C* a, const Panels<C>& b,
                                                   const SumBlock<C>& sums, Start start) {
  multiply<Product, C, 32>(depth, a, b, sums, start);
}

const bool has_avx2 = [] {
  __builtin_cpu_init();
  return __builtin_cpu_supports("avx2") != 0;
}();
#endif

template <class Product, class C>
void multiply_any(int64_t depth, const C* a, const Panels<C>& b, const SumBlock<C>& sums, Start start) {
#if defined(__x86_64__)
  if (has_avx2) return multiply_avx2<Product>(depth, a, b, sums, start);
#endif
  multiply<Product, C, 16>(depth, a, b, sums, start);
}

}  // namespace

template <class C>
void multiply_block(int64_t depth, const C* a, const Panels<C>& b, const SumBlock<C>& sums, Start start) {
  multiply_any<Single>(depth, a, b, sums, start);
}

void multiply_pairs(int64_t depth, const uint32_t* a, const Panels<uint32_t>& b, const SumBlock<uint32_t>& sums,
                    Start start) {
  multiply_any<Paired>(depth, a, b, sums, start);
}

template <class C>
void multiply_row(int64_t depth, const C* a, const C* b, int64_t b_row, const SumBlock<C>& sums) {
#if defined(__x86_64__)
  if (has_avx2) return add_row_avx2(depth, a, b, b_row, sums.data, sums.columns);
#endif
  add_row(depth, a, b, b_row, sums.data, sums.columns);
}

#define OM_INSTANTIATE(C)                                                                          \
  template void multiply_block<C>(int64_t, const C*, const Panels<C>&, const SumBlock<C>&, Start); \
  template void multiply_row<C>(int64_t, const C*, const C*, int64_t, const SumBlock<C>&);
OM_INSTANTIATE(float)
OM_INSTANTIATE(double)
OM_INSTANTIATE(uint32_t)
OM_INSTANTIATE(uint64_t)
#undef OM_INSTANTIATE

}  // namespace onemodel::kernels

#include "kernels/portable/matmul.h"

#include <algorithm>
#include <memory>

#include "kernels/portable/elementwise.h"
#include "kernels/portable/gemm_pack.h"
#include "kernels/portable/internal.h"

namespace onemodel::kernels {
namespace {

/// `panel` apart: [depth][kTileColumns], columns beyond the last as zeros.
template <class C>
void pack_right(const C* b, int64_t row, int64_t col, int64_t columns, int64_t depth, C* out, int64_t panel) {
  constexpr int64_t width = kTileColumns<C>;
  const int64_t whole = columns / width * width;
  for (int64_t p = 0; p < depth; ++p, out += width) {
    const C* from = b + p * row;
    C* to = out;
    for (int64_t j = 0; j < whole; j += width, to += panel) {
      if (col == 1)
        for (int64_t v = 0; v < width; ++v) to[v] = from[j + v];
      else
        for (int64_t v = 0; v < width; ++v) to[v] = from[(j + v) * col];
    }
    for (int64_t v = 0; whole < columns && v < width; ++v) to[v] = whole + v < columns ? from[(whole + v) * col] : C(0);
  }
}

template <class T>
struct Finish {
  T alpha = 1, beta = 0;
  GemmBias<T> bias;
};

/// One job: a block of C, in buffers of its own. T is float, double, uint32_t or uint64_t.
template <class T>
class BlockProduct {
 public:
  BlockProduct(const MatMulShape& shape, const Finish<T>& finish)
      : shape_(shape),
        finish_(finish),
        // few rows do not repay copying the right operand
        in_place_(shape.b_col == 1 && shape.m <= kTileRows) {
    const int64_t rows = round_up(std::min(shape.m, kBlockRows), kTileRows);
    const int64_t columns = round_up(std::min(shape.n, kBlockColumns<T>), kTileColumns<T>);
    const int64_t depth = std::min(shape.k, kBlockDepth);
    left_ = scratch<T>(rows * depth);
    right_ = scratch<T>((in_place_ ? 1 : columns / kTileColumns<T>)*panel_size<T>(depth));
    sums_ = scratch<T>(rows * columns);
  }

  void run(const T* a, const T* b, T* c, int64_t top, int64_t left) {
    const int64_t rows = std::min(kBlockRows, shape_.m - top);
    const int64_t columns = std::min(kBlockColumns<T>, shape_.n - left);
    const SumBlock<T> sums{sums_.get(), rows, columns, round_up(columns, kTileColumns<T>)};
    a += top * shape_.a_row;
    b += left * shape_.b_col;
    if (shape_.k == 0) std::fill_n(sums.data, round_up(rows, kTileRows) * sums.stride, T(0));
    for (int64_t p = 0; p < shape_.k; p += kBlockDepth) {
      const int64_t depth = std::min(kBlockDepth, shape_.k - p);
      const T* from = a + p * shape_.a_col;
      pack_left(rows, depth, left_.get(),
                [&, row = shape_.a_row, col = shape_.a_col](int64_t i, int64_t q) { return from[i * row + q * col]; });
      multiply_right(b + p * shape_.b_row, depth, sums, p == 0 ? Start::fresh : Start::resume);
    }
    store(sums, c, top, left);
  }

 private:
  void multiply_right(const T* b, int64_t depth, const SumBlock<T>& sums, Start start) {
    constexpr int64_t width = kTileColumns<T>;
    int64_t done = 0;
    if (in_place_ && sums.rows == 1) {
      if (start == Start::fresh) std::fill_n(sums.data, sums.columns, T(0));
      multiply_row(depth, left_.get(), b, shape_.b_row, sums);
      return;
    }
    if (in_place_) {
      done = sums.columns / width * width;
      multiply_block(depth, left_.get(), Panels<T>{b, width, shape_.b_row},
                     SumBlock<T>{sums.data, sums.rows, done, sums.stride}, start);
    }
    if (done == sums.columns) return;
    // b is read along its contiguous direction
    const int64_t panel = panel_size<T>(depth);
    const int64_t piece = shape_.b_col == 1 ? sums.columns : width;
    for (int64_t j = done; j < sums.columns; j += piece)
      pack_right(b + j * shape_.b_col, shape_.b_row, shape_.b_col, std::min(piece, sums.columns - j), depth,
                 right_.get() + (j - done) / width * panel, panel);
    multiply_block(depth, left_.get(), Panels<T>{right_.get(), panel, width},
                   SumBlock<T>{sums.data + done, sums.rows, sums.columns - done, sums.stride}, start);
  }

  void store(const SumBlock<T>& sums, T* c, int64_t top, int64_t left) const {
    const bool plain = finish_.alpha == T(1) && !finish_.bias.data;
    for (int64_t i = 0; i < sums.rows; ++i) {
      const T* from = sums.data + i * sums.stride;
      T* to = c + (top + i) * shape_.n + left;
      if (plain) {
        for (int64_t j = 0; j < sums.columns; ++j) to[j] = from[j];
        continue;
      }
      const GemmBias<T>& bias = finish_.bias;
      const T* bias_row = bias.data ? bias.data + (top + i) * bias.row + left * bias.col : nullptr;
      for (int64_t j = 0; j < sums.columns; ++j) {
        T value = from[j];
        if (finish_.alpha != T(1)) value *= finish_.alpha;
        if (bias_row) {
          const T b = bias_row[j * bias.col];
          value += finish_.beta == T(1) ? b : finish_.beta * b;
        }
        to[j] = value;
      }
    }
  }

  MatMulShape shape_;
  Finish<T> finish_;
  bool in_place_;
  std::unique_ptr<T[]> left_, right_, sums_;
};

/// Products that share B and whose rows of A follow each other are one product of more rows.
void join_batch(MatMulShape& s) {
  while (!s.batch.empty()) {
    const size_t last = s.batch.size() - 1;
    const bool joins = s.b_batch[last] == 0 && (s.m == 1 || s.a_batch[last] == s.m * s.a_row);
    if (s.batch[last] != 1) {
      if (!joins) return;
      if (s.m == 1) s.a_row = s.a_batch[last];
      s.m *= s.batch[last];
    }
    for (Dims* d : {&s.batch, &s.a_batch, &s.b_batch}) d->erase(last);
  }
}

template <class T>
void product(MatMulShape shape, const T* a, const T* b, const Finish<T>& finish, T* c) {
  if (!finish.bias.data || finish.bias.row == 0) join_batch(shape);
  const int64_t batch = numel(shape.batch);
  if (batch == 0 || shape.m == 0 || shape.n == 0) return;
  const int64_t down = (shape.m + kBlockRows - 1) / kBlockRows;
  const int64_t across = (shape.n + kBlockColumns<T> - 1) / kBlockColumns<T>;
  const int64_t cost =
      std::min(shape.m, kBlockRows) * std::min(shape.n, kBlockColumns<T>) * std::max<int64_t>(shape.k, 1) / 8;
  parallel(batch * down * across, grain_for(cost), [&](int64_t begin, int64_t end) {
    BlockProduct<T> block(shape, finish);
    for (int64_t job = begin; job < end; ++job) {
      const int64_t which = job / across / down;
      int64_t a_offset = 0, b_offset = 0, rest = which;
      for (size_t i = shape.batch.size(); i-- > 0;) {
        a_offset += rest % shape.batch[i] * shape.a_batch[i];
        b_offset += rest % shape.batch[i] * shape.b_batch[i];
        rest /= shape.batch[i];
      }
      block.run(a + a_offset, b + b_offset, c + which * shape.m * shape.n, job / across % down * kBlockRows,
                job % across * kBlockColumns<T>);
    }
  });
}

/// A matrix operand with its batch as contiguous floats; `batch`, `row` and `col` become the strides
/// of these. Repeated matrices are converted once.
template <Half T>
std::unique_ptr<float[]> to_float(const Dims& extents, int64_t rows, int64_t cols, const T* data, Dims& batch,
                                  int64_t& row, int64_t& col) {
  Dims dims, strides;
  for (size_t i = 0; i < extents.size(); ++i) {
    dims.push_back(batch[i] == 0 ? 1 : extents[i]);
    strides.push_back(batch[i]);
  }
  dims.push_back(rows);
  strides.push_back(row);
  dims.push_back(cols);
  strides.push_back(col);
  auto out = scratch<float>(numel(dims));
  cast(dims, dtype_of<T>, data, strides, DType::f32, out.get());
  const Dims contiguous = contiguous_strides(dims);
  for (size_t i = 0; i < batch.size(); ++i) batch[i] = batch[i] == 0 ? 0 : contiguous[i];
  row = cols;
  col = 1;
  return out;
}

template <Half T>
void half_product(MatMulShape s, const T* a, const T* b, float alpha, float beta, GemmBias<T> bias, T* c) {
  const auto left = to_float(s.batch, s.m, s.k, a, s.a_batch, s.a_row, s.a_col);
  const auto right = to_float(s.batch, s.k, s.n, b, s.b_batch, s.b_row, s.b_col);
  Finish<float> finish{alpha, beta, {}};
  std::unique_ptr<float[]> added;
  if (bias.data) {
    Dims none;
    added = to_float(none, s.m, s.n, bias.data, none, bias.row, bias.col);
    finish.bias = {added.get(), bias.row, bias.col};
  }
  const int64_t size = numel(s.batch) * s.m * s.n;
  const auto sums = scratch<float>(size);
  product<float>(s, left.get(), right.get(), finish, sums.get());
  cast(Dims{size}, DType::f32, sums.get(), Dims{1}, dtype_of<T>, c);
}

/// In unsigned integers, which wrap to the same bits.
template <Integer T>
void integer_product(const MatMulShape& shape, const T* a, const T* b, float alpha, float beta, GemmBias<T> bias,
                     T* c) {
  using U = std::make_unsigned_t<T>;
  const auto bits = [](const T* p) { return reinterpret_cast<const U*>(p); };
  const Finish<U> finish{
      static_cast<U>(convert<T>(alpha)), static_cast<U>(convert<T>(beta)), {bits(bias.data), bias.row, bias.col}};
  product<U>(shape, bits(a), bits(b), finish, reinterpret_cast<U*>(c));
}

template <class T>
concept Multiplied = Floating<T> ||(Integer<T> && sizeof(T) >= 4);

}  // namespace

MatMulShape MatMulShape::row_major(int64_t m, int64_t n, int64_t k, bool transpose_a, bool transpose_b) {
  MatMulShape s;
  s.m = m;
  s.n = n;
  s.k = k;
  s.a_row = transpose_a ? 1 : k;
  s.a_col = transpose_a ? m : 1;
  s.b_row = transpose_b ? 1 : n;
  s.b_col = transpose_b ? k : 1;
  return s;
}

template <class T>
void matmul(const MatMulShape& shape, const T* a, const T* b, T* c) {
  gemm<T>(shape, a, b, 1.0f, 0.0f, {}, c);
}

template <class T>
void gemm(const MatMulShape& shape, const T* a, const T* b, float alpha, float beta, GemmBias<T> bias, T* c) {
  if constexpr (!Multiplied<T>)
    unsupported("matmul", dtype_of<T>);
  else if constexpr (Half<T>)
    half_product(shape, a, b, alpha, beta, bias, c);
  else if constexpr (Integer<T>)
    integer_product(shape, a, b, alpha, beta, bias, c);
  else
    product<T>(shape, a, b, Finish<T>{convert<T>(alpha), convert<T>(beta), bias}, c);
}

#define OM_INSTANTIATE(T)                                              \
  template void matmul<T>(const MatMulShape&, const T*, const T*, T*); \
  template void gemm<T>(const MatMulShape&, const T*, const T*, float, float, GemmBias<T>, T*);
OM_FOR_EACH_TYPE(OM_INSTANTIATE)
#undef OM_INSTANTIATE

}  // namespace onemodel::kernels

#include "kernels/portable/matmul.h"

#include "core/error.h"
#include "kernels/portable_support.h"

namespace onemodel::kernels {
namespace {

using namespace test;

/// alpha A B + beta bias, in double.
template <class T>
Array<double> reference(const MatMulShape& s, const T* a, const T* b, double alpha = 1, double beta = 0,
                        GemmBias<T> bias = {}) {
  Dims dims = s.batch;
  dims.push_back(s.m);
  dims.push_back(s.n);
  Array<double> want(numel(dims));
  for_each_index(dims, [&](const Dims& index, int64_t place) {
    const int64_t i = index[s.batch.size()], j = index[s.batch.size() + 1];
    int64_t a_at = i * s.a_row, b_at = j * s.b_col;
    for (size_t d = 0; d < s.batch.size(); ++d) {
      a_at += index[d] * s.a_batch[d];
      b_at += index[d] * s.b_batch[d];
    }
    double sum = 0;
    for (int64_t p = 0; p < s.k; ++p) sum += number(a[a_at + p * s.a_col]) * number(b[b_at + p * s.b_row]);
    want[place] = alpha * sum + (bias.data ? beta * number(bias.data[i * bias.row + j * bias.col]) : 0);
  });
  return want;
}

template <class T>
void check_product(const MatMulShape& s, int64_t a_size, int64_t b_size) {
  SCOPED_TRACE(concat(dtype_of<T>, " ", Dims{s.m, s.n, s.k}, " strides ", Dims{s.a_row, s.a_col, s.b_row, s.b_col}));
  const Array<T> a = values<T>(a_size, 1), b = values<T>(b_size, 2);
  const Array<double> want = reference(s, a.data(), b.data());
  expect_close(run<T>(want.size(), [&](T* c) { matmul(s, a.data(), b.data(), c); }), want,
               3 * kPrecision<T> * std::sqrt(static_cast<double>(s.k) + 1));
}

TEST(MatMul, MatchesTheReferenceForAllSizesAndTranspositions) {
  const int64_t sizes[][3] = {{1, 1, 1},   {1, 33, 17}, {3, 16, 5},    {4, 1, 300},  {5, 17, 513},
                              {8, 64, 64}, {2, 300, 3}, {130, 20, 21}, {1, 520, 260}};
  for (const auto& [m, n, k] : sizes) {
    for (int t = 0; t < 4; ++t) {
      const MatMulShape s = MatMulShape::row_major(m, n, k, t & 1, t & 2);
      check_product<float>(s, m * k, k * n);
      check_product<double>(s, m * k, k * n);
      check_product<int32_t>(s, m * k, k * n);
    }
  }
}

TEST(MatMul, TakesEveryDtypeOfOnnx) {
  for (DType dtype : kAllDTypes) {
    visit_dtype(dtype, [&]<class T>(TypeTag<T>) {
      const MatMulShape s = MatMulShape::row_major(7, 18, 5, false, true);
      if (is_floating(dtype) || (is_integer(dtype) && sizeof(T) >= 4))
        check_product<T>(s, 35, 90);
      else
        EXPECT_THROW(matmul(s, values<T>(35, 1).data(), values<T>(90, 1).data(), Array<T>(126).data()), DTypeError);
    });
  }
}

TEST(MatMul, BroadcastsBatches) {
  MatMulShape s = MatMulShape::row_major(3, 5, 4);
  s.batch = {2, 1, 3};
  s.a_batch = {12, 0, 0};
  s.b_batch = {0, 0, 20};
  check_product<float>(s, 24, 60);
  check_product<Float16>(s, 24, 60);
  s.a_batch = {36, 0, 12};  // rows that follow each other, one B
  s.b_batch = {0, 0, 0};
  check_product<float>(s, 72, 20);
  check_product<BFloat16>(s, 72, 20);
  s.a_batch = {12, 12, 24};
  check_product<double>(s, 72, 20);
  s.m = 1;
  check_product<double>(s, 72, 20);
}

TEST(MatMul, AccumulatesInFixedOrder) {
  const int64_t m = 9, n = 33, k = 700;
  const Array<float> a = values<float>(m * k, 1), b = values<float>(k * n, 2);
  const Array<float> c =
      run<float>(m * n, [&](float* out) { matmul(MatMulShape::row_major(m, n, k), a.data(), b.data(), out); });
  for (int64_t i = 0; i < m; ++i) {
    for (int64_t j = 0; j < n; ++j) {
      volatile float sum = 0;  // each product and each sum rounded to float
      for (int64_t p = 0; p < k; ++p) {
        volatile float product = a[i * k + p] * b[p * n + j];
        sum = sum + product;
      }
      ASSERT_EQ(c[i * n + j], sum);
    }
    const Array<float> row =
        run<float>(n, [&](float* out) { matmul(MatMulShape::row_major(1, n, k), a.data() + i * k, b.data(), out); });
    for (int64_t j = 0; j < n; ++j) ASSERT_EQ(row[j], c[i * n + j]) << "a row alone";
  }
}

TEST(MatMul, GivesTheSameBitsForAnyNumberOfThreads) {
  const int64_t m = 150, n = 600, k = 300;
  const Array<float> a = values<float>(m * k, 1), b = values<float>(k * n, 2);
  run_threaded<float>(m * n, [&](float* c) { matmul(MatMulShape::row_major(m, n, k), a.data(), b.data(), c); });
}

TEST(MatMul, OfNothingIsZeroOrEmpty) {
  const Array<float> x = values<float>(10, 1);
  expect_equal(run<float>(6, [&](float* c) { matmul(MatMulShape::row_major(2, 3, 0), x.data(), x.data(), c); }),
               {0, 0, 0, 0, 0, 0});
  run<float>(0, [&](float* c) { matmul(MatMulShape::row_major(0, 3, 2), x.data(), x.data(), c); });
  run<float>(0, [&](float* c) { matmul(MatMulShape::row_major(2, 0, 2), x.data(), x.data(), c); });
}

TEST(MatMul, IntegersWrap) {
  const Array<int32_t> a{1 << 20, 3}, b{1 << 12, -1};
  expect_equal(run<int32_t>(1, [&](int32_t* c) { matmul(MatMulShape::row_major(1, 1, 2), a.data(), b.data(), c); }),
               {-3});
}

template <class T>
void check_gemm() {
  const MatMulShape s = MatMulShape::row_major(6, 21, 7, true, false);
  const Array<T> a = values<T>(42, 1), b = values<T>(147, 2), bias = values<T>(126, 3);
  for (const GemmBias<T>& added : {GemmBias<T>{}, GemmBias<T>{bias.data(), 0, 0}, GemmBias<T>{bias.data(), 0, 1},
                                   GemmBias<T>{bias.data(), 1, 0}, GemmBias<T>{bias.data(), 21, 1}}) {
    for (float alpha : {1.0f, 2.0f}) {
      const auto kernel = [&](T* c) { gemm(s, a.data(), b.data(), alpha, 3.0f, added, c); };
      expect_close(run<T>(126, kernel), reference(s, a.data(), b.data(), alpha, 3, added), 4 * kPrecision<T>);
    }
  }
}

TEST(Gemm, ScalesAndAddsABroadcastBias) {
  check_gemm<float>();
  check_gemm<double>();
  check_gemm<Float16>();
  check_gemm<BFloat16>();
  check_gemm<int32_t>();
  check_gemm<int64_t>();
}

TEST(Gemm, OfDepthZeroIsTheBias) {
  const float bias[] = {1, 2};
  expect_equal(run<float>(4,
                          [&](float* c) {
                            gemm<float>(MatMulShape::row_major(2, 2, 0), nullptr, nullptr, 1, 0.5f, {bias, 1, 0}, c);
                          }),
               {0.5f, 0.5f, 1, 1});
}

}  // namespace
}  // namespace onemodel::kernels

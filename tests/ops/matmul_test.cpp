#include "ops/matmul.h"

#include <gtest/gtest.h>

#include "ops/fused_matmul.h"
#include "ops/gemm.h"
#include "ops/sample.h"
#include "support/compare.h"
#include "support/direct_applier.h"
#include "support/fast_kernel.h"
#include "support/inference.h"

namespace onemodel::test {
namespace {

// C = A B of two matrices by the definition, in double.
Tensor product(const Tensor& a, const Tensor& b) {
  const int64_t m = a.dims()[0], k = a.dims()[1], n = b.dims()[1];
  const auto x = a.to_vector<double>(), y = b.to_vector<double>();
  std::vector<double> out(static_cast<size_t>(m * n));
  for (int64_t i = 0; i < m; ++i)
    for (int64_t j = 0; j < n; ++j)
      for (int64_t p = 0; p < k; ++p)
        out[static_cast<size_t>(i * n + j)] += x[static_cast<size_t>(i * k + p)] * y[static_cast<size_t>(p * n + j)];
  return Tensor::from(std::span<const double>(out), {m, n});
}

Tensor matrix(const Dims& dims, uint64_t seed = 1) { return sample_values(dims, -1, 1, DType::f32, seed); }

testing::AssertionResult near(const Tensor& a, const Tensor& b) { return close(a.cast(DType::f64), b, 1e-6); }

TEST(MatMul, MultipliesMatrices) {
  const Tensor a = Tensor::from({1.0f, 2.0f, 3.0f, 4.0f, 5.0f, 6.0f}, {2, 3});
  const Tensor b = Tensor::from({7.0f, 8.0f, 9.0f, 10.0f, 11.0f, 12.0f}, {3, 2});
  EXPECT_TRUE(same_bits(run(MatMul{}, {a, b}), Tensor::from({58.0f, 64.0f, 139.0f, 154.0f}, {2, 2})));
  EXPECT_TRUE(near(run(MatMul{}, {matrix({7, 19}), matrix({19, 5}, 2)}), product(matrix({7, 19}), matrix({19, 5}, 2))));
}

TEST(MatMul, BroadcastsBatches) {
  const Tensor a = matrix({2, 1, 3, 4}), b = matrix({3, 4, 5}, 2), y = run(MatMul{}, {a, b});
  ASSERT_EQ(y.dims(), (Dims{2, 3, 3, 5}));
  for (int64_t i = 0; i < 2; ++i)
    for (int64_t j = 0; j < 3; ++j)
      EXPECT_TRUE(near(y.select(0, i).select(0, j), product(a.select(0, i).select(0, 0), b.select(0, j))));
}

TEST(MatMul, TreatsVectorsAsNumpy) {
  const Tensor row = matrix({4}), column = matrix({4}, 2), batch = matrix({2, 3, 4}, 3), wide = matrix({2, 4, 5}, 4);
  EXPECT_EQ(run(MatMul{}, {row, column}).dims(), Dims{});
  EXPECT_TRUE(near(run(MatMul{}, {row, column}).reshape({1, 1}), product(row.reshape({1, 4}), column.reshape({4, 1}))));
  const Tensor left = run(MatMul{}, {batch, column}), right = run(MatMul{}, {row, wide});
  ASSERT_EQ(left.dims(), (Dims{2, 3}));
  ASSERT_EQ(right.dims(), (Dims{2, 5}));
  for (int64_t i = 0; i < 2; ++i) {
    EXPECT_TRUE(near(left.select(0, i).reshape({3, 1}), product(batch.select(0, i), column.reshape({4, 1}))));
    EXPECT_TRUE(near(right.select(0, i).reshape({1, 5}), product(row.reshape({1, 4}), wide.select(0, i))));
  }
}

TEST(MatMul, TakesTransposedViews) {
  const Tensor a = matrix({3, 2, 4}), b = matrix({3, 5, 4}, 2).transpose(1, 2);
  EXPECT_TRUE(same_bits(run(MatMul{}, {a, b}), run(MatMul{}, {a, b.contiguous()})));
}

TEST(MatMul, OfAnEmptyInnerAxisIsZero) {
  EXPECT_TRUE(same_bits(run(MatMul{}, {Tensor::zeros({2, 0}), Tensor::zeros({0, 3})}), Tensor::zeros({2, 3})));
  EXPECT_TRUE(
      same_bits(run_fast(MatMul{}, {Tensor::zeros({2, 0}), Tensor::zeros({0, 3})}, {.constants = {1}}).outputs[0],
                Tensor::zeros({2, 3})));
}

TEST(MatMul, AccumulatesHalfPrecisionInFloat) {
  const Tensor a = matrix({3, 50}).cast(DType::f16), b = matrix({50, 2}, 2).cast(DType::f16);
  const Tensor y = run(MatMul{}, {a, b});
  EXPECT_EQ(y.dtype(), DType::f16);
  EXPECT_TRUE(close(y.cast(DType::f64), product(a, b), 5e-4));
}

TEST(MatMul, InfersSymbolicShapes) {
  const Extent batch = Extent::symbol("batch", 2), seq = Extent::symbol("seq", 3), d = Extent::symbol("d", 4);
  EXPECT_EQ(Inference(MatMul{}).input({batch, seq, 8}).input({8, 5}).text(), "[batch, seq, 5]");
  EXPECT_EQ(Inference(MatMul{}).input({batch, 1, seq, d}).input({6, d, seq}).text(), "[batch, 6, seq, seq]");
  EXPECT_EQ(Inference(MatMul{}).input({d}).input({batch, d, 7}).text(), "[batch, 7]");
  EXPECT_EQ(Inference(MatMul{}).input({batch, d}).input({4, 5}).text(), "[batch, 5]");
  EXPECT_EQ(Inference(MatMul{}).input({batch, d}).input({4, 5}).tracing().error(),
            "TraceError: MatMul: shapes [batch, d] and [4, 5] do not fit: the last axis of A has d, the last but one "
            "axis of B 4 (equal in the example only)");
}

TEST(MatMul, NamesWhatDoesNotFit) {
  EXPECT_EQ(infer_error(MatMul{}, {matrix({2, 3}), matrix({4, 5})}),
            "MatMul: shapes [2, 3] and [4, 5] do not fit: the last axis of A has 3, the last but one axis of B 4");
  EXPECT_EQ(infer_error(MatMul{}, {matrix({2, 3}), matrix({2})}),
            "MatMul: shapes [2, 3] and [2] do not fit: the last axis of A has 3, the only axis of B 2");
  EXPECT_EQ(infer_error(MatMul{}, {matrix({}), matrix({2})}), "MatMul: 'A' is a scalar, expected rank 1 or more");
  EXPECT_EQ(infer_error(MatMul{}, {matrix({2, 1, 3}), matrix({3, 3, 1})}),
            "MatMul: shapes [2] and [3] do not broadcast: axis 0 has 2 and 3");
}

TEST(MatMul, ChoosesFullyConnectedForConstantMatrices) {
  const Tensor a = matrix({2, 3, 8}), b = matrix({8, 5}, 2);
  const auto packed = run_fast(MatMul{}, {a, b}, {.constants = {1}, .clamp = Clamp{0, 0.5f}});
  EXPECT_EQ(packed.name, "xnn.fully_connected");
  auto expected = run(MatMul{}, {a, b}).to_vector<float>();
  for (float& value : expected) value = std::min(0.5f, std::max(0.0f, value));
  EXPECT_TRUE(close(packed.outputs[0], Tensor::from(std::span<const float>(expected), {2, 3, 5}), 1e-6));

  const auto plain = run_fast(MatMul{}, {a, b});
  EXPECT_EQ(plain.name, "simd.batch_matmul");
  EXPECT_EQ(plain.refusals, std::vector<std::string>{"xnn.fully_connected: B is not constant"});
  EXPECT_TRUE(close(plain.outputs[0], run(MatMul{}, {a, b}), 1e-6));

  const Tensor deep = matrix({3, 8, 5}, 2);
  EXPECT_EQ(run_fast(MatMul{}, {matrix({3, 2, 8}), deep}, {.constants = {1}}).refusals,
            std::vector<std::string>{"xnn.fully_connected: B is not two-dimensional"});
  EXPECT_EQ(run_fast(MatMul{}, {a, b}, {.clamp = Clamp{0, 1}}).name, "portable");
}

TEST(Gemm, MatchesTheDefinition) {
  const Tensor a = matrix({3, 4}), b = matrix({4, 5}, 2), c = matrix({5}, 3);
  const Tensor ab = product(a, b);
  const auto expected = [&](double alpha, double beta, const Tensor& bias) {
    auto values = ab.to_vector<double>();
    const auto added = bias.defined() ? bias.expand({3, 5}).to_vector<double>() : std::vector<double>(15);
    for (size_t i = 0; i < values.size(); ++i) values[i] = alpha * values[i] + beta * added[i];
    return Tensor::from(std::span<const double>(values), {3, 5});
  };
  const Tensor at = a.transpose(0, 1).contiguous(), bt = b.transpose(0, 1).contiguous();
  EXPECT_TRUE(near(run(Gemm{}, {a, b}), ab));
  EXPECT_TRUE(near(run(Gemm{.transA = true}, {at, b}), ab));
  EXPECT_TRUE(near(run(Gemm{.transB = true}, {a, bt, c}), expected(1, 1, c)));
  EXPECT_TRUE(
      near(run(Gemm{.alpha = 0.5f, .beta = -2, .transA = true, .transB = true}, {at, bt, c}), expected(0.5, -2, c)));
  for (const Dims& dims : {Dims{}, Dims{1}, Dims{3, 1}, Dims{1, 5}, Dims{3, 5}})
    EXPECT_TRUE(near(run(Gemm{}, {a, b, matrix(dims, 4)}), expected(1, 1, matrix(dims, 4)))) << concat(dims);
}

TEST(Gemm, InfersSymbolicShapes) {
  const Extent batch = Extent::symbol("batch");
  EXPECT_EQ(Inference(Gemm{.transB = true}).input({batch, 8}).input({3, 8}).input({3}).text(), "[batch, 3]");
  EXPECT_EQ(Inference(Gemm{.transA = true}).input({8, batch}).input({8, 3}).absent().text(), "[batch, 3]");
}

TEST(Gemm, NamesWhatDoesNotFit) {
  EXPECT_EQ(infer_error(Gemm{.transB = true}, {matrix({2, 3}), matrix({3, 4})}),
            "Gemm: shapes [2, 3] and [3, 4] (transposed) do not fit: the inner extents are 3 and 4");
  EXPECT_EQ(infer_error(Gemm{}, {matrix({2, 3}), matrix({3, 4}), matrix({2, 1, 4})}),
            "Gemm: 'C' of shape [2, 1, 4] does not broadcast to [2, 4]");
  EXPECT_EQ(infer_error(Gemm{}, {matrix({2, 3}), matrix({3})}), "Gemm: 'B' expects rank 2, got shape [3]");
}

TEST(Gemm, ChoosesKernelsByConstants) {
  const Tensor a = matrix({3, 8}), w = matrix({5, 8}, 2), bias = matrix({5}, 3), column = matrix({3, 1}, 4);
  const Gemm linear{.transB = true};
  const auto expect = [](const Op& op, const std::vector<Tensor>& inputs, const FastOptions& options,
                         std::string_view name, std::vector<std::string> refusals) {
    const auto fast = run_fast(op, inputs, options);
    EXPECT_EQ(fast.name, name);
    EXPECT_EQ(fast.refusals, refusals);
    EXPECT_TRUE(close(fast.outputs[0], run(op, inputs, 1)[0], 1e-6));
  };
  expect(linear, {a, w, bias}, {.constants = {1, 2}}, "xnn.fully_connected", {});
  expect(linear, {a, w, Tensor::scalar(0.5f)}, {.constants = {1, 2}}, "xnn.fully_connected", {});
  expect(linear, {a, w, bias}, {}, "simd.batch_matmul", {"xnn.fully_connected: B is not constant"});
  expect(linear, {a, w, column}, {.constants = {1, 2}}, "portable",
         {"xnn.fully_connected: C is not one row", "simd.batch_matmul: C is not one row"});
  expect(Gemm{.alpha = 2, .transB = true}, {a, w}, {.constants = {1}}, "portable",
         {"xnn.fully_connected: alpha or beta is not 1", "simd.batch_matmul: alpha or beta is not 1"});
  expect(Gemm{.beta = 2, .transB = true}, {a, w}, {.constants = {1}}, "xnn.fully_connected", {});
  expect(Gemm{.transA = true}, {matrix({8, 3}), matrix({8, 5}, 2)}, {.constants = {1}}, "simd.batch_matmul",
         {"xnn.fully_connected: A is transposed"});
}

TEST(FusedMatMul, IsMatMulPlusBias) {
  const Tensor a = matrix({2, 3, 4}), b = matrix({4, 5}, 2), bias = matrix({5}, 3);
  const auto sums = run(MatMul{}, {a, b}).to_vector<double>(), added = bias.to_vector<double>();
  std::vector<double> expected;
  for (size_t i = 0; i < sums.size(); ++i) expected.push_back(sums[i] + added[i % 5]);
  const Tensor reference = Tensor::from(std::span<const double>(expected), {2, 3, 5});
  EXPECT_TRUE(near(run(FusedMatMul{}, {a, b, bias}), reference));
  const auto packed = run_fast(FusedMatMul{}, {a, b, bias}, {.constants = {1, 2}});
  EXPECT_EQ(packed.name, "xnn.fully_connected");
  EXPECT_TRUE(near(packed.outputs[0], reference));
  const auto open = run_fast(FusedMatMul{}, {a, b, bias});
  EXPECT_EQ(open.name, "simd.batch_matmul");
  EXPECT_TRUE(near(open.outputs[0], reference));
  EXPECT_EQ(Inference(FusedMatMul{}).input({Extent::symbol("n"), 4}).input({4, 5}).input({5}).text(), "[n, 5]");
  EXPECT_EQ(infer_error(FusedMatMul{}, {a, b, matrix({4})}),
            "FusedMatMul: 'bias' has 4 elements, the last axis of the product 5");
}

}  // namespace
}  // namespace onemodel::test

#include "kernels/xnn/matmul.h"

#include "kernels/xnn_support.h"

namespace onemodel::kernels::xnn {
namespace {

using Floats = std::vector<float>;
constexpr double kTolerance = 5e-6;  // sums of up to 128 products of numbers below 1

std::vector<double> product(const Floats& a, const Floats& b, const BatchMatmul& p) {
  Dims batch;
  EXPECT_TRUE(broadcast(p.a_batch, p.b_batch, batch));
  const auto matrix = [&](const Dims& own, int64_t index) {
    int64_t out = 0, stride = 1;
    for (size_t i = 0; i < batch.size(); ++i) {
      const size_t axis = batch.size() - 1 - i;
      const int64_t at = index % batch[axis];
      index /= batch[axis];
      if (i >= own.size()) continue;
      if (own[own.size() - 1 - i] != 1) out += at * stride;
      stride *= own[own.size() - 1 - i];
    }
    return out;
  };
  std::vector<double> y;
  for (int64_t i = 0; i < numel(batch); ++i) {
    const float* x = a.data() + matrix(p.a_batch, i) * p.m * p.k;
    const float* w = b.data() + matrix(p.b_batch, i) * p.k * p.n;
    for (int64_t r = 0; r < p.m; ++r)
      for (int64_t c = 0; c < p.n; ++c) {
        double sum = 0;
        for (int64_t k = 0; k < p.k; ++k)
          sum += double{p.transposed_a ? x[k * p.m + r] : x[r * p.k + k]} *
                 double{p.transposed_b ? w[c * p.k + k] : w[k * p.n + c]};
        y.push_back(sum);
      }
  }
  return y;
}

void check_batch(const BatchMatmul& p) {
  SCOPED_TRACE(concat(p.a_batch, p.m, "x", p.k, p.transposed_a ? "T " : " ", p.b_batch, p.k, "x", p.n,
                      p.transposed_b ? "T" : "", p.bias ? " + bias" : ""));
  std::vector<Floats> inputs = {random_floats(numel(p.a_batch) * p.m * p.k, 1),
                                random_floats(numel(p.b_batch) * p.k * p.n, 2)};
  std::vector<double> expected = product(inputs[0], inputs[1], p);
  if (p.bias) {
    inputs.push_back(random_floats(p.n, 3));
    for (size_t i = 0; i < expected.size(); ++i) expected[i] += double{inputs[2][i % static_cast<size_t>(p.n)]};
  }
  check_kernel([&](std::string& refusal) { return batch_matmul(p, refusal); }, inputs, expected, kTolerance);
}

void check_constant(FullyConnected p, bool with_bias) {
  SCOPED_TRACE(concat(p.m, "x", p.k, "x", p.n, p.transposed_b ? "T" : "", " in [", p.min, ", ", p.max, "]"));
  const Floats a = random_floats(p.m * p.k, 1), b = random_floats(p.k * p.n, 2), bias = random_floats(p.n, 3);
  std::vector<double> expected =
      product(a, b, {.a_batch = {}, .b_batch = {}, .m = p.m, .k = p.k, .n = p.n, .transposed_b = p.transposed_b});
  for (size_t i = 0; i < expected.size(); ++i) {
    if (with_bias) expected[i] += double{bias[i % static_cast<size_t>(p.n)]};
    expected[i] = std::min(std::max(expected[i], double{p.min}), double{p.max});
  }
  const auto make = [&](std::string& refusal) {
    Floats weights = b;  // gone before the run
    return fully_connected(p, weights.data(), with_bias ? bias.data() : nullptr, refusal);
  };
  check_kernel(make, {a}, expected, kTolerance);
}

constexpr int64_t kSizes[][3] = {{1, 1, 1},    {1, 7, 5},     {1, 33, 70},   {4, 1, 3},   {5, 9, 1},  {6, 5, 2},
                                 {17, 13, 11}, {64, 128, 64}, {3, 100, 260}, {200, 3, 9}, {2, 64, 33}};

TEST(XnnFullyConnected, MatchesTheDefinition) {
  with_threads([] {
    for (const auto& [m, k, n] : kSizes)
      for (bool transposed : {false, true})
        for (bool bias : {false, true}) check_constant({.m = m, .k = k, .n = n, .transposed_b = transposed}, bias);
  });
}

TEST(XnnFullyConnected, Clamps) {
  for (const auto& [m, k, n] : kSizes) {
    check_constant({.m = m, .k = k, .n = n, .min = 0}, true);
    check_constant({.m = m, .k = k, .n = n, .min = -0.25f, .max = 0.5f}, false);
  }
}

TEST(XnnFullyConnected, KeepsNanThroughTheClamp) {
  for (int64_t m : {1, 2, 9})
    for (float nan : {kNan, -kNan})
      for (auto [low, high] : {std::pair{0.f, kInf}, {0.f, 6.f}, {-1.f, 1.f}}) {
        const int64_t k = 5, n = 19;
        Floats a(static_cast<size_t>(m * k), 1.f);
        a[3] = nan;
        std::string refusal;
        const FullyConnected p{.m = m, .k = k, .n = n, .min = low, .max = high};
        PreparedPtr kernel = fully_connected(p, Floats(static_cast<size_t>(k * n), 1.f).data(), nullptr, refusal);
        ASSERT_TRUE(kernel) << refusal;
        const Floats y = run_kernel<float>(*kernel, {a}, static_cast<size_t>(m * n));
        for (size_t i = 0; i < y.size(); ++i)
          EXPECT_TRUE(i < size_t(n) ? std::isnan(y[i]) : y[i] == std::min(5.f, high)) << i << ": " << y[i];
      }
}

void check_packed(const FullyConnected& p, bool with_bias) {
  SCOPED_TRACE(concat(p.m, "x", p.k, "x", p.n, p.transposed_b ? "T" : "", " in [", p.min, ", ", p.max, "]"));
  const Floats a = random_floats(p.m * p.k, 1), b = random_floats(p.k * p.n, 2), bias = random_floats(p.n, 3);
  std::vector<double> expected =
      product(a, b, {.a_batch = {}, .b_batch = {}, .m = p.m, .k = p.k, .n = p.n, .transposed_b = p.transposed_b});
  for (size_t i = 0; i < expected.size(); ++i) {
    if (with_bias) expected[i] += double{bias[i % static_cast<size_t>(p.n)]};
    expected[i] = std::min(std::max(expected[i], double{p.min}), double{p.max});
  }
  const auto make = [&](std::string&) {
    Floats weights = b;  // gone before the run
    return packed_product(p, weights.data(), with_bias ? bias.data() : nullptr);
  };
  check_kernel(make, {a}, expected, kTolerance + 1e-7 * static_cast<double>(p.k));
}

TEST(XnnPackedProduct, MatchesTheDefinition) {
  with_threads([] {
    for (int64_t m : {1, 2, 3, 4, 7, 12, 203})
      for (int64_t n : {1, 4, 8, 11, 13, 20, 33, 64})
        for (int64_t k : {1, 2, 3, 4, 5, 30})
          for (bool transposed : {false, true})
            check_packed({.m = m, .k = k, .n = n, .transposed_b = transposed}, (m + n + k) % 2 == 0);
  });
}

TEST(XnnPackedProduct, TakesBlocksOfTheDepth) {
  with_threads([] {
    for (int64_t k : {511, 512, 513, 1100})
      for (int64_t m : {5, 200})
        for (bool transposed : {false, true})
          for (bool bias : {false, true})
            check_packed({.m = m, .k = k, .n = 29, .transposed_b = transposed, .min = -2, .max = 3}, bias);
  });
}

TEST(XnnPackedProduct, KeepsInfinitiesAndNanInTheirPlaces) {
  const int64_t m = 7, k = 9, n = 21;
  Floats a(static_cast<size_t>(m * k), 1.f), b(static_cast<size_t>(k * n), 1.f);
  a[3 * k + 2] = kNan;
  b[4 * n + 20] = kInf;
  const PreparedPtr kernel = packed_product({.m = m, .k = k, .n = n, .min = 0, .max = 100}, b.data(), nullptr);
  const Floats y = run_kernel<float>(*kernel, {a}, static_cast<size_t>(m * n));
  for (int64_t i = 0; i < m * n; ++i) {
    const float value = y[static_cast<size_t>(i)];
    if (i / n == 3)
      EXPECT_TRUE(std::isnan(value)) << i;
    else
      EXPECT_EQ(value, i % n == 20 ? 100.f : 9.f) << i;
  }
}

TEST(XnnFullyConnected, RefusesWithAReason) {
  const float b = 1;
  EXPECT_EQ(refusal_of([&](auto& r) { return fully_connected({.m = 0, .k = 1, .n = 1}, &b, nullptr, r); }),
            "a size is zero");
  EXPECT_EQ(refusal_of(
                [&](auto& r) { return fully_connected({.m = 2, .k = 1, .n = 1, .min = 3, .max = 1}, &b, nullptr, r); }),
            "the clamp's range is empty");
}

TEST(XnnBatchMatmul, MatchesTheDefinition) {
  with_threads([] {
    for (const auto& [m, k, n] : kSizes)
      for (int flags = 0; flags < 8; ++flags)
        for (const Dims& batch : {Dims{}, Dims{1}, Dims{3}, Dims{2, 2}})
          check_batch({.a_batch = batch,
                       .b_batch = batch,
                       .m = m,
                       .k = k,
                       .n = n,
                       .transposed_a = (flags & 1) != 0,
                       .transposed_b = (flags & 2) != 0,
                       .bias = (flags & 4) != 0});
  });
}

TEST(XnnBatchMatmul, SharesLargeVectorProductsAmongThreads) {
  with_threads([] {
    for (bool transposed : {false, true}) {
      check_batch({.a_batch = {}, .b_batch = {}, .m = 1, .k = 90, .n = 1003, .transposed_b = transposed});
      check_batch({.a_batch = {}, .b_batch = {}, .m = 1003, .k = 90, .n = 1, .transposed_a = transposed});
      check_constant({.m = 1, .k = 90, .n = 1003, .transposed_b = transposed}, true);
    }
  });
}

TEST(XnnBatchMatmul, BroadcastsBatches) {
  const std::pair<Dims, Dims> cases[] = {{{3}, {}},     {{}, {3}},  {{2, 1}, {1, 3}},         {{4}, {2, 1}},
                                         {{2, 3}, {3}}, {{1}, {5}}, {{2, 1, 2, 1}, {3, 1, 2}}};
  for (const auto& [a, b] : cases)
    for (int flags = 0; flags < 8; ++flags)
      for (auto [m, k, n] : {std::array<int64_t, 3>{5, 7, 9}, {1, 7, 9}, {5, 7, 1}})
        check_batch({.a_batch = a,
                     .b_batch = b,
                     .m = m,
                     .k = k,
                     .n = n,
                     .transposed_a = (flags & 1) != 0,
                     .transposed_b = (flags & 2) != 0,
                     .bias = (flags & 4) != 0});
}

TEST(XnnBatchMatmul, RefusesWithAReason) {
  const auto refused = [](const Dims& a, const Dims& b, int64_t k) {
    return refusal_of([&](auto& r) { return batch_matmul({.a_batch = a, .b_batch = b, .m = 2, .k = k, .n = 2}, r); });
  };
  EXPECT_EQ(refused({2}, {3}, 1), "batches [2] and [3] do not fit");
  EXPECT_EQ(refused({}, {}, 0), "a size is zero");
  EXPECT_EQ(refused({0}, {1}, 1), "a batch is empty");
}

}  // namespace
}  // namespace onemodel::kernels::xnn

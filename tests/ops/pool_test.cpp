#include "ops/pool.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "ops/pool_gradient.h"
#include "ops/sample.h"
#include "support/compare.h"
#include "support/direct_applier.h"
#include "support/fast_kernel.h"
#include "support/inference.h"

namespace onemodel::test {
namespace {

Tensor values(const Dims& dims, uint64_t seed = 1) { return sample_values(dims, -2, 2, DType::f32, seed); }

// What each window of one plane sees: maximum, where, and the two means.
struct Seen {
  double max = -std::numeric_limits<double>::infinity();
  int64_t where = -1;
  double sum = 0;
  int64_t inside = 0, padded = 0;
};

struct Axis {
  int64_t kernel, stride = 1, dilation = 1, begin = 0, end = 0;
};

Seen look(const std::vector<double>& x, int64_t first, int64_t h, int64_t w, const Axis& v, const Axis& u, int64_t i,
          int64_t j) {
  Seen seen;
  for (int64_t p = 0; p < v.kernel; ++p)
    for (int64_t q = 0; q < u.kernel; ++q) {
      const int64_t row = i * v.stride - v.begin + p * v.dilation, column = j * u.stride - u.begin + q * u.dilation;
      if (row < h + v.end && column < w + u.end) ++seen.padded;
      if (row < 0 || row >= h || column < 0 || column >= w) continue;
      const int64_t at = first + row * w + column;
      const double value = x[static_cast<size_t>(at)];
      if (value > seen.max) seen.max = value, seen.where = at;
      seen.sum += value;
      ++seen.inside;
    }
  return seen;
}

struct Case {
  bool ceil;
  std::string auto_pad;
  Axis v, u;
  std::vector<int64_t> kernel() const { return {v.kernel, u.kernel}; }
  std::vector<int64_t> strides() const { return {v.stride, u.stride}; }
  std::vector<int64_t> dilations() const { return {v.dilation, u.dilation}; }
  std::vector<int64_t> pads() const {
    return auto_pad == "NOTSET" ? std::vector{v.begin, u.begin, v.end, u.end} : std::vector<int64_t>{};
  }
};

const Dims kInput{2, 3, 7, 6};

std::vector<Case> cases() {
  return {{false, "NOTSET", {2, 2}, {2, 2}},
          {false, "NOTSET", {3, 2, 1, 1, 1}, {3, 2, 1, 1, 1}},
          {true, "NOTSET", {3, 2, 1, 1, 0}, {2, 3}},
          {true, "NOTSET", {2, 3, 2}, {2, 4}},
          {false, "NOTSET", {2, 1, 3}, {3, 1, 2, 0, 1}},
          {false, "SAME_UPPER", {3, 2, 1, 1, 1}, {3, 2, 1, 0, 1}},
          {false, "SAME_LOWER", {3, 2, 1, 1, 1}, {3, 2, 1, 1, 0}},
          {false, "VALID", {4, 3}, {1, 2}}};
}

template <class T>
T pool_of(const Case& c) {
  T op;
  op.auto_pad = c.auto_pad, op.ceil_mode = c.ceil;
  op.dilations = c.dilations(), op.kernel_shape = c.kernel(), op.pads = c.pads(), op.strides = c.strides();
  return op;
}

template <class F>
Tensor each_window(const Tensor& x, const Dims& y, const Case& c, F&& f) {
  const auto data = x.to_vector<double>();
  std::vector<double> out;
  for (int64_t plane = 0; plane < y[0] * y[1]; ++plane)
    for (int64_t i = 0; i < y[2]; ++i)
      for (int64_t j = 0; j < y[3]; ++j)
        out.push_back(f(look(data, plane * x.dims()[2] * x.dims()[3], x.dims()[2], x.dims()[3], c.v, c.u, i, j)));
  return Tensor::from(std::span<const double>(out), y);
}

TEST(MaxPool, MatchesTheDefinition) {
  const Tensor x = values(kInput);
  for (const Case& c : cases()) {
    const auto op = pool_of<MaxPool>(c);
    SCOPED_TRACE(concat(Op(op)));
    const auto y = run(op, std::vector{x}, 2);
    EXPECT_TRUE(close(y[0].cast(DType::f64), each_window(x, y[0].dims(), c, [](const Seen& s) { return s.max; }), 0));
    EXPECT_TRUE(
        close(y[1].cast(DType::f64), each_window(x, y[0].dims(), c, [](const Seen& s) { return double(s.where); }), 0));
    const auto fast = run_fast(op, {x});
    EXPECT_TRUE(same_bits(fast.outputs[0], y[0])) << fast.name;
  }
}

TEST(AveragePool, MatchesTheDefinition) {
  const Tensor x = values(kInput);
  for (const Case& c : cases())
    for (bool include : {false, true}) {
      auto op = pool_of<AveragePool>(c);
      op.count_include_pad = include;
      SCOPED_TRACE(concat(Op(op)));
      const Tensor y = run(op, {x});
      const Tensor expected =
          each_window(x, y.dims(), c, [&](const Seen& s) { return s.sum / double(include ? s.padded : s.inside); });
      EXPECT_TRUE(close(y.cast(DType::f64), expected, 1e-6));
      const auto fast = run_fast(op, {x});
      EXPECT_TRUE(close(fast.outputs[0].cast(DType::f64), expected, 1e-6)) << fast.name;
    }
}

TEST(MaxPool, IsFastInOneAndTwoDimensions) {
  const MaxPool plain{.kernel_shape = {2, 2}, .strides = {2, 2}};
  EXPECT_EQ(run_fast(plain, {values(kInput)}).name, "simd.max_pool");
  EXPECT_EQ(run_fast(MaxPool{.kernel_shape = {3}, .strides = {2}}, {values({2, 3, 9})}).name, "simd.max_pool");
  EXPECT_EQ(run_fast(plain, {values(kInput)}, {.outputs = 2}).refusals,
            std::vector<std::string>{"simd.max_pool: the indices are wanted"});
  EXPECT_EQ(run_fast(MaxPool{.kernel_shape = {2, 2, 2}}, {values({1, 1, 3, 3, 3})}).refusals,
            std::vector<std::string>{"simd.max_pool: three spatial axes"});
  EXPECT_EQ(run_fast(AveragePool{.kernel_shape = {2, 2}}, {values(kInput)}).name, "simd.average_pool");
}

TEST(MaxPool, TakesTheFirstOfEqualsAndPropagatesNaN) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const Tensor x = Tensor::from({1.0f, 1.0f, 0.0f, nan, 2.0f, 3.0f}, {1, 1, 6});
  const auto y = run(MaxPool{.kernel_shape = {2}, .strides = {2}}, std::vector{x}, 2);
  EXPECT_EQ(y[0].raw_as<float>()[0], 1);
  EXPECT_TRUE(std::isnan(y[0].raw_as<float>()[1]));
  EXPECT_EQ(y[0].raw_as<float>()[2], 3);
  EXPECT_EQ(y[1].to_vector<int64_t>(), (std::vector<int64_t>{0, 3, 5}));
}

TEST(MaxPool, TakesEightBitIntegers) {
  const Tensor x = Tensor::from<int8_t>({-128, -7, -9, 3}, {1, 1, 4});
  EXPECT_TRUE(same_bits(run(MaxPool{.kernel_shape = {2}, .pads = {1, 0}}, {x}),
                        Tensor::from<int8_t>({-128, -7, -7, 3}, {1, 1, 4})));
}

TEST(Pools, InferSymbolicShapes) {
  const Extent batch = Extent::symbol("batch"), h = Extent::symbol("h"), w = Extent::symbol("w");
  EXPECT_EQ(Inference(MaxPool{.kernel_shape = {2, 2}, .strides = {2, 2}}).input({batch, 3, h, w}).text(),
            "[batch, 3, floor(h / 2), floor(w / 2)]");
  EXPECT_EQ(Inference(AveragePool{.kernel_shape = {3, 3}, .pads = {1, 1, 1, 1}}).input({batch, 3, h, w}).text(),
            "[batch, 3, h, w]");
  EXPECT_EQ(Inference(AveragePool{.ceil_mode = true, .kernel_shape = {2}, .strides = {2}}).input({batch, 3, h}).text(),
            "[batch, 3, floor((h + 1) / 2)]");
  EXPECT_EQ(Inference(GlobalAveragePool{}).input({batch, 3, h, w}).text(), "[batch, 3, 1, 1]");
}

TEST(Pools, NameEachWrongArgument) {
  const Tensor x = values({1, 2, 5, 4});
  EXPECT_EQ(infer_error(MaxPool{}, {x}), "MaxPool: kernel_shape is required: expected 2 numbers");
  EXPECT_EQ(infer_error(AveragePool{.kernel_shape = {2, 2, 2}}, {x}),
            "AveragePool: kernel_shape expects 2 numbers, got 3");
  EXPECT_EQ(infer_error(MaxPool{.kernel_shape = {2, 2}, .pads = {0, 0, 0, -2}}, {x}),
            "MaxPool: pads expects numbers of at least 0, got -2");
  EXPECT_EQ(infer_error(MaxPool{.kernel_shape = {2, 9}, .pads = {0, 2, 0, 2}}, {x}),
            "MaxPool: a window that spans 9 does not fit axis 3 of size 4, padded by 2 and 2");
  EXPECT_EQ(infer_error(MaxPool{.kernel_shape = {1, 1}, .storage_order = 2}, {x}),
            "MaxPool: storage_order expects 0 (row-major indices) or 1 (column-major), got 2");
  EXPECT_EQ(infer_error(MaxPool{.kernel_shape = {1}}, {values({3, 4})}),
            "MaxPool: 'X' expects [batch, channels, 1 to 3 spatial axes], got shape [3, 4]");
  EXPECT_EQ(infer_error(GlobalAveragePool{}, {values({3})}),
            "GlobalAveragePool: 'X' expects [batch, channels, spatial...], got shape [3]");
}

TEST(GlobalAveragePool, IsTheMeanOfEachPlane) {
  const Tensor x = Tensor::from({1.0f, 2.0f, 3.0f, 6.0f, -1.0f, -1.0f, 0.0f, 0.0f}, {1, 2, 2, 2});
  const Tensor expected = Tensor::from({3.0f, -0.5f}, {1, 2, 1, 1});
  EXPECT_TRUE(same_bits(run(GlobalAveragePool{}, {x}), expected));
  const auto fast = run_fast(GlobalAveragePool{}, {x});
  EXPECT_EQ(fast.name, "simd.global_average_pool");
  EXPECT_TRUE(close(fast.outputs[0], expected, 1e-7));
  EXPECT_TRUE(close(run(GlobalAveragePool{}, {x.cast(DType::f16)}), expected.cast(DType::f16), 1e-3));
}

TEST(MaxPoolGradient, AddsWhereWindowsOverlap) {
  const Tensor x = Tensor::from({1.0f, 5.0f, 2.0f, 0.0f}, {1, 1, 4}),
               dy = Tensor::from({1.0f, 10.0f, 100.0f}, {1, 1, 3});
  EXPECT_EQ(run(MaxPoolGradient{.kernel_shape = {2}}, {x, dy}).to_vector<float>(), (std::vector<float>{0, 11, 100, 0}));
}

TEST(AveragePoolGradient, SharesAmongTheWindow) {
  const Tensor x = Tensor::zeros({1, 1, 3}), dy = Tensor::from({2.0f, 4.0f}, {1, 1, 2});
  const AveragePoolGradient op{.kernel_shape = {2}, .pads = {1, 0}, .strides = {2}};
  EXPECT_EQ(run(op, {x, dy}).to_vector<float>(), (std::vector<float>{2, 2, 2}));
  AveragePoolGradient padded = op;
  padded.count_include_pad = true;
  EXPECT_EQ(run(padded, {x, dy}).to_vector<float>(), (std::vector<float>{1, 2, 2}));
}

}  // namespace
}  // namespace onemodel::test

#include "ops/reduce.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "ops/sample.h"
#include "support/compare.h"
#include "support/direct_applier.h"
#include "support/fast_kernel.h"
#include "support/inference.h"

namespace onemodel::test {
namespace {

struct Function {
  Op (*make)(bool keepdims, bool noop);
  double start;
  std::function<double(double, double)> step;
  bool mean = false;
};

std::vector<Function> functions() {
  return {{[](bool k, bool n) { return Op(ReduceSum{.keepdims = k, .noop_with_empty_axes = n}); }, 0,
           [](double a, double b) { return a + b; }},
          {[](bool k, bool n) { return Op(ReduceMean{.keepdims = k, .noop_with_empty_axes = n}); }, 0,
           [](double a, double b) { return a + b; }, true},
          {[](bool k, bool n) { return Op(ReduceMax{.keepdims = k, .noop_with_empty_axes = n}); }, -HUGE_VAL,
           [](double a, double b) { return std::max(a, b); }},
          {[](bool k, bool n) { return Op(ReduceMin{.keepdims = k, .noop_with_empty_axes = n}); }, HUGE_VAL,
           [](double a, double b) { return std::min(a, b); }},
          {[](bool k, bool n) { return Op(ReduceProd{.keepdims = k, .noop_with_empty_axes = n}); }, 1,
           [](double a, double b) { return a * b; }}};
}

// Reduces [2, 3, 4] over a set of axes, keeping them.
Tensor reference(const Function& f, const Tensor& x, unsigned set) {
  const auto values = x.to_vector<double>();
  Dims kept = x.dims();
  for (size_t a = 0; a < 3; ++a)
    if (set >> a & 1u) kept[a] = 1;
  std::vector<double> out(static_cast<size_t>(numel(kept)), f.start);
  const Dims strides = contiguous_strides(kept);
  for (int64_t i = 0; i < 24; ++i) {
    const int64_t index[] = {i / 12, i / 4 % 3, i % 4};
    int64_t at = 0;
    for (size_t a = 0; a < 3; ++a)
      if (!(set >> a & 1u)) at += index[a] * strides[a];
    out[static_cast<size_t>(at)] = f.step(out[static_cast<size_t>(at)], values[static_cast<size_t>(i)]);
  }
  if (f.mean)
    for (double& value : out) value *= static_cast<double>(out.size()) / 24;
  return Tensor::from(std::span<const double>(out), kept);
}

Tensor axes_tensor(unsigned set) {
  std::vector<int64_t> axes;
  for (int64_t a = 2; a >= 0; --a)  // in no particular order, some counted from the end
    if (set >> a & 1u) axes.push_back(a == 1 ? -2 : a);
  return Tensor::from_ints(axes);
}

TEST(Reductions, MatchTheDefinitionOverAnyAxes) {
  const Tensor x = sample_values({2, 3, 4}, -2, 2);
  for (const Function& f : functions())
    for (unsigned set = 1; set < 8; ++set) {
      SCOPED_TRACE(concat(f.make(true, false), " over set ", set));
      const Tensor expected = reference(f, x, set), axes = axes_tensor(set);
      EXPECT_TRUE(close(run(f.make(true, false), {x, axes}).cast(DType::f64), expected, 1e-6));
      const Tensor flat = run(f.make(false, false), {x, axes});
      EXPECT_EQ(flat.rank(), 3 - axes.numel());
      EXPECT_TRUE(close(flat.reshape(expected.dims()).cast(DType::f64), expected, 1e-6));
      const auto fast = run_fast(f.make(true, false), {x, axes}, {.constants = {1}});
      EXPECT_TRUE(close(fast.outputs[0].cast(DType::f64), expected, 1e-6)) << fast.name;
    }
}

TEST(Reductions, WithoutAxesReduceAllOrNothing) {
  const Tensor x = sample_values({2, 3, 4}, -2, 2), none = Tensor::from_ints({});
  for (const Function& f : functions()) {
    const Tensor all = reference(f, x, 7);
    EXPECT_TRUE(close(run(f.make(true, false), {x}).cast(DType::f64), all, 1e-6));
    EXPECT_TRUE(close(run(f.make(false, false), {x, none}).cast(DType::f64), all.reshape({}), 1e-6));
    EXPECT_TRUE(same_bits(run(f.make(false, true), {x}), x));
    EXPECT_TRUE(same_bits(run(f.make(true, true), {x, none}), x));
  }
}

TEST(Reductions, OfNothingAreNeutral) {
  const Tensor x = Tensor::zeros({2, 0}), axes = Tensor::from_ints(std::vector<int64_t>{1});
  const auto first = [&](const Op& op) { return run(op, {x, axes}).to_vector<float>()[0]; };
  EXPECT_EQ(first(ReduceSum{}), 0);
  EXPECT_EQ(first(ReduceProd{}), 1);
  EXPECT_TRUE(std::isnan(first(ReduceMean{})));
  EXPECT_EQ(first(ReduceMax{}), -HUGE_VALF);
  EXPECT_EQ(first(ReduceMin{}), HUGE_VALF);
}

TEST(Reductions, TakeIntegers) {
  const Tensor x = Tensor::from<int32_t>({7, -2, 4, 3}, {4});
  const auto item = [&](const Op& op) { return run(op, {x}).item<int32_t>(); };
  EXPECT_EQ(item(ReduceSum{.keepdims = false}), 12);
  EXPECT_EQ(item(ReduceMean{.keepdims = false}), 3);
  EXPECT_EQ(item(ReduceMax{.keepdims = false}), 7);
  EXPECT_EQ(item(ReduceMin{.keepdims = false}), -2);
  EXPECT_EQ(item(ReduceProd{.keepdims = false}), -168);
}

TEST(Reductions, InferSymbolicShapes) {
  const Extent batch = Extent::symbol("batch"), n = Extent::symbol("n");
  EXPECT_EQ(Inference(ReduceMean{}).input({batch, n, 8}).ints({-1}).text(), "[batch, n, 1]");
  EXPECT_EQ(Inference(ReduceSum{.keepdims = false}).input({batch, n, 8}).ints({1, 2}).text(), "[batch]");
  EXPECT_EQ(Inference(ReduceMax{.keepdims = false}).input({batch, n}).text(), "[]");
  EXPECT_EQ(Inference(ReduceSum{}).input({batch, n, 8}).input({2}, DType::i64).shape().rank(), 3u);
  EXPECT_EQ(Inference(ReduceSum{.keepdims = false}).input({batch, n, 8}).input({2}, DType::i64).shape().rank(), 1u);
}

TEST(Reductions, CountTheElementsOfAShape) {
  const Extent batch = Extent::symbol("batch");
  EXPECT_EQ(Inference(ReduceProd{.keepdims = false}).data({batch, 3, 4}).ints({0}).contents(), "[12*batch]");
}

TEST(Reductions, NameTheWrongAxis) {
  const Tensor x = sample_values({2, 3});
  EXPECT_EQ(infer_error(ReduceSum{}, {x, sample_ints({2})}),
            "ReduceSum: axis 2 is out of range for rank 2 (expected -2 to 1)");
  EXPECT_EQ(infer_error(ReduceMax{}, {x, sample_ints({1, -1})}), "ReduceMax: axis -1 is named twice");
  EXPECT_EQ(infer_error(ReduceMean{}, {x, Tensor::from({1.0f}, {1})}),
            "ReduceMean: input 'axes' expects int64, got float32");
  EXPECT_EQ(infer_error(ReduceSum{}, {x, sample_ints({1}).reshape({1, 1})}),
            "ReduceSum: input 1 expects one axis, got shape [1, 1]");
  EXPECT_EQ(infer_error(ReduceSum{}, {x.cast(DType::boolean)}),
            "ReduceSum: input 'data' expects a numeric type, got bool");
}

TEST(Reductions, AreFastWithConstantAxes) {
  const Tensor x = sample_values({2, 3, 4}), last = sample_ints({2});
  EXPECT_EQ(run_fast(ReduceSum{}, {x, last}, {.constants = {1}}).name, "simd.reduce");
  EXPECT_EQ(run_fast(ReduceMean{}, {x}).name, "simd.reduce");
  EXPECT_EQ(run_fast(ReduceMax{}, {x, last}).refusals,
            std::vector<std::string>{"simd.reduce: the axes are not constant"});
  EXPECT_EQ(run_fast(ReduceProd{}, {x}).refusals, std::vector<std::string>{});
}

std::vector<double> gradient(const Op& op, const Tensor& x) {
  DirectApplier applier;
  const Tensor y = run(op, {x}), g = Tensor::full(y.dims(), 1, y.dtype());
  const bool needed[] = {true};
  GradContext context({&x, 1}, {&y, 1}, {&g, 1}, needed, applier);
  return op.traits().vjp(op.data(), context)[0].tensor().to_vector<double>();
}

TEST(Reductions, ShareTheGradientEvenlyAmongEquals) {
  const Tensor x = Tensor::from({1.0, 3.0, 3.0, 2.0, 1.0}, {5});
  EXPECT_EQ(gradient(ReduceMax{}, x), (std::vector<double>{0, 0.5, 0.5, 0, 0}));
  EXPECT_EQ(gradient(ReduceMin{}, x), (std::vector<double>{0.5, 0, 0, 0, 0.5}));
}

TEST(ReduceProd, HasTheGradientOfTheOthersProductAtZeros) {
  EXPECT_EQ(gradient(ReduceProd{}, Tensor::from({2.0, 3.0, 4.0}, {3})), (std::vector<double>{12, 8, 6}));
  EXPECT_EQ(gradient(ReduceProd{}, Tensor::from({2.0, 0.0, 4.0}, {3})), (std::vector<double>{0, 8, 0}));
  EXPECT_EQ(gradient(ReduceProd{}, Tensor::from({0.0, 0.0, 4.0}, {3})), (std::vector<double>{0, 0, 0}));
}

}  // namespace
}  // namespace onemodel::test

#include "ops/unary.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>

#include "ops/sample.h"
#include "support/compare.h"
#include "support/direct_applier.h"
#include "support/fast_kernel.h"
#include "support/inference.h"

namespace onemodel::test {
namespace {

struct Function {
  Op op;
  std::function<double(double)> reference;
  double low = -3, high = 3;
};

double normal_probability(double x) { return 0.5 * std::erfc(-x / std::sqrt(2.0)); }

std::vector<Function> functions() {
  const auto tanh_gelu = [](double x) {
    return 0.5 * x * (1 + std::tanh(std::sqrt(2 / std::acos(-1.0)) * (x + 0.044715 * x * x * x)));
  };
  return {{Neg{}, [](double x) { return -x; }},
          {Abs{}, [](double x) { return std::fabs(x); }},
          {Sign{}, [](double x) { return double((x > 0) - (x < 0)); }},
          {Reciprocal{}, [](double x) { return 1 / x; }},
          {Exp{}, [](double x) { return std::exp(x); }},
          {Log{}, [](double x) { return std::log(x); }, 0.01, 9},
          {Sqrt{}, [](double x) { return std::sqrt(x); }, 0, 9},
          {Sin{}, [](double x) { return std::sin(x); }},
          {Cos{}, [](double x) { return std::cos(x); }},
          {Floor{}, [](double x) { return std::floor(x); }},
          {Ceil{}, [](double x) { return std::ceil(x); }},
          {Round{}, [](double x) { return std::nearbyint(x); }},
          {Erf{}, [](double x) { return std::erf(x); }},
          {Sigmoid{}, [](double x) { return 1 / (1 + std::exp(-x)); }, -9, 9},
          {Tanh{}, [](double x) { return std::tanh(x); }},
          {Relu{}, [](double x) { return x > 0 ? x : 0; }},
          {LeakyRelu{.alpha = 0.25f}, [](double x) { return x < 0 ? 0.25 * x : x; }},
          {HardSigmoid{.alpha = 0.5f, .beta = 0.25f},
           [](double x) { return std::min(1.0, std::max(0.0, 0.5 * x + 0.25)); }},
          {HardSwish{}, [](double x) { return x * std::min(1.0, std::max(0.0, x / 6 + 0.5)); }, -5, 5},
          {Gelu{}, [](double x) { return x * normal_probability(x); }},
          {Gelu{.approximate = "tanh"}, tanh_gelu}};
}

Tensor mapped(const Tensor& x, const std::function<double(double)>& f) {
  auto values = x.to_vector<double>();
  for (double& value : values) value = f(value);
  return Tensor::from(std::span<const double>(values), x.dims());
}

TEST(Unary, MatchesTheStandardLibrary) {
  for (const Function& function : functions()) {
    SCOPED_TRACE(concat(function.op));
    const Tensor x = sample_values({7, 9}, function.low, function.high, DType::f64);
    const Tensor expected = mapped(x, function.reference);
    EXPECT_TRUE(close(run(function.op, {x}), expected, 1e-12));
    const Tensor narrow = x.cast(DType::f32);
    EXPECT_TRUE(close(run(function.op, {narrow}).cast(DType::f64), mapped(narrow, function.reference), 2e-6));
    EXPECT_TRUE(
        close(run_fast(function.op, {narrow}).outputs[0].cast(DType::f64), mapped(narrow, function.reference), 5e-6));
  }
}

TEST(Unary, ComputesHalfPrecisionInFloat) {
  for (DType dtype : {DType::f16, DType::bf16}) {
    for (const Function& function : functions()) {
      SCOPED_TRACE(concat(function.op, " of ", dtype));
      const Tensor x = sample_values({40}, function.low, function.high, dtype);
      const Tensor y = run(function.op, {x});
      EXPECT_EQ(y.dtype(), dtype);
      const Tensor expected = run(function.op, {x.cast(DType::f32)}).cast(dtype);
      EXPECT_TRUE(same_bits(y, expected));
    }
  }
}

TEST(Unary, HasFastKernelsWhereXnnpackDoes) {
  for (const Function& function : functions()) {
    const bool none = function.op.is<Sign>() || function.op.is<Sin>() || function.op.is<Cos>();
    const auto fast = run_fast(function.op, {sample_values({5}, function.low, function.high)});
    EXPECT_EQ(fast.name, none ? "portable" : "simd.unary") << concat(function.op);
  }
}

TEST(Unary, FastKernelsRefuseOtherDtypesAndBounds) {
  EXPECT_EQ(run_fast(Exp{}, {sample_values({3}, -1, 1, DType::f64)}).refusals,
            std::vector<std::string>{"simd.unary: the dtype is not float32"});
  EXPECT_EQ(run_fast(Exp{}, {sample_values({3})}, {.clamp = Clamp{0, 1}}).refusals,
            std::vector<std::string>{"simd.unary: no fused bound"});
}

TEST(Unary, KeepsSymbolicShapes) {
  const Shape shape{Extent::symbol("batch"), 3, Extent::symbol("h")};
  for (const Function& function : functions()) EXPECT_EQ(Inference(function.op).input(shape).text(), "[batch, 3, h]");
}

TEST(Unary, TakesIntegersWhereOnnxDoes) {
  const Tensor x = Tensor::from<int8_t>({-128, -3, 0, 5}, {4});
  EXPECT_TRUE(same_bits(run(Neg{}, {x}), Tensor::from<int8_t>({-128, 3, 0, -5}, {4})));
  EXPECT_TRUE(same_bits(run(Abs{}, {x}), Tensor::from<int8_t>({-128, 3, 0, 5}, {4})));
  EXPECT_TRUE(same_bits(run(Sign{}, {x}), Tensor::from<int8_t>({-1, -1, 0, 1}, {4})));
  EXPECT_TRUE(same_bits(run(Relu{}, {x}), Tensor::from<int8_t>({0, 0, 0, 5}, {4})));
  EXPECT_EQ(infer_error(Neg{}, {sample_values({2}, 0, 9, DType::u8)}),
            "Neg: input 'X' expects a floating-point or signed integer type, got uint8");
  EXPECT_EQ(infer_error(Exp{}, {x}), "Exp: input 'X' expects a floating-point type, got int8");
}

TEST(Unary, RoundsHalvesToEven) {
  const Tensor x = Tensor::from({-2.5f, -1.5f, -0.5f, 0.5f, 1.5f, 2.5f}, {6});
  EXPECT_EQ(run(Round{}, {x}).to_vector<float>(), (std::vector<float>{-2, -2, 0, 0, 2, 2}));
}

TEST(Unary, GeluMatchesPyTorch) {
  const Tensor x = Tensor::from({-2.0, -0.5, 0.0, 1.0, 3.0}, {5});
  const Tensor none =
      Tensor::from({-0.04550026389635842, -0.15426876936299344, 0.0, 0.8413447460685429, 2.99595030590511}, {5});
  const Tensor tanh =
      Tensor::from({-0.04540230591222494, -0.15428599017485598, 0.0, 0.8411919906082768, 2.996362607918227}, {5});
  EXPECT_TRUE(close(run(Gelu{}, {x}), none, 1e-9));
  EXPECT_TRUE(close(run(Gelu{.approximate = "tanh"}, {x}), tanh, 1e-9));
}

Tensor gradient(const Op& op, const Tensor& x) {
  DirectApplier applier;
  const Tensor y = run(op, {x}), g = Tensor::full(y.dims(), 1, y.dtype());
  const bool needed[] = {true};
  GradContext context({&x, 1}, {&y, 1}, {&g, 1}, needed, applier);
  const auto out = op.traits().vjp(op.data(), context);
  return out[0].defined() ? out[0].tensor() : Tensor::zeros(x.dims(), x.dtype());
}

TEST(Unary, GradientsOnKinksAreThoseOfPyTorch) {
  const auto at = [](const Op& op, double x) { return gradient(op, Tensor::scalar(x)).item<double>(); };
  EXPECT_EQ(at(Relu{}, 0), 0);
  EXPECT_EQ(at(Abs{}, 0), 0);
  EXPECT_NEAR(at(LeakyRelu{}, 0), 0.01, 1e-6);
  EXPECT_EQ(at(HardSwish{}, -3), 0);
  EXPECT_EQ(at(HardSwish{}, 4), 1);
  EXPECT_EQ(at(HardSigmoid{}, 2.5), 0);
  EXPECT_EQ(at(HardSigmoid{}, -2.5), 0);
  for (const Op& op : {Op(Sign{}), Op(Floor{}), Op(Ceil{}), Op(Round{})}) EXPECT_EQ(at(op, 0.7), 0);
}

TEST(Unary, TakesLimits) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  const auto at = [](const Op& op, double x) { return run(op, {Tensor::scalar(x)}).item<double>(); };
  EXPECT_EQ(at(Sigmoid{}, -infinity), 0);
  EXPECT_EQ(at(Sigmoid{}, infinity), 1);
  EXPECT_EQ(at(Tanh{}, -infinity), -1);
  EXPECT_EQ(at(Erf{}, infinity), 1);
  EXPECT_EQ(at(Exp{}, -infinity), 0);
  EXPECT_EQ(at(Log{}, 0), -infinity);
  EXPECT_TRUE(std::isnan(at(Log{}, -1)));
  EXPECT_TRUE(std::isnan(at(Sqrt{}, -1)));
  EXPECT_EQ(at(Reciprocal{}, 0), infinity);
}

}  // namespace
}  // namespace onemodel::test

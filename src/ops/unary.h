#pragma once
// Element-wise operators of one input: the output has its shape and dtype.

#include "kernels/portable/elementwise.h"
#include "kernels/xnn/elementwise.h"
#include "ops/dtype_set.h"
#include "ops/grad.h"
#include "ops/infer.h"
#include "ops/kernel.h"
#include "ops/op_list.h"

namespace onemodel {

/// What all of them share. T has `kPortable`, `kFast` (nothing where XNNPACK has no such function)
/// and, when it has attributes, `params()`.
template <class T>
struct ElementwiseUnary {
  static constexpr Input inputs[] = {{"X", "values"}};
  static constexpr std::string_view outputs[] = {"Y"};
  static constexpr auto fields() { return std::tuple{}; }
  static constexpr DTypeSet kTakes = kFloating;
  kernels::UnaryParams params() const { return {}; }
  kernels::Unary portable() const { return T::kPortable; }
  kernels::xnn::Unary fast() const { return T::kFast; }

  void infer(InferContext& context) const;
  void evaluate(EvalContext& context) const;
  static std::span<const FastKernel<T>> fast_kernels();
  /// Values between T::kLow and T::kHigh.
  static std::vector<Sample> samples();
  static constexpr double kLow = -2, kHigh = 2;
};

constexpr OpInfo unary_info(std::string_view name, int since, Doc doc) {
  return {.name = name, .doc = doc, .since = since, .strided = true};
}

struct Neg : ElementwiseUnary<Neg> {
  static constexpr OpInfo info = unary_info("Neg", 13, "-x");
  static constexpr auto kPortable = kernels::Unary::neg;
  static constexpr auto kFast = kernels::xnn::Unary::neg;
  static constexpr DTypeSet kTakes = kSigned;
  void infer(InferContext& context) const;
  Gradients vjp(GradContext&) const;
};

struct Abs : ElementwiseUnary<Abs> {
  static constexpr OpInfo info = unary_info("Abs", 13, "|x|; the gradient at 0 is 0");
  static constexpr auto kPortable = kernels::Unary::abs;
  static constexpr auto kFast = kernels::xnn::Unary::abs;
  static constexpr DTypeSet kTakes = kNumeric;
  Gradients vjp(GradContext&) const;
};

struct Sign : ElementwiseUnary<Sign> {
  static constexpr OpInfo info = unary_info("Sign", 13, "-1, 0 or 1; NaN stays NaN; the gradient is 0");
  static constexpr auto kPortable = kernels::Unary::sign;
  static constexpr DTypeSet kTakes = kNumeric;
  Gradients vjp(GradContext&) const;
};

struct Reciprocal : ElementwiseUnary<Reciprocal> {
  static constexpr OpInfo info = unary_info("Reciprocal", 13, "1 / x");
  static constexpr auto kPortable = kernels::Unary::reciprocal;
  static constexpr auto kFast = kernels::xnn::Unary::reciprocal;
  static constexpr double kLow = 0.3;
  Gradients vjp(GradContext&) const;
};

struct Exp : ElementwiseUnary<Exp> {
  static constexpr OpInfo info = unary_info("Exp", 13, "e to the power of x");
  static constexpr auto kPortable = kernels::Unary::exp;
  static constexpr auto kFast = kernels::xnn::Unary::exp;
  Gradients vjp(GradContext&) const;
};

struct Log : ElementwiseUnary<Log> {
  static constexpr OpInfo info = unary_info("Log", 13, "natural logarithm; NaN below 0");
  static constexpr auto kPortable = kernels::Unary::log;
  static constexpr auto kFast = kernels::xnn::Unary::log;
  static constexpr double kLow = 0.2, kHigh = 3;
  Gradients vjp(GradContext&) const;
};

struct Sqrt : ElementwiseUnary<Sqrt> {
  static constexpr OpInfo info = unary_info("Sqrt", 13, "square root; NaN below 0");
  static constexpr auto kPortable = kernels::Unary::sqrt;
  static constexpr auto kFast = kernels::xnn::Unary::sqrt;
  static constexpr double kLow = 0.2, kHigh = 3;
  Gradients vjp(GradContext&) const;
};

struct Sin : ElementwiseUnary<Sin> {
  static constexpr OpInfo info = unary_info("Sin", 7, "sine of x in radians");
  static constexpr auto kPortable = kernels::Unary::sin;
  Gradients vjp(GradContext&) const;
};

struct Cos : ElementwiseUnary<Cos> {
  static constexpr OpInfo info = unary_info("Cos", 7, "cosine of x in radians");
  static constexpr auto kPortable = kernels::Unary::cos;
  Gradients vjp(GradContext&) const;
};

struct Tan : ElementwiseUnary<Tan> {
  static constexpr OpInfo info = unary_info("Tan", 7, "tangent of x in radians");
  static constexpr auto kPortable = kernels::Unary::tan;
  static constexpr double kLow = -1.2, kHigh = 1.2;
  Gradients vjp(GradContext&) const;
};

struct Asin : ElementwiseUnary<Asin> {
  static constexpr OpInfo info = unary_info("Asin", 7, "arcsine in radians; NaN outside [-1, 1]");
  static constexpr auto kPortable = kernels::Unary::asin;
  static constexpr double kLow = -0.9, kHigh = 0.9;
  Gradients vjp(GradContext&) const;
};

struct Acos : ElementwiseUnary<Acos> {
  static constexpr OpInfo info = unary_info("Acos", 7, "arccosine in radians; NaN outside [-1, 1]");
  static constexpr auto kPortable = kernels::Unary::acos;
  static constexpr double kLow = -0.9, kHigh = 0.9;
  Gradients vjp(GradContext&) const;
};

struct Atan : ElementwiseUnary<Atan> {
  static constexpr OpInfo info = unary_info("Atan", 7, "arctangent in radians");
  static constexpr auto kPortable = kernels::Unary::atan;
  Gradients vjp(GradContext&) const;
};

struct Sinh : ElementwiseUnary<Sinh> {
  static constexpr OpInfo info = unary_info("Sinh", 9, "hyperbolic sine");
  static constexpr auto kPortable = kernels::Unary::sinh;
  Gradients vjp(GradContext&) const;
};

struct Cosh : ElementwiseUnary<Cosh> {
  static constexpr OpInfo info = unary_info("Cosh", 9, "hyperbolic cosine");
  static constexpr auto kPortable = kernels::Unary::cosh;
  Gradients vjp(GradContext&) const;
};

struct Asinh : ElementwiseUnary<Asinh> {
  static constexpr OpInfo info = unary_info("Asinh", 9, "inverse hyperbolic sine");
  static constexpr auto kPortable = kernels::Unary::asinh;
  Gradients vjp(GradContext&) const;
};

struct Acosh : ElementwiseUnary<Acosh> {
  static constexpr OpInfo info = unary_info("Acosh", 9, "inverse hyperbolic cosine; NaN below 1");
  static constexpr auto kPortable = kernels::Unary::acosh;
  static constexpr double kLow = 1.2, kHigh = 3;
  Gradients vjp(GradContext&) const;
};

struct Atanh : ElementwiseUnary<Atanh> {
  static constexpr OpInfo info = unary_info("Atanh", 9, "inverse hyperbolic tangent; NaN outside [-1, 1]");
  static constexpr auto kPortable = kernels::Unary::atanh;
  static constexpr double kLow = -0.9, kHigh = 0.9;
  Gradients vjp(GradContext&) const;
};

struct Floor : ElementwiseUnary<Floor> {
  static constexpr OpInfo info = unary_info("Floor", 13, "largest integer <= x; the gradient is 0");
  static constexpr auto kPortable = kernels::Unary::floor;
  static constexpr auto kFast = kernels::xnn::Unary::floor;
  Gradients vjp(GradContext&) const;
};

struct Ceil : ElementwiseUnary<Ceil> {
  static constexpr OpInfo info = unary_info("Ceil", 13, "smallest integer >= x; the gradient is 0");
  static constexpr auto kPortable = kernels::Unary::ceil;
  static constexpr auto kFast = kernels::xnn::Unary::ceil;
  Gradients vjp(GradContext&) const;
};

struct Round : ElementwiseUnary<Round> {
  static constexpr OpInfo info = unary_info("Round", 11, "nearest integer, halves to even; the gradient is 0");
  static constexpr auto kPortable = kernels::Unary::round;
  static constexpr auto kFast = kernels::xnn::Unary::round;
  Gradients vjp(GradContext&) const;
};

struct Erf : ElementwiseUnary<Erf> {
  static constexpr OpInfo info = unary_info("Erf", 13, "error function, 2/sqrt(pi) times the integral of exp(-t^2)");
  static constexpr auto kPortable = kernels::Unary::erf;
  static constexpr auto kFast = kernels::xnn::Unary::erf;
  Gradients vjp(GradContext&) const;
};

struct Sigmoid : ElementwiseUnary<Sigmoid> {
  static constexpr OpInfo info = unary_info("Sigmoid", 13, "1 / (1 + exp(-x))");
  static constexpr auto kPortable = kernels::Unary::sigmoid;
  static constexpr auto kFast = kernels::xnn::Unary::sigmoid;
  Gradients vjp(GradContext&) const;
};

struct Tanh : ElementwiseUnary<Tanh> {
  static constexpr OpInfo info = unary_info("Tanh", 13, "hyperbolic tangent");
  static constexpr auto kPortable = kernels::Unary::tanh;
  static constexpr auto kFast = kernels::xnn::Unary::tanh;
  Gradients vjp(GradContext&) const;
};

struct Relu : ElementwiseUnary<Relu> {
  static constexpr OpInfo info = unary_info("Relu", 14, "max(x, 0); NaN stays NaN");
  static constexpr auto kPortable = kernels::Unary::relu;
  static constexpr auto kFast = kernels::xnn::Unary::relu;
  static constexpr DTypeSet kTakes = kNumeric;
  Gradients vjp(GradContext&) const;
};

struct LeakyRelu : ElementwiseUnary<LeakyRelu> {
  float alpha = 0.01f;
  static constexpr auto fields() { return std::tuple{field("alpha", &LeakyRelu::alpha, "slope below zero")}; }
  static constexpr OpInfo info = unary_info("LeakyRelu", 16, "x for x >= 0, alpha * x below");
  static constexpr auto kPortable = kernels::Unary::leaky_relu;
  static constexpr auto kFast = kernels::xnn::Unary::leaky_relu;
  kernels::UnaryParams params() const { return {alpha}; }
  Gradients vjp(GradContext&) const;
  static std::vector<Sample> samples();
};

struct HardSigmoid : ElementwiseUnary<HardSigmoid> {
  float alpha = 0.2f;
  float beta = 0.5f;
  static constexpr auto fields() {
    return std::tuple{field("alpha", &HardSigmoid::alpha, "slope"),
                      field("beta", &HardSigmoid::beta, "value at x = 0")};
  }
  static constexpr OpInfo info = unary_info("HardSigmoid", 6, "alpha * x + beta clipped to [0, 1]");
  static constexpr auto kPortable = kernels::Unary::hard_sigmoid;
  static constexpr auto kFast = kernels::xnn::Unary::hardsigmoid;
  kernels::UnaryParams params() const { return {alpha, beta}; }
  Gradients vjp(GradContext&) const;
  static std::vector<Sample> samples();
};

struct Softplus : ElementwiseUnary<Softplus> {
  static constexpr OpInfo info = unary_info("Softplus", 1, "log(1 + exp(x))");
  static constexpr auto kPortable = kernels::Unary::softplus;
  Gradients vjp(GradContext&) const;
};

struct Softsign : ElementwiseUnary<Softsign> {
  static constexpr OpInfo info = unary_info("Softsign", 1, "x / (1 + |x|)");
  static constexpr auto kPortable = kernels::Unary::softsign;
  Gradients vjp(GradContext&) const;
};

struct Mish : ElementwiseUnary<Mish> {
  static constexpr OpInfo info = unary_info("Mish", 18, "x * tanh(log(1 + exp(x)))");
  static constexpr auto kPortable = kernels::Unary::mish;
  Gradients vjp(GradContext&) const;
};

struct Elu : ElementwiseUnary<Elu> {
  float alpha = 1;
  static constexpr auto fields() {
    return std::tuple{field("alpha", &Elu::alpha, "limit towards minus infinity, negated")};
  }
  static constexpr OpInfo info = unary_info("Elu", 6, "x for x > 0, alpha * (exp(x) - 1) below");
  static constexpr auto kPortable = kernels::Unary::elu;
  kernels::UnaryParams params() const { return {alpha}; }
  Gradients vjp(GradContext&) const;
  static std::vector<Sample> samples();
};

struct Selu : ElementwiseUnary<Selu> {
  float alpha = 1.67326319217681884765625f;
  float gamma = 1.05070102214813232421875f;
  static constexpr auto fields() {
    return std::tuple{field("alpha", &Selu::alpha, "limit towards minus infinity over gamma, negated"),
                      field("gamma", &Selu::gamma, "scale")};
  }
  static constexpr OpInfo info = unary_info("Selu", 6, "gamma * x for x > 0, gamma * alpha * (exp(x) - 1) below");
  static constexpr auto kPortable = kernels::Unary::selu;
  kernels::UnaryParams params() const { return {alpha, gamma}; }
  Gradients vjp(GradContext&) const;
  static std::vector<Sample> samples();
};

struct Celu : ElementwiseUnary<Celu> {
  float alpha = 1;
  static constexpr auto fields() {
    return std::tuple{field("alpha", &Celu::alpha, "limit towards minus infinity, negated; not 0")};
  }
  static constexpr OpInfo info = unary_info("Celu", 12, "x for x > 0, alpha * (exp(x / alpha) - 1) below");
  static constexpr auto kPortable = kernels::Unary::celu;
  kernels::UnaryParams params() const { return {alpha}; }
  Gradients vjp(GradContext&) const;
  static std::vector<Sample> samples();
};

struct ThresholdedRelu : ElementwiseUnary<ThresholdedRelu> {
  float alpha = 1;
  static constexpr auto fields() { return std::tuple{field("alpha", &ThresholdedRelu::alpha, "threshold")}; }
  static constexpr OpInfo info = unary_info("ThresholdedRelu", 10, "x for x > alpha, else 0, also for NaN");
  static constexpr auto kPortable = kernels::Unary::thresholded_relu;
  kernels::UnaryParams params() const { return {alpha}; }
  Gradients vjp(GradContext&) const;
  static std::vector<Sample> samples();
};

struct HardSwish : ElementwiseUnary<HardSwish> {
  static constexpr OpInfo info = unary_info("HardSwish", 14, "x * clip(x / 6 + 1/2, 0, 1)");
  static constexpr auto kPortable = kernels::Unary::hard_swish;
  static constexpr auto kFast = kernels::xnn::Unary::hardswish;
  static constexpr double kLow = -4, kHigh = 4;
  Gradients vjp(GradContext&) const;
};

struct Gelu : ElementwiseUnary<Gelu> {
  std::string approximate = "none";
  static constexpr auto fields() {
    return std::tuple{field("approximate", &Gelu::approximate, "\"none\" or \"tanh\"")};
  }
  static constexpr OpInfo info = unary_info("Gelu", 20,
                                            "x / 2 * (1 + erf(x / sqrt 2)); tanh: x / 2 * (1 + "
                                            "tanh(sqrt(2 / pi) * (x + 0.044715 * x^3)))");
  kernels::Unary portable() const { return is_tanh() ? kernels::Unary::gelu_tanh : kernels::Unary::gelu; }
  kernels::xnn::Unary fast() const { return is_tanh() ? kernels::xnn::Unary::gelu_tanh : kernels::xnn::Unary::gelu; }
  static constexpr bool kFast = true;
  bool is_tanh() const { return approximate == "tanh"; }
  void infer(InferContext& context) const;
  Gradients vjp(GradContext&) const;
  static std::vector<Sample> samples();
};

}  // namespace onemodel

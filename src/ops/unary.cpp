#include "ops/unary.h"

#include <numbers>

#include "ops/declare.h"
#include "ops/fast_checks.h"
#include "ops/prepared_kernel.h"
#include "ops/shape_data.h"

namespace onemodel {

namespace {

void evaluate_unary(kernels::Unary function, kernels::UnaryParams params, EvalContext& context) {
  const Tensor& x = context.input(0);
  visit_dtype(x.dtype(), [&](auto tag) {
    using T = typename decltype(tag)::type;
    kernels::unary(function, x.dims(), x.raw_as<T>(), x.strides(), context.output().mutable_raw_as<T>(), params);
  });
}

std::unique_ptr<Kernel> make_fast(kernels::xnn::Unary function, kernels::UnaryParams params,
                                  const KernelRequest& request, std::string& refusal) {
  if (!accepts_plain_f32(request, refusal)) return nullptr;
  return wrap_kernel(kernels::xnn::unary(function, numel(request.dims(0)), params.alpha, params.beta, refusal), {0});
}

std::vector<Sample> unary_samples(const Op& op, double low, double high, std::string_view expected) {
  return {{op, {sample_values({2, 3}, low, high)}},
          {op, {sample_values({}, low, high, DType::f64, 4)}},
          {op, {sample_values({3, 1, 5}, low, high, DType::f32, 2)}},
          {op, {sample_values({2}, 0, 1, DType::boolean)}, concat("input 'X' expects ", expected, ", got bool")}};
}

}  // namespace

template <class T>
void ElementwiseUnary<T>::infer(InferContext& context) const {
  check_in(context, 0, T::kTakes);
  context.output(context.dtype(0), context.shape(0));
}

template <class T>
void ElementwiseUnary<T>::evaluate(EvalContext& context) const {
  const T& op = static_cast<const T&>(*this);
  evaluate_unary(op.portable(), op.params(), context);
}

template <class T>
std::span<const FastKernel<T>> ElementwiseUnary<T>::fast_kernels() {
  if constexpr (requires { T::kFast; }) {
    static constexpr FastKernel<T> kernels[] = {
        {"simd.unary", [](const T& op, const KernelRequest& request, std::string& refusal) {
           return make_fast(op.fast(), op.params(), request, refusal);
         }}};
    return kernels;
  } else {
    return {};
  }
}

template <class T>
std::vector<Sample> ElementwiseUnary<T>::samples() {
  return unary_samples(T{}, T::kLow, T::kHigh, T::kTakes.name);
}

void Gelu::infer(InferContext& context) const {
  context.check<ArgumentError>(approximate == "none" || approximate == "tanh",
                               "approximate expects \"none\" or \"tanh\", got \"", approximate, '"');
  ElementwiseUnary::infer(context);
}

void Neg::infer(InferContext& context) const {
  ElementwiseUnary::infer(context);
  negate_shape_data(context);
}

Gradients Neg::vjp(GradContext& context) const { return {-context.grad()}; }

Gradients Abs::vjp(GradContext& context) const { return {context.grad() * apply(Sign{}, {context.input(0)})}; }

Gradients Sign::vjp(GradContext&) const { return {Var()}; }

Gradients Reciprocal::vjp(GradContext& context) const {
  const Var y = context.output();
  return {-(context.grad() * y * y)};
}

Gradients Exp::vjp(GradContext& context) const { return {context.grad() * context.output()}; }

Gradients Log::vjp(GradContext& context) const { return {context.grad() / context.input(0)}; }

Gradients Sqrt::vjp(GradContext& context) const { return {context.grad() * 0.5 / context.output()}; }

Gradients Sin::vjp(GradContext& context) const { return {context.grad() * apply(Cos{}, {context.input(0)})}; }

Gradients Cos::vjp(GradContext& context) const { return {-(context.grad() * apply(Sin{}, {context.input(0)}))}; }

Gradients Tan::vjp(GradContext& context) const {
  const Var y = context.output();
  return {context.grad() * (y * y + 1)};
}

Gradients Asin::vjp(GradContext& context) const {
  const Var x = context.input(0);
  return {context.grad() / apply(Sqrt{}, {x.constant(1) - x * x})};
}

Gradients Acos::vjp(GradContext& context) const {
  const Var x = context.input(0);
  return {-(context.grad() / apply(Sqrt{}, {x.constant(1) - x * x}))};
}

Gradients Atan::vjp(GradContext& context) const {
  const Var x = context.input(0);
  return {context.grad() / (x * x + 1)};
}

Gradients Sinh::vjp(GradContext& context) const { return {context.grad() * apply(Cosh{}, {context.input(0)})}; }

Gradients Cosh::vjp(GradContext& context) const { return {context.grad() * apply(Sinh{}, {context.input(0)})}; }

Gradients Asinh::vjp(GradContext& context) const {
  const Var x = context.input(0);
  return {context.grad() / apply(Sqrt{}, {x * x + 1})};
}

Gradients Acosh::vjp(GradContext& context) const {
  const Var x = context.input(0);
  return {context.grad() / apply(Sqrt{}, {x * x - x.constant(1)})};
}

Gradients Atanh::vjp(GradContext& context) const {
  const Var x = context.input(0);
  return {context.grad() / (x.constant(1) - x * x)};
}

Gradients Floor::vjp(GradContext&) const { return {Var()}; }

Gradients Ceil::vjp(GradContext&) const { return {Var()}; }

Gradients Round::vjp(GradContext&) const { return {Var()}; }

Gradients Erf::vjp(GradContext& context) const {
  const Var x = context.input(0);
  return {context.grad() * exp(-(x * x)) * (2 * std::numbers::inv_sqrtpi)};
}

Gradients Sigmoid::vjp(GradContext& context) const {
  const Var y = context.output();
  return {context.grad() * y * (y.constant(1) - y)};
}

Gradients Tanh::vjp(GradContext& context) const {
  const Var y = context.output();
  return {context.grad() * (y.constant(1) - y * y)};
}

Gradients Relu::vjp(GradContext& context) const {
  const Var x = context.input(0), zero = x.constant(0);
  return {where(less(zero, x), context.grad(), zero)};
}

Gradients LeakyRelu::vjp(GradContext& context) const {
  const Var x = context.input(0), g = context.grad();
  return {where(less(x.constant(0), x), g, g * static_cast<double>(alpha))};  // at 0 the slope, as in PyTorch
}

Gradients HardSigmoid::vjp(GradContext& context) const {
  const Var y = context.output(), zero = y.constant(0);
  const Var below_one = where(less(y, y.constant(1)), context.grad() * static_cast<double>(alpha), zero);
  return {where(less(zero, y), below_one, zero)};
}

Gradients Softplus::vjp(GradContext& context) const { return {context.grad() * apply(Sigmoid{}, {context.input(0)})}; }

Gradients Softsign::vjp(GradContext& context) const {
  const Var below = apply(Abs{}, {context.input(0)}) + 1;
  return {context.grad() / (below * below)};
}

Gradients Mish::vjp(GradContext& context) const {
  const Var x = context.input(0), t = apply(Tanh{}, {apply(Softplus{}, {x})});
  return {context.grad() * (t + x * (x.constant(1) - t * t) * apply(Sigmoid{}, {x}))};
}

Gradients Elu::vjp(GradContext& context) const {
  const Var x = context.input(0), g = context.grad();
  return {where(less(x.constant(0), x), g, g * (context.output() + static_cast<double>(alpha)))};
}

Gradients Selu::vjp(GradContext& context) const {
  const Var x = context.input(0), g = context.grad();
  const double scale = gamma, limit = scale * static_cast<double>(alpha);
  return {where(less(x.constant(0), x), g * scale, g * (context.output() + limit))};
}

Gradients Celu::vjp(GradContext& context) const {
  const Var x = context.input(0), g = context.grad();
  return {where(less(x.constant(0), x), g, g * (context.output() * (1.0 / static_cast<double>(alpha)) + 1))};
}

Gradients ThresholdedRelu::vjp(GradContext& context) const {
  const Var x = context.input(0);
  return {where(less(x.constant(static_cast<double>(alpha)), x), context.grad(), x.constant(0))};
}

Gradients HardSwish::vjp(GradContext& context) const {
  const Var x = context.input(0), g = context.grad();
  const Var above = where(less(x, x.constant(3)), g * (x * (1.0 / 3) + 0.5), g);
  return {where(less(x.constant(-3), x), above, x.constant(0))};
}

Gradients Gelu::vjp(GradContext& context) const {
  const Var x = context.input(0), one = x.constant(1);
  if (is_tanh()) {
    const double scale = std::numbers::sqrt2 * std::numbers::inv_sqrtpi, cubic = 0.044715;
    const Var square = x * x;
    const Var t = apply(Tanh{}, {x * (square * cubic + 1) * scale});
    const Var inner_slope = (square * (3 * cubic) + 1) * scale;
    return {context.grad() * 0.5 * (t + 1 + x * (one - t * t) * inner_slope)};
  }
  const Var probability = (apply(Erf{}, {x * (1 / std::numbers::sqrt2)}) + 1) * 0.5;
  const Var density = exp(x * x * -0.5) * (std::numbers::inv_sqrtpi / std::numbers::sqrt2);
  return {context.grad() * (probability + x * density)};
}

std::vector<Sample> LeakyRelu::samples() {
  auto samples = ElementwiseUnary::samples();
  samples.push_back({LeakyRelu{.alpha = 0.25f}, {sample_values({4, 1})}});
  samples.push_back({LeakyRelu{}, {sample_values({2}, -9, 9, DType::i32)}, "expects a floating-point type, got int32"});
  return samples;
}

std::vector<Sample> HardSigmoid::samples() {
  auto samples = ElementwiseUnary::samples();
  samples.push_back({HardSigmoid{.alpha = 0.75f, .beta = 0.25f}, {sample_values({3, 5})}});
  return samples;
}

std::vector<Sample> Elu::samples() {
  auto samples = ElementwiseUnary::samples();
  samples.push_back({Elu{.alpha = 0.5f}, {sample_values({3, 5})}});
  return samples;
}

std::vector<Sample> Selu::samples() {
  auto samples = ElementwiseUnary::samples();
  samples.push_back({Selu{.alpha = 0.5f, .gamma = 2}, {sample_values({3, 5})}});
  return samples;
}

std::vector<Sample> Celu::samples() {
  auto samples = ElementwiseUnary::samples();
  samples.push_back({Celu{.alpha = 2}, {sample_values({3, 5})}});
  return samples;
}

std::vector<Sample> ThresholdedRelu::samples() {
  auto samples = ElementwiseUnary::samples();
  samples.push_back({ThresholdedRelu{.alpha = -0.3f}, {sample_values({3, 5})}});
  return samples;
}

std::vector<Sample> Gelu::samples() {
  auto samples = ElementwiseUnary::samples();
  samples.push_back({Gelu{.approximate = "tanh"}, {sample_values({3, 4})}});
  samples.push_back({Gelu{.approximate = "sigmoid"}, {sample_values({2})}, "approximate expects \"none\" or \"tanh\""});
  return samples;
}

ONEMODEL_OPERATOR(Neg)
ONEMODEL_OPERATOR(Abs)
ONEMODEL_OPERATOR(Sign)
ONEMODEL_OPERATOR(Reciprocal)
ONEMODEL_OPERATOR(Exp)
ONEMODEL_OPERATOR(Log)
ONEMODEL_OPERATOR(Sqrt)
ONEMODEL_OPERATOR(Sin)
ONEMODEL_OPERATOR(Cos)
ONEMODEL_OPERATOR(Floor)
ONEMODEL_OPERATOR(Ceil)
ONEMODEL_OPERATOR(Round)
ONEMODEL_OPERATOR(Erf)
ONEMODEL_OPERATOR(Sigmoid)
ONEMODEL_OPERATOR(Tanh)
ONEMODEL_OPERATOR(Relu)
ONEMODEL_OPERATOR(LeakyRelu)
ONEMODEL_OPERATOR(HardSigmoid)
ONEMODEL_OPERATOR(HardSwish)
ONEMODEL_OPERATOR(Gelu)
ONEMODEL_OPERATOR(Tan)
ONEMODEL_OPERATOR(Asin)
ONEMODEL_OPERATOR(Acos)
ONEMODEL_OPERATOR(Atan)
ONEMODEL_OPERATOR(Sinh)
ONEMODEL_OPERATOR(Cosh)
ONEMODEL_OPERATOR(Asinh)
ONEMODEL_OPERATOR(Acosh)
ONEMODEL_OPERATOR(Atanh)
ONEMODEL_OPERATOR(Softplus)
ONEMODEL_OPERATOR(Softsign)
ONEMODEL_OPERATOR(Mish)
ONEMODEL_OPERATOR(Elu)
ONEMODEL_OPERATOR(Selu)
ONEMODEL_OPERATOR(Celu)
ONEMODEL_OPERATOR(ThresholdedRelu)

}  // namespace onemodel

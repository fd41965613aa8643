#include "ops/conditions.h"

#include <limits>

#include "ops/declare.h"
#include "ops/dtype_set.h"
#include "ops/shape_data.h"
#include "ops/strided.h"

namespace onemodel {
namespace {

Dims strides_in(const EvalContext& context, size_t i) {
  const Tensor& x = context.input(i);
  return broadcast_strides(x.dims(), x.strides(), context.output().dims());
}

void check_bool(const InferContext& context, size_t i) {
  context.check_dtype(context.dtype(i) == DType::boolean, i, "bool");
}

const Extent& entry(const ShapeData& data, size_t i) { return data[data.size() == 1 ? 0 : i]; }

// Elements of the output; its operands are small when their contents are known.
size_t output_count(const InferContext& context) {
  return static_cast<size_t>(context.outputs()[0].shape.numel().number());
}

// Whether two sizes are equal, where that can be told: a symbolic size differs from every negative
// number.
std::optional<bool> decide_equal(const Extent& a, const Extent& b) {
  if (a == b) return true;
  const auto is_negative = [](const Extent& extent) { return extent.is_number() && extent.number() < 0; };
  const auto is_size = [](const Extent& extent) { return !extent.is_number() && extent.coefficient() > 0; };
  const bool differ =
      (a.is_number() && b.is_number()) || (is_negative(a) && is_size(b)) || (is_size(a) && is_negative(b));
  return differ ? std::optional(false) : std::nullopt;
}

void follow_equal(InferContext& context) {
  const auto a = small_shape_data(context, 0);
  const auto b = a ? small_shape_data(context, 1) : std::nullopt;
  if (!b || context.outputs()[0].shape.rank() > 1) return;
  ShapeData out;
  for (size_t i = 0; i < output_count(context); ++i) {
    const auto decided = decide_equal(entry(*a, i), entry(*b, i));
    if (!decided) return;
    out.push_back(*decided);
  }
  context.output_shape_data(0, std::move(out));
}

void follow_where(InferContext& context) {
  const auto condition = small_shape_data(context, 0);
  const auto x = condition ? small_shape_data(context, 1) : std::nullopt;
  const auto y = x ? small_shape_data(context, 2) : std::nullopt;
  if (!y || context.outputs()[0].shape.rank() > 1) return;
  ShapeData out;
  for (size_t i = 0; i < output_count(context); ++i) {
    const Extent& decided = entry(*condition, i);
    if (!decided.is_number()) return;
    out.push_back(decided == 0 ? entry(*y, i) : entry(*x, i));
  }
  context.output_shape_data(0, std::move(out));
}

std::vector<Sample> connective_samples(const Op& op) {
  const Tensor a = Tensor::from<bool>({false, true, false, true}, {4});
  const Tensor b = Tensor::from<bool>({false, true}, {2, 1});
  return {{op, {a, b}},
          {op, {Tensor::scalar(true), Tensor::scalar(false)}},
          {op, {a, sample_values({4})}, "input 'B' expects bool, got float32"},
          {op, {a, Tensor::from<bool>({false, true}, {2})}, "do not broadcast"}};
}

// What `holds` says of each element as a double.
template <class F>
void classify(EvalContext& context, F holds) {
  const Tensor wide = context.input(0).cast(DType::f64);
  bool* out = context.output().mutable_raw_as<bool>();
  const auto* values = wide.raw_as<double>();
  for (int64_t i = 0; i < wide.numel(); ++i) out[i] = holds(values[i]);
}

std::vector<Sample> classification_samples(const Op& op) {
  constexpr float infinity = std::numeric_limits<float>::infinity(), nan = std::numeric_limits<float>::quiet_NaN();
  return {{op, {Tensor::from({1.0f, nan, infinity, -infinity, 0.0f, -3.5f}, {2, 3})}},
          {op, {Tensor::scalar(-std::numeric_limits<double>::infinity())}},
          {op, {sample_values({2}, 0, 9, DType::i32)}, "input 'X' expects a floating-point type, got int32"}};
}

}  // namespace

void Where::infer(InferContext& context) const {
  check_bool(context, 0);
  context.check_same_dtype(1, 2);
  const Shape values = context.broadcast(context.shape(1), context.shape(2));
  context.output(context.dtype(1), context.broadcast(context.shape(0), values));
  follow_where(context);
}

void Where::evaluate(EvalContext& context) const {
  const Tensor& y = context.output();
  kernels::where(dtype_size(y.dtype()), y.dims(), context.input(0).raw_as<bool>(), strides_in(context, 0),
                 context.input(1).raw(), strides_in(context, 1), context.input(2).raw(), strides_in(context, 2),
                 y.mutable_raw());
}

Gradients Where::vjp(GradContext& context) const {
  const Var condition = context.input(0), g = context.grad(), zero = g.constant(0);
  const auto part = [&](size_t i, const Var& chosen) {
    return context.needs(i) ? reduce_to(chosen, context.input(i).dims()) : Var();
  };
  return {Var(), part(1, where(condition, g, zero)), part(2, where(condition, zero, g))};
}

std::vector<Sample> Where::samples() {
  const Tensor condition = sample_values({2, 3}, 0, 2, DType::i32).cast(DType::boolean);
  const Tensor x = sample_values({2, 3}), y = sample_values({3}, -2, 2, DType::f32, 2);
  return {{Where{}, {condition, x, y}},
          {Where{}, {condition, sample_values({4, 1, 1}), Tensor::scalar(0.5f)}},
          {Where{}, {Tensor::scalar(true), x, y}},
          {Where{}, {Tensor::scalar(true), sample_ints({}), sample_ints({3})}},
          {Where{}, {condition, sample_values({2, 3}, -9, 9, DType::i64), sample_values({1}, -9, 9, DType::i64)}},
          {Where{}, {x, x, y}, "input 'condition' expects bool, got float32"},
          {Where{}, {condition, x, y.cast(DType::f64)}, "'X' and 'Y' must have one dtype, got float32 and float64"},
          {Where{}, {condition, x, sample_values({2})}, "do not broadcast"}};
}

template <class T>
void Comparison<T>::infer(InferContext& context) const {
  if (T::kNumericOnly) context.check_dtype(is_numeric(context.dtype(0)), 0, "a numeric type");
  context.check_dtype(!is_small(context.dtype(0)), 0, "a type of arithmetic or string");
  context.check_same_dtype(0, 1);
  context.output(DType::boolean, context.broadcast(context.shape(0), context.shape(1)));
  if (T::kCompare == kernels::Compare::equal) follow_equal(context);
}

template <class T>
void Comparison<T>::evaluate(EvalContext& context) const {
  const Tensor &a = context.input(0), &b = context.input(1), &y = context.output();
  const DType compared = a.dtype() == DType::string ? DType::u32 : a.dtype();  // equal strings have equal handles
  visit_dtype(compared, [&](auto tag) {
    using Element = typename decltype(tag)::type;
    kernels::compare(T::kCompare, y.dims(), a.template raw_as<Element>(), strides_in(context, 0),
                     b.template raw_as<Element>(), strides_in(context, 1), y.template mutable_raw_as<bool>());
  });
}

template <class T>
std::vector<Sample> Comparison<T>::samples() {
  const Tensor x = sample_values({2, 3}), y = sample_values({2, 3}, -2, 2, DType::f32, 2);
  std::vector<Sample> out = {{T{}, {x, y}},
                             {T{}, {x, x}},
                             {T{}, {sample_values({2, 1}, -3, 3, DType::i64), sample_values({3}, -3, 3, DType::i64)}},
                             {T{}, {Tensor::scalar(0.5f), sample_values({0, 2})}},
                             {T{}, {sample_ints({}), sample_ints({3})}},
                             {T{}, {x, sample_values({2})}, "do not broadcast"},
                             {T{}, {x, y.cast(DType::f64)}, "must have one dtype, got float32 and float64"}};
  const Tensor truth = sample_values({2}, 0, 2, DType::i32).cast(DType::boolean);
  out.push_back({T{}, {truth, truth}, T::kNumericOnly ? "expects a numeric type, got bool" : ""});
  return out;
}

template <class T>
void Connective<T>::infer(InferContext& context) const {
  check_bool(context, 0);
  check_bool(context, 1);
  context.output(DType::boolean, context.broadcast(context.shape(0), context.shape(1)));
}

template <class T>
void Connective<T>::evaluate(EvalContext& context) const {
  const Tensor &a = context.input(0), &b = context.input(1), &y = context.output();
  const Dims a_strides = strides_in(context, 0), b_strides = strides_in(context, 1);
  const bool when_true = T::kWhenTrue;
  kernels::where(sizeof(bool), y.dims(), a.raw_as<bool>(), a_strides, (when_true ? b : a).raw(),
                 when_true ? b_strides : a_strides, (when_true ? a : b).raw(), when_true ? a_strides : b_strides,
                 y.mutable_raw());
}

template <class T>
std::vector<Sample> Connective<T>::samples() {
  return connective_samples(T{});
}

void Xor::infer(InferContext& context) const {
  check_bool(context, 0);
  check_bool(context, 1);
  context.output(DType::boolean, context.broadcast(context.shape(0), context.shape(1)));
}

void Xor::evaluate(EvalContext& context) const {
  const Tensor &a = context.input(0), &b = context.input(1), &y = context.output();
  kernels::compare(kernels::Compare::equal, y.dims(), a.raw_as<bool>(), strides_in(context, 0), b.raw_as<bool>(),
                   strides_in(context, 1), y.mutable_raw_as<bool>());
  bool* values = y.mutable_raw_as<bool>();
  for (int64_t i = 0; i < y.numel(); ++i) values[i] = !values[i];
}

std::vector<Sample> Xor::samples() { return connective_samples(Xor{}); }

void IsNaN::infer(InferContext& context) const {
  check_in(context, 0, kFloating);
  context.output(DType::boolean, context.shape(0));
}

void IsNaN::evaluate(EvalContext& context) const {
  classify(context, [](double value) { return value != value; });
}

std::vector<Sample> IsNaN::samples() { return classification_samples(IsNaN{}); }

void IsInf::infer(InferContext& context) const {
  check_in(context, 0, kFloating);
  context.output(DType::boolean, context.shape(0));
}

void IsInf::evaluate(EvalContext& context) const {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  const bool negative = detect_negative, positive = detect_positive;
  classify(context, [=](double value) { return (positive && value == infinity) || (negative && value == -infinity); });
}

std::vector<Sample> IsInf::samples() {
  auto samples = classification_samples(IsInf{});
  samples.push_back({IsInf{.detect_negative = false}, samples[0].inputs});
  samples.push_back({IsInf{.detect_positive = false}, samples[0].inputs});
  return samples;
}

void Not::infer(InferContext& context) const {
  check_bool(context, 0);
  context.output(DType::boolean, context.shape(0));
}

void Not::evaluate(EvalContext& context) const {
  const Tensor& x = context.input(0);
  const bool no = false;
  kernels::compare(kernels::Compare::equal, x.dims(), x.raw_as<bool>(), x.strides(), &no, Dims::filled(x.rank(), 0),
                   context.output().mutable_raw_as<bool>());
}

std::vector<Sample> Not::samples() {
  return {{Not{}, {Tensor::from<bool>({false, true, true}, {3})}},
          {Not{}, {Tensor::scalar(true)}},
          {Not{}, {sample_values({2})}, "input 'X' expects bool, got float32"}};
}

ONEMODEL_OPERATOR(Where)
ONEMODEL_OPERATOR(Equal)
ONEMODEL_OPERATOR(Less)
ONEMODEL_OPERATOR(LessOrEqual)
ONEMODEL_OPERATOR(Greater)
ONEMODEL_OPERATOR(GreaterOrEqual)
ONEMODEL_OPERATOR(And)
ONEMODEL_OPERATOR(Or)
ONEMODEL_OPERATOR(Xor)
ONEMODEL_OPERATOR(Not)
ONEMODEL_OPERATOR(IsNaN)
ONEMODEL_OPERATOR(IsInf)

}  // namespace onemodel

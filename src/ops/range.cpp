#include "ops/range.h"

#include <cmath>

#include "kernels/portable/pattern.h"
#include "ops/declare.h"
#include "ops/dtype_set.h"
#include "ops/one_integer.h"
#include "ops/shape_data.h"

namespace onemodel {
namespace {

constexpr DTypeSet kRange{
    [](DType d) { return d == DType::f32 || d == DType::f64 || d == DType::i16 || d == DType::i32 || d == DType::i64; },
    "float32, float64, int16, int32 or int64"};
constexpr int64_t kMostElements = int64_t{1} << 48;

template <class T>
T element(const Tensor& tensor) {
  return *tensor.raw_as<T>();
}

// How many elements there are, when all three are known.
template <class T>
int64_t count_elements(const InferContext& context, T start, T limit, T delta) {
  context.check<ArgumentError>(delta != T(0), "'delta' is 0");
  double count = 0;
  if constexpr (std::is_integral_v<T>) {
    const bool forward = delta > 0;
    if (forward ? start >= limit : start <= limit) return 0;
    const auto distance = forward ? static_cast<uint64_t>(limit) - static_cast<uint64_t>(start)
                                  : static_cast<uint64_t>(start) - static_cast<uint64_t>(limit);
    const auto step = forward ? static_cast<uint64_t>(delta) : uint64_t{0} - static_cast<uint64_t>(delta);
    const uint64_t steps = (distance - 1) / step + 1;
    context.check<ArgumentError>(steps <= static_cast<uint64_t>(kMostElements), "would have ", steps, " elements");
    return static_cast<int64_t>(steps);
  } else {
    count = std::ceil((static_cast<double>(limit) - static_cast<double>(start)) / static_cast<double>(delta));
    context.check<ArgumentError>(count < static_cast<double>(kMostElements), "from ", static_cast<double>(start),
                                 " to ", static_cast<double>(limit), " by ", static_cast<double>(delta),
                                 " has no usable number of elements");
    return std::max<int64_t>(0, static_cast<int64_t>(count));
  }
}

// From known contents, which may be symbolic: only whole steps of 1 are followed.
std::optional<Extent> symbolic_count(const InferContext& context) {
  const auto start = one_extent(context, 0), limit = one_extent(context, 1), delta = one_extent(context, 2);
  if (!start || !limit || !delta || !(*delta == Extent(1))) return {};
  if (!start->is_number() || limit->is_number() || start->number() < 0) return {};
  if (start->number() > 0 && limit->example().value_or(0) < start->number()) return {};
  return *limit - *start;
}

// The numbers from known integers, for those who compute shapes from them.
void tell_contents(InferContext& context, int64_t count) {
  const auto start = context.ints(0), delta = context.ints(2);
  if (!start || !delta || count > kMaxShapeData) return;
  ShapeData out;
  for (int64_t i = 0; i < count; ++i) out.push_back(start->front() + i * delta->front());
  context.output_shape_data(0, std::move(out));
}

}  // namespace

void Range::infer(InferContext& context) const {
  check_in(context, 0, kRange);
  context.check_same_dtype(0, 1);
  context.check_same_dtype(0, 2);
  for (size_t i = 0; i < 3; ++i) check_one(context, i);
  const DType dtype = context.dtype(0);
  const Tensor start = context.value(0), limit = context.value(1), delta = context.value(2);
  if (start.defined() && limit.defined() && delta.defined()) {
    const int64_t count = visit_dtype(dtype, [&]<class T>(TypeTag<T>) {
      if constexpr (std::is_arithmetic_v<T>)
        return count_elements(context, element<T>(start), element<T>(limit), element<T>(delta));
      else
        return int64_t{0};
    });
    context.output(dtype, {count});
    if (is_integer(dtype)) tell_contents(context, count);
    return;
  }
  const auto count = is_integer(dtype) ? symbolic_count(context) : std::nullopt;
  if (!count && context.tracing()) context.symbolic_error("the length depends on values");
  context.output(dtype, {count ? *count : context.unknown("length")});
}

void Range::evaluate(EvalContext& context) const {
  const Tensor& y = context.output();
  visit_dtype(y.dtype(), [&](auto tag) {
    using T = typename decltype(tag)::type;
    kernels::progression(element<T>(context.input(0)), element<T>(context.input(2)), y.numel(), y.mutable_raw_as<T>());
  });
}

Gradients Range::vjp(GradContext& context) const {
  const Var g = context.grad();
  const int64_t axes[] = {0};
  const Tensor steps = Tensor::empty({g.dims()[0]}, g.dtype());
  visit_dtype(g.dtype(), [&](auto tag) {
    using T = typename decltype(tag)::type;
    kernels::progression(T(0), T(1), steps.numel(), steps.mutable_raw_as<T>());
  });
  const auto sum = [&](const Var& v, size_t i) { return reshape(reduce_sum(v, axes, false), context.input(i).dims()); };
  return {sum(g, 0), Var(), sum(g * context.constant(steps), 2)};
}

std::vector<Sample> Range::samples() {
  const auto real = [](float value) { return Tensor::scalar(value); };
  const auto whole = [](int64_t value) { return Tensor::scalar(value); };
  return {{Range{}, {real(0.5f), real(3.2f), real(0.7f)}},
          {Range{}, {Tensor::scalar(2.0), Tensor::scalar(-1.6), Tensor::from<double>({-0.75}, {1})}},
          {Range{}, {whole(3), whole(9), whole(3)}},
          {Range{}, {whole(10), sample_ints({4}), whole(-2)}},
          {Range{}, {whole(3), whole(3), whole(1)}},
          {Range{}, {Tensor::scalar(int16_t{1}), Tensor::scalar(int16_t{-5}), Tensor::scalar(int16_t{1})}},
          {Range{}, {whole(0), whole(3), whole(0)}, "'delta' is 0"},
          {Range{}, {real(0), real(INFINITY), real(1)}, "from 0 to inf by 1 has no usable number of elements"},
          {Range{}, {whole(0), sample_ints({1, 2}), whole(1)}, "input 1 expects one element, got shape [2]"},
          {Range{}, {whole(0), real(1), whole(1)}, "'start' and 'limit' must have one dtype, got int64 and float32"},
          {Range{}, {real(0).cast(DType::f16), real(1), real(1)}, "expects float32, float64, int16, int32 or int64"}};
}

void Size::infer(InferContext& context) const {
  context.output(DType::i64, Shape{});
  context.output_shape_data(0, {context.shape(0).numel()});
}

void Size::evaluate(EvalContext& context) const {
  *context.output().mutable_raw_as<int64_t>() = context.input(0).numel();
}

std::vector<Sample> Size::samples() {
  return {{Size{}, {sample_values({2, 3, 4})}},
          {Size{}, {sample_values({})}},
          {Size{}, {sample_values({2, 0}, 0, 2, DType::boolean)}},
          {Size{}, {}, "expects at least 1 inputs, got 0"}};
}

ONEMODEL_OPERATOR(Range)
ONEMODEL_OPERATOR(Size)

}  // namespace onemodel

#include "ops/dropout.h"

#include <cstring>

#include "ops/declare.h"
#include "ops/dtype_set.h"
#include "ops/seeds.h"

namespace onemodel {
namespace {

constexpr double kDefaultRatio = 0.5;

// `inputs` are the operator's; undefined ones are absent.
bool trains(std::span<const Tensor> inputs) {
  return inputs.size() > 2 && inputs[2].defined() && *inputs[2].raw_as<bool>();
}

// The probability of dropping; 0 outside of training.
double active_ratio(std::span<const Tensor> inputs) {
  if (!trains(inputs)) return 0;
  const double ratio = inputs.size() > 1 && inputs[1].defined()
                           ? inputs[1].contiguous().cast(DType::f64).raw_as<double>()[0]
                           : kDefaultRatio;
  check<ArgumentError>(ratio >= 0 && ratio < 1, Dropout::info.name, ": ratio expects a number in [0, 1), got ", ratio);
  return ratio;
}

Tensor drawn_mask(const Dims& dims, double ratio, std::optional<int64_t> seed) {
  Tensor mask = Tensor::empty(dims, DType::boolean);
  Generator generator = generator_for(seed ? std::optional(static_cast<uint64_t>(*seed)) : std::nullopt);
  auto* kept = mask.mutable_raw_as<bool>();
  for (int64_t i = 0; i < mask.numel(); ++i) kept[i] = static_cast<double>(generator.uniform()) >= ratio;
  return mask;
}

void drop(const Tensor& x, const Tensor& mask, double ratio, const Tensor& y) {
  const auto* kept = mask.raw_as<bool>();
  const double scale = 1 / (1 - ratio);
  visit_dtype(x.dtype(), [&](auto tag) {
    using T = typename decltype(tag)::type;
    const T* from = x.raw_as<T>();
    T* to = y.mutable_raw_as<T>();
    for (int64_t i = 0; i < x.numel(); ++i) to[i] = convert<T>(kept[i] ? convert<double>(from[i]) * scale : 0);
  });
}

void copy_bytes(const Tensor& from, const Tensor& to) {
  if (from.bytes()) std::memcpy(to.mutable_raw(), from.raw(), from.bytes());
}

}  // namespace

void Dropout::infer(InferContext& context) const {
  check_in(context, 0, kFloating);
  check_in(context, 1, kFloating);
  for (size_t i : {1, 2})
    context.check(!context.has(i) || context.shape(i).numel() == Extent(1), "'", inputs[i].name,
                  "' expects one element, got shape ", context.has(i) ? context.shape(i) : Shape());
  if (context.has(2)) {
    context.check_dtype(context.dtype(2) == DType::boolean, 2, "bool");
    const Tensor known[] = {Tensor(), context.value(1), context.value(2)};
    if (!context.has(1) || known[1].defined()) active_ratio(known);
  }
  context.output(context.dtype(0), context.shape(0));
  if (context.output_count() > 1) context.output(1, DType::boolean, context.shape(0));
}

void Dropout::evaluate(EvalContext& context) const {
  const Tensor &x = context.input(0), &y = context.output();
  const double ratio = active_ratio(context.inputs());
  if (ratio == 0) {
    copy_bytes(x, y);
    if (context.has_output(1)) std::memset(context.output(1).mutable_raw(), 1, context.output(1).bytes());
    return;
  }
  const Tensor mask = drawn_mask(x.dims(), ratio, seed);
  drop(x, mask, ratio, y);
  if (context.has_output(1)) copy_bytes(mask, context.output(1));
}

Gradients Dropout::vjp(GradContext& context) const {
  std::vector<Tensor> inputs;
  for (size_t i = 0; i < context.input_count(); ++i)
    inputs.push_back(context.has(i) ? context.input(i).tensor() : Tensor());
  const double ratio = active_ratio(inputs);
  const Var g = context.grad();
  if (!g.defined()) return {Var()};  // only the mask was used
  if (!trains(inputs)) return {g};
  const Tensor mask = context.output_count() > 1 ? context.output(1).tensor() : Tensor();
  check<GradientError>(mask.defined() || seed || ratio == 0, info.name,
                       ": the gradient of dropping needs the output 'mask' or the attribute seed");
  const Var kept = context.constant(mask.defined() ? mask : drawn_mask(g.dims(), ratio, seed));
  Gradients out{g * cast(kept, g.dtype()) * (1 / (1 - ratio))};
  if (context.needs(1)) {
    std::vector<int64_t> axes;
    for (size_t i = 0; i < g.rank(); ++i) axes.push_back(static_cast<int64_t>(i));
    const Var by_ratio = reduce_sum(out[0] * context.input(0), axes, false) * (1 / (1 - ratio));
    out.push_back(reshape(cast(by_ratio, context.input(1).dtype()), context.input(1).dims()));
  }
  return out;
}

std::vector<Sample> Dropout::samples() {
  const Tensor x = sample_values({2, 3}), half = Tensor::scalar(0.5f), yes = Tensor::scalar(true);
  return {{Dropout{}, {x}},
          {Dropout{.seed = 7}, {sample_values({5}, -1, 1, DType::f64), half}},
          {Dropout{}, {x, half, Tensor::scalar(false)}, {}, 2},
          {.op = Dropout{}, .inputs = {x, Tensor::scalar(0.0), yes}, .outputs = 2, .check_gradient = false},
          {Dropout{.seed = 3}, {sample_values({4, 5}), Tensor::scalar(0.25), yes}, {}, 2},
          {Dropout{.seed = -1}, {sample_values({4, 5}), Tensor(), yes}},
          {Dropout{}, {x, Tensor::scalar(1.0f), yes}, "ratio expects a number in [0, 1), got 1"},
          {Dropout{}, {x, sample_values({2})}, "'ratio' expects one element, got shape [2]"},
          {Dropout{}, {sample_values({3}, 0, 9, DType::i32)}, "input 'data' expects a floating-point type, got int32"}};
}

ONEMODEL_OPERATOR(Dropout)

}  // namespace onemodel

#include "ops/scatter.h"

#include <array>
#include <cstring>
#include <functional>

#include "kernels/portable/scatter.h"
#include "ops/declare.h"
#include "ops/extent_checks.h"
#include "ops/formula.h"
#include "ops/gather_elements.h"

namespace onemodel {
namespace {

constexpr std::array<std::string_view, 5> kReductions = {"none", "add", "mul", "min", "max"};

void check_reduction(const InferContext& context, const std::string& reduction) {
  const bool known = std::find(kReductions.begin(), kReductions.end(), reduction) != kReductions.end();
  context.check<ArgumentError>(known, "attribute 'reduction' is '", reduction,
                               "', expected none, add, mul, min or max");
  context.check_dtype(reduction == "none" || is_numeric(context.dtype(0)), 0, "a numeric type for a reduction");
  context.check_same_dtype(0, 2);
}

void check_updates(const InferContext& context, const Shape& expected) {
  const Shape& updates = context.shape(2);
  const auto facts = concat("'updates' have shape ", updates, ", expected ", expected);
  context.check(updates.rank() == expected.rank(), facts);
  for (size_t i = 0; i < expected.rank(); ++i) check_equal(context, updates[i], expected[i], facts);
}

void scatter(EvalContext& context, const std::string& reduction, const kernels::Places& places) {
  const Tensor &data = context.input(0), &updates = context.input(2), &y = context.output();
  const auto op = std::find(kReductions.begin(), kReductions.end(), reduction) - kReductions.begin();
  if (y.bytes() > 0) std::memcpy(y.mutable_raw(), data.raw(), y.bytes());
  kernels::scatter_places(y.dtype(), static_cast<kernels::Scatter>(op), places, updates.raw(), y.mutable_raw());
}

// One scatter as a gradient formula sees it.
struct Formula {
  std::function<Var(const Var& data, const Var& updates, const char* reduction)> scatter;
  std::function<Var(const Var& data)> gather;
};

Gradients gradient_of_product(GradContext& context, const Formula& f) {
  // The product of the other factors without dividing by zeros: with one zero only its own place has any.
  const Var data = context.input(0), updates = context.input(2), g = context.grad();
  const Var zero = data.constant(0), one = data.constant(1);
  const Var ones = expand(one, data.dims());
  const Var is_zero = equal(updates, zero), data_is_zero = equal(data, zero);
  const Var nonzero = where(is_zero, one, updates);
  const Var zeros = f.scatter(cast(data_is_zero, data.dtype()), cast(is_zero, data.dtype()), "add");
  const Var product = f.gather(f.scatter(where(data_is_zero, one, data), nonzero, "mul")), count = f.gather(zeros);
  const Var others =
      where(is_zero, where(equal(count, one), product, zero), where(equal(count, zero), product / nonzero, zero));
  return {g * f.scatter(ones, updates, "mul"), Var(), f.gather(g) * others};
}

Gradients gradient_of_extremum(GradContext& context, const Formula& f) {
  const Var data = context.input(0), updates = context.input(2), y = context.output();
  const Var kept = cast(equal(data, y), y.dtype()), chosen = cast(equal(updates, f.gather(y)), y.dtype());
  const Var part = context.grad() / f.scatter(kept, chosen, "add");
  return {where(equal(kept, kept.constant(0)), kept, part), Var(), chosen * f.gather(part)};
}

Gradients scatter_gradients(GradContext& context, const std::string& reduction, const Formula& f) {
  const Var g = context.grad();
  if (reduction == "mul") return gradient_of_product(context, f);
  if (reduction == "min" || reduction == "max") return gradient_of_extremum(context, f);
  if (reduction == "add") return {g, Var(), f.gather(g)};
  const Var updates = context.input(2);
  return {f.scatter(g, zeros_beside(updates, updates.dims()), "none"), Var(), f.gather(g)};
}

}  // namespace

void ScatterElements::infer(InferContext& context) const {
  check_element_indices(context, axis);
  check_reduction(context, reduction);
  check_updates(context, context.shape(1));
  context.output(context.dtype(0), context.shape(0));
}

void ScatterElements::evaluate(EvalContext& context) const {
  const Tensor &data = context.input(0), &indices = context.input(1);
  const size_t at = normalize_axis(info.name, axis, data.rank());
  with_op_name(info.name, [&] {
    scatter(context, reduction,
            kernels::element_places(indices.dtype(), indices.raw(), indices.dims(), data.dims(), at));
  });
}

Gradients ScatterElements::vjp(GradContext& context) const {
  const Var indices = context.input(1);
  const auto scatter = [&](const Var& data, const Var& updates, const char* how) {
    return apply(ScatterElements{axis, how}, {data, indices, updates});
  };
  return scatter_gradients(context, reduction, {scatter, [&](const Var& data) {
                                                  return apply(GatherElements{axis}, {data, indices});
                                                }});
}

std::vector<Sample> ScatterElements::samples() {
  const Tensor x = sample_values({3, 4}), updates = sample_values({2, 3}, -2, 2, DType::f32, 2);
  const Tensor indices = Tensor::from<int64_t>({0, -1, 2, 1, 1, 0}, {2, 3});
  const Tensor repeated = Tensor::from<int32_t>({0, 1, 2, 0, 1, -1}, {2, 3});
  std::vector<Sample> out = {
      {ScatterElements{}, {x, indices, updates}},
      {ScatterElements{.axis = -1}, {x, Tensor::from<int64_t>({0, -1, 2, 1, 2, 0}, {2, 3}), updates}},
      {ScatterElements{}, {x.cast(DType::boolean), indices, updates.cast(DType::boolean)}},
      {ScatterElements{}, {x, Tensor::zeros({0, 4}, DType::i64), Tensor::zeros({0, 4})}},
      {ScatterElements{.axis = 2}, {x, indices, updates}, "axis 2 is out of range for rank 2"},
      {ScatterElements{0, "sum"}, {x, indices, updates}, "attribute 'reduction' is 'sum', expected none, add, mul"},
      {ScatterElements{}, {x, indices, x}, "'updates' have shape [3, 4], expected [2, 3]"},
      {ScatterElements{}, {x, indices, updates.cast(DType::f64)}, "'data' and 'updates' must have one dtype"},
      {ScatterElements{0, "add"},
       {x.cast(DType::boolean), indices, updates.cast(DType::boolean)},
       "input 'data' expects a numeric type for a reduction, got bool"},
      {ScatterElements{}, {x, updates, updates}, "input 'indices' expects int64 or int32, got float32"}};
  for (const char* reduction : {"add", "mul", "min", "max"})
    out.push_back({ScatterElements{0, reduction}, {x, repeated, updates}});
  out.push_back({ScatterElements{0, "mul"}, {x, repeated, Tensor::from<float>({0, 2, 0, 0, 0, 3}, {2, 3})}});
  return out;
}

void ScatterND::infer(InferContext& context) const {
  const Shape expected = picked_shape(context, 0);
  check_reduction(context, reduction);
  check_updates(context, expected);
  context.output(context.dtype(0), context.shape(0));
}

void ScatterND::evaluate(EvalContext& context) const {
  const Tensor &data = context.input(0), &indices = context.input(1);
  with_op_name(info.name, [&] {
    scatter(context, reduction, kernels::row_places(indices.raw_as<int64_t>(), indices.dims(), data.dims(), 0));
  });
}

Gradients ScatterND::vjp(GradContext& context) const {
  const Var indices = context.input(1);
  const auto scatter = [&](const Var& data, const Var& updates, const char* how) {
    return apply(ScatterND{how}, {data, indices, updates});
  };
  return scatter_gradients(context, reduction, {scatter, [&](const Var& data) {
                                                  return apply(GatherND{}, {data, indices});
                                                }});
}

std::vector<Sample> ScatterND::samples() {
  const Tensor x = sample_values({3, 4}), rows = sample_values({2, 4}, -2, 2, DType::f32, 2);
  const Tensor places = Tensor::from<int64_t>({2, 0}, {2, 1}), same = Tensor::from<int64_t>({2, -1}, {2, 1});
  const Tensor pairs = Tensor::from<int64_t>({0, 1, -1, 2}, {2, 2});
  std::vector<Sample> out = {
      {ScatterND{}, {x, places, rows}},
      {ScatterND{}, {x, pairs, sample_values({2})}},
      {ScatterND{}, {x, sample_ints({1}), sample_values({4})}},
      {ScatterND{}, {x, Tensor::zeros({0, 1}, DType::i64), Tensor::zeros({0, 4})}},
      {ScatterND{"sum"}, {x, places, rows}, "attribute 'reduction' is 'sum', expected none, add, mul"},
      {ScatterND{}, {x, places, sample_values({2, 3})}, "'updates' have shape [2, 3], expected [2, 4]"},
      {ScatterND{}, {x, sample_ints({0, 0, 0}), rows}, "'indices' have 3 indices for each place, in 2 axes of data"},
      {ScatterND{}, {x, places, rows.cast(DType::f64)}, "'data' and 'updates' must have one dtype"}};
  for (const char* reduction : {"add", "mul", "min", "max"}) out.push_back({ScatterND{reduction}, {x, same, rows}});
  return out;
}

ONEMODEL_OPERATOR(ScatterElements)
ONEMODEL_OPERATOR(ScatterND)

}  // namespace onemodel

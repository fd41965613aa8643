#include "ops/reshape.h"

#include "ops/declare.h"
#include "ops/shape_data.h"
#include "ops/shape_matching.h"
#include "ops/strided.h"

namespace onemodel {
namespace {

Tensor view_as(const Tensor& x, const Dims& dims) { return x.is_contiguous() ? x.reshape(dims) : Tensor(); }

// `target` with 0 replaced by the extent it copies; throws for what no input could satisfy. Gives
// the place of -1.
std::optional<size_t> prepare_target(InferContext& context, bool allowzero, Shape& target) {
  const Shape& from = context.shape(0);
  std::optional<size_t> inferred;
  bool has_zero = false;
  for (size_t i = 0; i < target.rank(); ++i) {
    Extent& extent = target[i];
    if (!extent.is_number()) continue;
    if (extent == 0 && !allowzero) {
      context.check(i < from.rank(), "0 at axis ", i, " of the target copies nothing: the input has shape ", from);
      extent = from[i];
    } else if (extent == -1) {
      context.check<ArgumentError>(!inferred, "the target has more than one -1");
      inferred = i;
    } else {
      context.check<ArgumentError>(extent.number() >= 0, "the target has extent ", extent, " at axis ", i,
                                   ", expected -1 or more");
    }
    has_zero |= extent == 0;
  }
  context.check<ArgumentError>(!(allowzero && has_zero && inferred),
                               "the target has an extent 0, beside which -1 could be anything");
  return inferred;
}

// Puts what remains of `total` at `inferred`, and checks the counts where they are numbers.
void resolve_target(InferContext& context, const Extent& total, std::optional<size_t> inferred, Shape& target) {
  Extent known = 1;
  for (size_t i = 0; i < target.rank(); ++i)
    if (i != inferred) known = known * target[i];
  const bool decidable = total.is_number() && known.is_number();
  const auto counts = [&] {
    return concat("cannot reshape ", context.shape(0), " (", total, " elements) to ", target);
  };
  if (!inferred) {
    if (decidable) context.check(total == known, counts(), " (", known, " elements)");
    return;
  }
  Extent& extent = target[*inferred];
  if (decidable) {
    context.check(known.number() != 0, counts(), ": -1 could be anything beside an empty axis");
    context.check(total.number() % known.number() == 0, counts(), ": ", total, " is not a multiple of ", known);
    extent = total.number() / known.number();
  } else if (const auto quotient = exact_div(total, known)) {
    extent = *quotient;
  } else if (known.is_number() && known.number() > 0) {
    extent = floor_div(total, known.number());
  } else {
    extent = context.unknown(concat("axis", *inferred));
  }
}

// What `target` leaves of `from` at `inferred`, where it names symbols and they divide.
std::optional<Extent> exact_rest(const Shape& from, const Shape& target, size_t inferred) {
  Shape others = target;
  others.erase(inferred);
  return others.is_concrete() ? std::nullopt : exact_div(from.numel(), others.numel());
}

// In a trace the target's numbers are sizes of the example run.
Shape match_target(InferContext& context, std::optional<size_t> inferred, Shape target) {
  const Shape& from = context.shape(0);
  if (const auto rest = inferred ? exact_rest(from, target, *inferred) : std::nullopt) {
    target[*inferred] = *rest;
    return target;
  }
  const auto sizes = from.example();
  if (!sizes) context.symbolic_error(concat("the sizes of ", from, " in the example run are not known"));
  Shape example;
  for (const Extent& extent : target) {
    const auto size = extent.example();
    if (!size) context.symbolic_error(concat("the target ", target, " has a size not known in the example run"));
    example.push_back(*size);
  }
  resolve_target(context, numel(*sizes), inferred, example);
  if (inferred) target[*inferred] = example[*inferred];
  ShapeMatch match = match_reshape(from, target);
  if (!match.shape) context.symbolic_error(match.problem);
  for (std::string& warning : match.warnings) context.warn(std::move(warning));
  return std::move(*match.shape);
}

}  // namespace

void SameElements::evaluate(EvalContext& context) const {
  const Tensor& x = context.input(0);
  copy_view(x, {x.dims(), x.strides()}, context.output());
}

Gradients SameElements::vjp(GradContext& context) const { return {reshape(context.grad(), context.input(0).dims())}; }

void Reshape::infer(InferContext& context) const {
  check_ints(context, 1);
  const auto data = context.shape_data(1);
  if (!data) return context.output(context.dtype(0), unknown_shape(context, count_ints(context, 1)));
  count_ints(context, 1);
  Shape target(*data);
  const auto inferred = prepare_target(context, allowzero, target);
  if (context.tracing() && !context.shape(0).is_concrete())
    target = match_target(context, inferred, std::move(target));
  else
    resolve_target(context, context.shape(0).numel(), inferred, target);
  context.output(context.dtype(0), std::move(target));
  if (context.outputs()[0].shape.rank() <= 1) keep_shape_data(context);
}

Tensor Reshape::view(std::span<const Tensor> inputs) const {
  const Dims& from = inputs[0].dims();
  Dims target = read_ints(inputs[1]);
  int64_t known = 1;
  for (size_t i = 0; i < target.size(); ++i) {
    if (target[i] == 0 && !allowzero) target[i] = from[i];
    if (target[i] != -1) known *= target[i];
  }
  for (int64_t& extent : target)
    if (extent == -1) extent = inputs[0].numel() / known;
  return view_as(inputs[0], target);
}

std::vector<Sample> Reshape::samples() {
  const Tensor x = sample_values({2, 3, 4});
  return {{Reshape{}, {x, sample_ints({6, 4})}},
          {Reshape{}, {x, sample_ints({0, -1, 2})}},
          {Reshape{}, {sample_values({}), sample_ints({1, 1})}},
          {Reshape{}, {sample_values({1, 1}), sample_ints({})}},
          {Reshape{.allowzero = true}, {sample_values({0, 3}), sample_ints({3, 0})}},
          {Reshape{}, {x, sample_ints({5, 5})}, "(24 elements) to [5, 5] (25 elements)"},
          {Reshape{}, {x, sample_ints({5, -1})}, "24 is not a multiple of 5"},
          {Reshape{}, {x, sample_ints({-1, -1})}, "more than one -1"},
          {Reshape{}, {x, sample_ints({-2, 12})}, "has extent -2 at axis 0"},
          {Reshape{}, {x, sample_ints({2, 3, 4, 0})}, "0 at axis 3 of the target copies nothing"},
          {Reshape{.allowzero = true}, {x, sample_ints({0, -1})}, "an extent 0, beside which -1"},
          {Reshape{}, {x, sample_values({2})}, "expects int64, got float32"}};
}

void Flatten::infer(InferContext& context) const {
  const Shape& from = context.shape(0);
  const auto rank = static_cast<int64_t>(from.rank());
  context.check(axis >= -rank && axis <= rank, "axis ", axis, " is out of range for rank ", rank, " (expected ", -rank,
                " to ", rank, ")");
  const auto split = from.begin() + static_cast<std::ptrdiff_t>(axis < 0 ? axis + rank : axis);
  context.output(context.dtype(0), Shape{Shape(std::vector<Extent>(from.begin(), split)).numel(),
                                         Shape(std::vector<Extent>(split, from.end())).numel()});
}

Tensor Flatten::view(std::span<const Tensor> inputs) const {
  const Dims& from = inputs[0].dims();
  const int64_t split = axis < 0 ? axis + static_cast<int64_t>(from.size()) : axis;
  return view_as(inputs[0], {numel(std::span(from.begin(), from.begin() + split)),
                             numel(std::span(from.begin() + split, from.end()))});
}

std::vector<Sample> Flatten::samples() {
  const Tensor x = sample_values({2, 3, 4});
  return {{Flatten{}, {x}},
          {Flatten{.axis = 0}, {x}},
          {Flatten{.axis = 3}, {x}},
          {Flatten{.axis = -1}, {x}},
          {Flatten{.axis = 0}, {sample_values({})}},
          {Flatten{.axis = 4}, {x}, "axis 4 is out of range for rank 3 (expected -3 to 3)"}};
}

void Identity::infer(InferContext& context) const {
  context.output(context.dtype(0), context.shape(0));
  keep_shape_data(context);
}

std::vector<Sample> Identity::samples() {
  return {{Identity{}, {sample_values({2, 3})}},
          {Identity{}, {sample_values({}, -9, 9, DType::i64)}},
          {Identity{}, {}, "expects at least 1 inputs, got 0"}};
}

ONEMODEL_OPERATOR(Reshape)
ONEMODEL_OPERATOR(Flatten)
ONEMODEL_OPERATOR(Identity)

}  // namespace onemodel

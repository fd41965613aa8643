#include "ops/split.h"

#include "ops/concat.h"
#include "ops/declare.h"
#include "ops/formula.h"
#include "ops/shape_data.h"
#include "ops/strided.h"

namespace onemodel {
namespace {

// Equal parts of an axis, the last one smaller.
Shape equal_parts(InferContext& context, size_t axis) {
  const Extent& extent = context.shape(0)[axis];
  const auto count = static_cast<int64_t>(context.output_count());
  if (const auto exact = exact_div(extent, count)) return std::vector<Extent>(context.output_count(), *exact);
  if (!extent.is_number()) {
    if (context.tracing())
      context.symbolic_error(concat("cuts a symbolic extent, ", extent, ", into ", count, " parts"));
    Shape out;
    for (size_t i = 0; i < context.output_count(); ++i) out.push_back(context.unknown(concat("part", i)));
    return out;
  }
  const int64_t size = (extent.number() + count - 1) / count, last = extent.number() - (count - 1) * size;
  context.check(last >= 0, "axis ", axis, " of extent ", extent, " does not give ", count, " parts of ", size);
  Shape out = std::vector<Extent>(context.output_count(), size);
  out[context.output_count() - 1] = last;
  return out;
}

Shape given_parts(InferContext& context, size_t axis) {
  check_ints(context, 1);
  const size_t count = context.output_count();
  const Extent& given = context.shape(1)[0];
  context.check<ArgumentError>(!given.is_number() || given == Extent(static_cast<int64_t>(count)), "'split' has ",
                               given, " extents, expected ", count, ", one for each output");
  const auto known = context.shape_data(1);
  Shape out;
  if (!known) {
    if (context.tracing()) context.symbolic_error("the extents of the parts depend on values");
    for (size_t i = 0; i < count; ++i) out.push_back(context.unknown(concat("part", i)));
    return out;
  }
  Extent sum = 0;
  for (const Extent& extent : *known) {
    context.check<ArgumentError>(!extent.is_number() || extent.number() >= 0, "'split' has a negative extent, ",
                                 extent);
    sum = sum + extent;
    out.push_back(extent);
  }
  const Extent& whole = context.shape(0)[axis];
  if (!(sum == whole) && context.tracing() && !(sum.is_number() && whole.is_number()))
    context.symbolic_error(concat("cuts a symbolic extent, ", whole, ", into parts that sum to ", sum));
  context.check(sum == whole || !sum.is_number() || !whole.is_number(), "the extents in 'split' sum to ", sum,
                ", expected ", whole, ", the extent of axis ", axis);
  return out;
}

}  // namespace

void Split::infer(InferContext& context) const {
  const Shape& from = context.shape(0);
  const size_t at = context.axis(axis, from.rank());
  const auto count = static_cast<int64_t>(context.output_count());
  context.check<ArgumentError>(num_outputs.has_value() != context.has(1),
                               "expects either 'num_outputs' or 'split', got ", num_outputs ? "both" : "neither");
  context.check<ArgumentError>(num_outputs.value_or(count) == count, "attribute 'num_outputs' is ",
                               num_outputs.value_or(count), ", expected ", count, ", the number of outputs");
  const Shape parts = context.has(1) ? given_parts(context, at) : equal_parts(context, at);
  for (size_t i = 0; i < context.output_count(); ++i) {
    Shape out = from;
    out[at] = parts[i];
    context.output(i, context.dtype(0), std::move(out));
  }
}

void Split::evaluate(EvalContext& context) const {
  const Tensor& x = context.input(0);
  const size_t at = normalize_axis(info.name, axis, x.rank()), count = context.output_count();
  const Tensor extents = context.has(1) ? context.input(1).contiguous() : Tensor();
  const auto parts = static_cast<int64_t>(count);
  int64_t offset = 0;
  for (size_t i = 0; i < count; ++i) {
    const int64_t extent = extents.defined() ? extents.raw_as<int64_t>()[i]
                                             : std::min((x.dims()[at] + parts - 1) / parts, x.dims()[at] - offset);
    Strided part{x.dims(), x.strides(), offset * x.strides()[at]};
    part.dims[at] = extent;
    if (context.has_output(i)) copy_view(x, part, context.output(i));
    offset += extent;
  }
}

Gradients Split::vjp(GradContext& context) const {
  const Var x = context.input(0);
  const auto at = static_cast<int64_t>(normalize_axis(info.name, axis, x.rank()));
  std::vector<Tensor> parts;
  for (size_t i = 0; i < context.output_count(); ++i) {
    const Tensor g = context.grad(i).tensor();
    parts.push_back(g.defined() ? g : Tensor::zeros(context.output(i).dims(), x.dtype()));
  }
  return {Var(x.applier().apply(Concat{.axis = at}, parts, 1).front(), &x.applier())};
}

std::vector<Sample> Split::samples() {
  const Tensor x = sample_values({2, 6});
  return {{Split{.axis = 1, .num_outputs = 3}, {x}, "", 3},
          {Split{.num_outputs = 2}, {x}, "", 2},
          {Split{}, {x}, "expects either 'num_outputs' or 'split', got neither", 2},
          {Split{.axis = -1, .num_outputs = 4}, {sample_values({2, 7})}, "", 4},
          {Split{.axis = 1}, {x, sample_ints({1, 0, 5})}, "", 3},
          {Split{.axis = 1}, {sample_values({2, 3}, -9, 9, DType::i64), sample_ints({3})}},
          {Split{.axis = 2}, {x}, "axis 2 is out of range for rank 2"},
          {Split{.num_outputs = 3}, {x}, "attribute 'num_outputs' is 3, expected 2, the number of outputs", 2},
          {Split{.axis = 1}, {x, sample_ints({1, 4})}, "the extents in 'split' sum to 5, expected 6", 2},
          {Split{.axis = 1}, {x, sample_ints({7, -1})}, "'split' has a negative extent, -1", 2},
          {Split{.axis = 1}, {x, sample_ints({6})}, "'split' has 1 extents, expected 2, one for each output", 2},
          {Split{.axis = 1, .num_outputs = 5}, {x}, "axis 1 of extent 6 does not give 5 parts of 2", 5},
          {Split{.num_outputs = 1}, {x, sample_ints({2})}, "expects either 'num_outputs' or 'split', got both"}};
}

ONEMODEL_OPERATOR(Split)

}  // namespace onemodel

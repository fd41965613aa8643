#include "ops/shape.h"

#include "kernels/portable/copy.h"
#include "ops/declare.h"
#include "ops/shape_data.h"
#include "ops/strided.h"

namespace onemodel {
namespace {

SliceRange axes_of(const ShapeOf& op, size_t rank) {
  const auto count = static_cast<int64_t>(rank);
  return clamp_slice(count, op.start, op.end.value_or(count), 1);
}

// The known contents of a small integer tensor that is given as attribute.
void tell_contents(InferContext& context, const Tensor& value, size_t repeats) {
  if (!is_integer(value.dtype()) || value.rank() > 1) return;
  const Tensor list = value.cast(DType::i64);
  const auto* numbers = list.raw_as<int64_t>();
  ShapeData data;
  for (size_t i = 0; i < repeats; ++i) data.insert(data.end(), numbers, numbers + list.numel());
  context.output_shape_data(0, std::move(data));
}

}  // namespace

void ShapeOf::infer(InferContext& context) const {
  const Shape& shape = context.shape(0);
  const SliceRange axes = axes_of(*this, shape.rank());
  context.output(DType::i64, {axes.count});
  const auto first = shape.begin() + static_cast<std::ptrdiff_t>(axes.start);
  context.output_shape_data(0, ShapeData(first, first + static_cast<std::ptrdiff_t>(axes.count)));
}

void ShapeOf::evaluate(EvalContext& context) const {
  const Dims& dims = context.input(0).dims();
  const SliceRange axes = axes_of(*this, dims.size());
  std::copy_n(dims.begin() + axes.start, axes.count, context.output().mutable_raw_as<int64_t>());
}

std::vector<Sample> ShapeOf::samples() {
  const Tensor x = sample_values({2, 3, 4});
  return {{ShapeOf{}, {x}},
          {ShapeOf{.start = 1}, {x}},
          {ShapeOf{.start = -2, .end = -1}, {x}},
          {ShapeOf{.start = 5, .end = 9}, {x}},
          {ShapeOf{}, {sample_values({})}},
          {ShapeOf{}, {}, "expects at least 1 inputs, got 0"}};
}

void ConstantOfShape::infer(InferContext& context) const {
  check_ints(context, 0);
  const DType dtype = value.defined() ? value.dtype() : DType::f32;
  context.check<ArgumentError>(!value.defined() || value.numel() == 1, "attribute 'value' is ", value,
                               ", expected one element");
  const size_t rank = count_ints(context, 0);
  const auto data = context.shape_data(0);
  if (!data) return context.output(dtype, unknown_shape(context, rank));
  const Shape shape(*data);
  for (size_t i = 0; i < rank; ++i)
    context.check<ArgumentError>(!shape[i].is_number() || shape[i].number() >= 0, "extent ", shape[i], " at axis ", i,
                                 " is negative");
  context.output(dtype, shape);
  const Extent count = rank <= 1 ? shape.numel() : Extent(-1);
  const bool is_small = count.is_number() && count.number() >= 0 && count.number() <= kMaxShapeData;
  if (value.defined() && is_small) tell_contents(context, value.reshape({1}), static_cast<size_t>(count.number()));
}

void ConstantOfShape::evaluate(EvalContext& context) const {
  const Tensor& y = context.output();
  const float zero = 0;
  const void* element = value.defined() ? static_cast<const void*>(value.raw()) : &zero;
  kernels::fill(dtype_size(y.dtype()), y.numel(), element, y.mutable_raw());
}

std::vector<Sample> ConstantOfShape::samples() {
  return {{ConstantOfShape{}, {sample_ints({2, 3})}},
          {ConstantOfShape{Tensor::from<int64_t>({7}, {1})}, {sample_ints({2})}},
          {ConstantOfShape{Tensor::from<bool>({true}, {1})}, {sample_ints({0, 4})}},
          {ConstantOfShape{}, {sample_ints({})}},
          {ConstantOfShape{}, {sample_ints({2, -1})}, "extent -1 at axis 1 is negative"},
          {ConstantOfShape{sample_values({2})}, {sample_ints({2})}, "is float32[2], expected one element"},
          {ConstantOfShape{}, {sample_values({2})}, "expects int64, got float32"}};
}

Tensor Constant::tensor() const {
  if (value.defined()) return value;
  if (value_int) return Tensor::scalar(*value_int);
  if (value_ints) return Tensor::from_ints(*value_ints);
  if (value_float) return Tensor::scalar(*value_float);
  if (value_floats)
    return Tensor::from(std::span(*value_floats), {static_cast<int64_t>(value_floats->size())}).cast(DType::f32);
  return {};
}

void Constant::infer(InferContext& context) const {
  const int given = value.defined() + value_int.has_value() + value_ints.has_value() + value_float.has_value() +
                    value_floats.has_value();
  context.check<ArgumentError>(given == 1, "expects exactly one of the attributes value, value_int, value_ints, ",
                               "value_float and value_floats, got ", given);
  const Tensor result = tensor();
  context.output(result.dtype(), result.dims());
  if (result.numel() <= kMaxShapeData) tell_contents(context, result, 1);
}

void Constant::evaluate(EvalContext& context) const {
  const Tensor result = tensor();
  copy_view(result, {result.dims(), result.strides()}, context.output());
}

std::vector<Sample> Constant::samples() {
  return {{Constant{.value = sample_values({2, 3})}, {}},
          {Constant{.value_int = 7}, {}},
          {Constant{.value_ints = {{2, -3}}}, {}},
          {Constant{.value_float = 0.5f}, {}},
          {Constant{.value_floats = {{0.25, 0.1}}}, {}},
          {Constant{}, {}, "value_float and value_floats, got 0"},
          {Constant{.value_int = 7, .value_float = 7}, {}, "value_float and value_floats, got 2"}};
}

ONEMODEL_OPERATOR(ShapeOf)
ONEMODEL_OPERATOR(ConstantOfShape)
ONEMODEL_OPERATOR(Constant)

}  // namespace onemodel

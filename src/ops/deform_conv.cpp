#include "ops/deform_conv.h"

#include "kernels/portable/deform_conv.h"
#include "ops/declare.h"
#include "ops/dtype_set.h"
#include "ops/extent_checks.h"
#include "ops/wider.h"

namespace onemodel {
namespace {

// `operand` has the shape `expected`, as far as that is known.
void check_shape(const InferContext& context, size_t i, const Shape& expected) {
  const Shape& got = context.shape(i);
  const std::string_view name = DeformConv::inputs[i].name;
  context.check(got.rank() == expected.rank(), "'", name, "' expects shape ", expected, ", got ", got);
  for (size_t axis = 0; axis < got.rank(); ++axis)
    check_equal(context, got[axis], expected[axis], "'", name, "' expects shape ", expected, ", got ", got);
}

bool divides(int64_t divisor, const Extent& extent) { return !extent.is_number() || extent.number() % divisor == 0; }

}  // namespace

void DeformConv::infer(InferContext& context) const {
  check_in(context, 0, kFloating);
  for (size_t i = 1; i < context.input_count(); ++i) context.check_same_dtype(0, i);
  const Shape &x = context.shape(0), &w = context.shape(1);
  context.check(x.rank() == 4, "'X' expects [batch, channels, height, width], got shape ", x);
  context.check(w.rank() == 4, "'W' expects [outputs, channels / group, height, width], got shape ", w);
  check_window(context, window(), 2);
  context.check<ArgumentError>(group >= 1 && offset_group >= 1, "group and offset_group expect numbers from 1 up, got ",
                               group, " and ", offset_group);
  check_equal(context, w[1] * group, x[1], "'W' of shape ", w, " in ", group, " groups does not fit ", x[1],
              " channels");
  context.check(divides(group, w[0]), "'W' of shape ", w, " has outputs that ", group, " groups do not divide");
  context.check(divides(offset_group, x[1]), "'X' of shape ", x, " has channels that ", offset_group,
                " offset groups do not divide");
  for (size_t i = 0; i < kernel_shape.size(); ++i)
    check_equal(context, w[i + 2], kernel_shape[i], "kernel_shape differs from 'W' of shape ", w);
  for (size_t i : {2, 3}) context.check(w[i] != Extent(0), "'W' of shape ", w, " has an empty window");
  const Extents extents = window_outputs(context, window(), {x[2], x[3]}, {w[2], w[3]});
  const Extent places = w[2] * w[3] * offset_group;
  check_shape(context, 2, {x[0], places * 2, extents[0], extents[1]});
  if (context.has(3)) check_shape(context, 3, {w[0]});
  if (context.has(4)) check_shape(context, 4, {x[0], places, extents[0], extents[1]});
  context.output(context.dtype(0), {x[0], w[0], extents[0], extents[1]});
}

void DeformConv::evaluate(EvalContext& context) const {
  const Dims &x = context.input(0).dims(), &w = context.input(1).dims();
  const kernels::DeformConvShape shape{.batch = x[0],
                                       .channels = x[1],
                                       .outputs = w[0],
                                       .groups = group,
                                       .offset_groups = offset_group,
                                       .input = spatial_dims(x),
                                       .output = spatial_dims(context.output().dims()),
                                       .window = concrete_window(window(), spatial_dims(x), spatial_dims(w))};
  in_float64(context, [&](EvalContext& c) {
    const auto values = [&](size_t i) { return c.has(i) ? c.input(i).raw_as<double>() : nullptr; };
    kernels::deform_conv(shape, values(0), values(1), values(2), values(3), values(4),
                         c.output().mutable_raw_as<double>());
  });
}

std::vector<Sample> DeformConv::samples() {
  const auto values = [](const Dims& dims, uint64_t seed) { return sample_values(dims, -2, 2, DType::f32, seed); };
  const Tensor x = values({2, 4, 5, 4}, 1), w = values({6, 2, 2, 2}, 2), bias = values({6}, 3);
  const Tensor offset = values({2, 16, 4, 3}, 4), mask = sample_values({2, 8, 4, 3}, 0, 1);
  const DeformConv op{.group = 2, .offset_group = 2};
  return {{op, {x, w, offset}},
          {op, {x, w, offset, bias, mask}},
          {op, {x, w, offset, Tensor(), mask}},
          {DeformConv{.dilations = {2, 1}, .kernel_shape = {2, 3}, .pads = {1, 0, 1, 2}, .strides = {2, 1}},
           {values({1, 2, 5, 4}, 1), values({3, 2, 2, 3}, 2), values({1, 12, 3, 4}, 3), values({3}, 4)}},
          {DeformConv{}, {x, w, offset}, "'W' of shape [6, 2, 2, 2] in 1 groups does not fit 4 channels"},
          {DeformConv{.group = 2}, {x, w, offset}, "'offset' expects shape [2, 8, 4, 3], got [2, 16, 4, 3]"},
          {DeformConv{.group = 2, .offset_group = 3}, {x, w, offset}, "3 offset groups do not divide"},
          {op, {x, w, offset, bias, offset}, "'mask' expects shape [2, 8, 4, 3], got [2, 16, 4, 3]"},
          {op, {x, w, offset, mask}, "'B' expects shape [6], got [2, 8, 4, 3]"},
          {DeformConv{.group = 0}, {x, w, offset}, "group and offset_group expect numbers from 1 up, got 0 and 1"},
          {op, {x.reshape({2, 4, 20}), w, offset}, "'X' expects [batch, channels, height, width]"},
          {op, {x, w.cast(DType::f64), offset}, "'X' and 'W' must have one dtype, got float32 and float64"}};
}

ONEMODEL_OPERATOR(DeformConv)

}  // namespace onemodel

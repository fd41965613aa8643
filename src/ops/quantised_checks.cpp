#include "ops/quantised_checks.h"

#include <limits>

#include "ops/extent_checks.h"

namespace onemodel {
namespace {

// Blocks of so many places that cover `extent`.
Extent blocks_of(const Extent& extent, int64_t block_size) {
  return block_size == 1 ? extent : floor_div(extent + Extent(block_size - 1), block_size);
}

void check_blocks(const InferContext& context, std::string_view name, size_t axis, int64_t block_size) {
  const Shape &x = context.shape(0), &scale = context.shape(1);
  context.check(scale.rank() == x.rank(), '\'', name, "' expects rank ", x.rank(),
                " as 'x' with block_size=", block_size, ", got shape ", scale);
  for (size_t i = 0; i < x.rank(); ++i) {
    const Extent expected = i == axis ? blocks_of(x[i], block_size) : x[i];
    check_equal(context, scale[i], expected, '\'', name, "' has ", scale[i], " scales along axis ", i, " of size ",
                x[i], ", expected ", expected, " with block_size=", block_size, " along axis ", axis);
  }
}

}  // namespace

bool is_single(const Shape& shape) { return shape.rank() == 0 || (shape.rank() == 1 && shape[0] == Extent(1)); }

void check_dtype_attribute(const InferContext& context, std::string_view name, DType dtype, const DTypeSet& set) {
  context.check<DTypeError>(dtype == DType::undefined || set.has(dtype), "attribute '", name, "' expects ", set.name,
                            ", got ", dtype);
}

void check_scale(const InferContext& context, std::string_view name, int64_t axis, int64_t block_size) {
  const Shape &x = context.shape(0), &scale = context.shape(1);
  constexpr int64_t kMost = std::numeric_limits<int32_t>::max();  // so that no product overflows
  context.check<ArgumentError>(block_size >= 0 && block_size <= kMost, "block_size expects a number of 0 to ", kMost,
                               ", got ", block_size);
  if (block_size > 0) {
    check_blocks(context, name, context.axis(axis, x.rank()), block_size);
  } else if (!is_single(scale)) {
    context.check(scale.rank() == 1, '\'', name,
                  "' expects one scale or, without block_size, a list of them, got shape ", scale);
    const Extent& places = x[context.axis(axis, x.rank())];
    check_equal(context, scale[0], places, '\'', name, "' has ", scale[0], " scales, 'x' of shape ", x, " has ", places,
                " places along axis ", axis);
  }
  if (!context.has(2)) return;
  const Shape& zero = context.shape(2);
  if (is_single(scale) && is_single(zero)) return;
  context.check(zero.rank() == scale.rank(), "the zero point expects the shape of '", name, "', ", scale, ", got ",
                zero);
  for (size_t i = 0; i < zero.rank(); ++i)
    check_equal(context, zero[i], scale[i], "the zero point expects the shape of '", name, "', ", scale, ", got ",
                zero);
}

kernels::ScaleLayout scale_layout(std::string_view op, const Dims& x, const Dims& scale, int64_t axis,
                                  int64_t block_size) {
  kernels::ScaleLayout out{.count = numel(x)};
  if (out.count == 0) return out;
  if (block_size == 0 && numel(scale) == 1) {
    out.inner = out.count;
    return out;
  }
  const size_t at = normalize_axis(op, axis, x.size());
  out.extent = x[at];
  for (size_t i = at + 1; i < x.size(); ++i) out.inner *= x[i];
  if (block_size > 0) {
    out.block = block_size;
    out.block_step = out.inner;
    out.outer_step = scale[at] * out.inner;
    out.inner_step = out.inner == 1 ? 0 : 1;
  } else if (out.inner > 1) {
    out.block_step = 1;
  } else {  // the last axis: its scales lie one after the other
    out.inner = out.extent;
    out.extent = out.inner_step = 1;
  }
  return out;
}

void check_single(const InferContext& context, size_t i, std::string_view name) {
  if (!context.has(i)) return;
  const Shape& shape = context.shape(i);
  context.check(shape.rank() <= 1, '\'', name, "' expects one number, got shape ", shape);
  if (shape.rank() == 1) check_equal(context, shape[0], 1, '\'', name, "' expects one number, got shape ", shape);
}

void check_lines(const InferContext& context, size_t i, std::string_view name, const Extent& lines) {
  if (!context.has(i) || is_single(context.shape(i))) return;
  const Shape& shape = context.shape(i);
  context.check(shape.rank() == 1, '\'', name, "' expects one number or a list of ", lines, ", got shape ", shape);
  check_equal(context, shape[0], lines, '\'', name, "' expects one number or a list of ", lines, ", got shape ", shape);
}

Tensor zero_points(const Tensor& tensor) {
  return tensor.defined() ? tensor.cast(DType::i32) : Tensor::zeros({}, DType::i32);
}

Tensor scales(const Tensor& tensor) {
  return tensor.dtype() == DType::f32 ? tensor.contiguous() : tensor.cast(DType::f32);
}

int32_t one_zero(const Tensor& tensor) { return *zero_points(tensor).raw_as<int32_t>(); }

float one_scale(const Tensor& tensor) { return *scales(tensor).raw_as<float>(); }

}  // namespace onemodel

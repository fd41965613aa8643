#pragma once
// What the operators on quantised numbers ask of scales and zero points, and how kernels get them.

#include "kernels/portable/integer_sums.h"
#include "kernels/portable/quantise.h"
#include "ops/dtype_set.h"

namespace onemodel {

inline constexpr DTypeSet kByte{[](DType d) { return d == DType::i8 || d == DType::u8; }, "int8 or uint8"};
inline constexpr DTypeSet kQuantised{[](DType d) { return kByte.has(d) || d == DType::i16 || d == DType::u16; },
                                     "int8, uint8, int16 or uint16"};

/// Throws DTypeError unless attribute `name` is absent (undefined) or in `set`.
void check_dtype_attribute(const InferContext& context, std::string_view name, DType dtype, const DTypeSet& set);

/// Checks input 1, the scale of input 0, 'x': one number for all; or one for each place along `axis`; or with a
/// `block_size` one for each block of so many places along it. Input 2, the zero point when present, has its shape.
void check_scale(const InferContext& context, std::string_view name, int64_t axis, int64_t block_size);
/// Which of the scales of shape `scale` belongs to which element of a tensor of shape `x`.
kernels::ScaleLayout scale_layout(std::string_view op, const Dims& x, const Dims& scale, int64_t axis,
                                  int64_t block_size);

/// Throws unless input `i`, when present, has one element, as a scalar or a list of one. `name` is the operand's.
void check_single(const InferContext& context, size_t i, std::string_view name);
/// Throws unless input `i`, when present, is as above or has one element for each of `lines`.
void check_lines(const InferContext& context, size_t i, std::string_view name, const Extent& lines);
/// Whether that is so for a shape: one element for all.
bool is_single(const Shape& shape);

/// `tensor` as contiguous int32 or float32 numbers; undefined: a single 0.
Tensor zero_points(const Tensor& tensor);
Tensor scales(const Tensor& tensor);
/// The only number of a zero point or scale.
int32_t one_zero(const Tensor& tensor);
float one_scale(const Tensor& tensor);

/// One number for each line, or for all, of a tensor that the two above gave; it is to outlive the result.
template <class T>
kernels::LineValues<T> line_values(const Tensor& tensor) {
  return {tensor.raw_as<T>(), tensor.numel() == 1 ? 0 : 1, {}};
}

}  // namespace onemodel

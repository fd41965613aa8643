#pragma once
// Integer operands that decide shapes, and what is known of their contents through shape
// arithmetic.

#include <optional>

#include "ops/infer.h"

namespace onemodel {

/// The contents of operands with more elements are not followed.
inline constexpr int64_t kMaxShapeData = 64;

/// The integers of an operand of up to kMaxRank elements, whatever its dtype and strides.
Dims read_ints(const Tensor& tensor);

/// Throws unless operand `i` is a one-dimensional int64 tensor (or int32, with `allow_i32`).
void check_ints(const InferContext& context, size_t i, bool allow_i32 = false);
/// An operand's number of integers, which decides the rank of a result, is a symbol. Outside of traces `infer` leaves the
/// results' types undefined then: only running tells them.
struct UnknownLength : ShapeError {
  using ShapeError::ShapeError;
};
/// How many integers operand `i` has, which is at most kMaxRank; throws UnknownLength when that is not known.
size_t count_ints(const InferContext& context, size_t i);
/// Whether that is known, for operators whose result has a rank without it; in a trace it has to be.
bool knows_count(const InferContext& context, size_t i);
/// A shape of which only the rank is known.
Shape unknown_shape(InferContext& context, size_t rank);
/// `axes` (negative ones from the end) as a set of bits; throws ShapeError for one out of range or
/// named twice.
unsigned axis_set(const InferContext& context, std::span<const int64_t> axes, size_t rank);

/// What is known of a small integer or boolean operand (false is 0); nothing for any other.
std::optional<ShapeData> small_shape_data(const InferContext& context, size_t i);
/// Says that output 0 has the contents of operand `i`, as far as they are known.
void keep_shape_data(InferContext& context, size_t i = 0);

enum class ShapeArithmetic : uint8_t { add, sub, mul, div };
/// Follows two integer operands through arithmetic with broadcasting. To be called in `infer` after
/// the output is set; does nothing when something is not known, and never throws.
void combine_shape_data(InferContext& context, ShapeArithmetic op);
/// As combine_shape_data, for the negative of operand 0.
void negate_shape_data(InferContext& context);

}  // namespace onemodel

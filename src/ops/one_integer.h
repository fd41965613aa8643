#pragma once
// Operands that are one integer: an axis, a diagonal, a count.

#include <optional>

#include "ops/infer.h"

namespace onemodel {

/// Throws unless operand `i` has one element, as a scalar or a list of one.
void check_one(const InferContext& context, size_t i);
/// Throws unless operand `i` is one int64 (or int32, with `allow_i32`).
void check_one_integer(const InferContext& context, size_t i, bool allow_i32 = false);
/// The integer of operand `i`, an extent that may be symbolic; nothing when not known.
std::optional<Extent> one_extent(const InferContext& context, size_t i);
/// The single element of `tensor`, converted as by Cast.
int64_t read_one(const Tensor& tensor);

}  // namespace onemodel

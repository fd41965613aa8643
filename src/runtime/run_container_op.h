#pragma once
// Operators on sequences and optionals.

#include <span>

#include "ops/op.h"
#include "runtime/item.h"

namespace onemodel {

/// What `op` (of graph/container_ops.h, or Identity) gives. Errors say which operand, what was expected and what was got.
Item run_container_op(const Op& op, std::span<const Item> operands);

}  // namespace onemodel

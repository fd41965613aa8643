#pragma once
// Comparing extents that may be symbolic.

#include "ops/infer.h"
#include "ops/size_mismatch.h"

namespace onemodel {

/// Throws ShapeError with `parts` when a and b are surely different; while tracing,
/// TraceError(SymbolicShape) when they were equal in the example only. What only running can tell
/// passes.
template <class... Parts>
void check_equal(const InferContext& context, const Extent& a, const Extent& b, const Parts&... parts) {
  if (a == b) return;
  const bool decidable = a.is_number() && b.is_number();
  if (!decidable && !context.tracing()) return;
  if (!decidable && a.example() == b.example())
    throw SizeMismatch(concat(context.op_name(), ": ", parts..., " (equal in the example only)"), a, b);
  context.check(false, parts...);
}

/// Requires that a shape broadcasts to `target` without changing it.
inline void check_broadcasts_to(const InferContext& context, const Shape& shape, const Shape& target,
                                std::string_view name) {
  context.check(shape.rank() <= target.rank(), "'", name, "' of shape ", shape, " does not broadcast to ", target);
  const size_t lead = target.rank() - std::min(shape.rank(), target.rank());
  for (size_t i = 0; i < shape.rank(); ++i)
    if (shape[i] != Extent(1))
      check_equal(context, shape[i], target[lead + i], "'", name, "' of shape ", shape, " does not broadcast to ",
                  target);
}

}  // namespace onemodel

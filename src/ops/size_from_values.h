#pragma once
// Sizes that follow from values.

#include "ops/infer.h"

namespace onemodel {

/// The count that `count_in` finds in the values of input `i`; unknown when they are. A trace refuses.
template <class F>
Extent counted(InferContext& context, size_t i, const F& count_in) {
  const Tensor value = context.value(i);
  if (value.defined()) return static_cast<int64_t>(count_in(value.contiguous()));
  if (context.tracing()) context.symbolic_error("the size of the result depends on values");
  return context.unknown("count");
}

}  // namespace onemodel

#pragma once
// Sizes that were equal in the example of a trace only.

#include "core/extent.h"

namespace onemodel {

/// What tracing throws for two sizes that an operator takes for equal and nothing says are: whoever declared them learns
/// which. A TraceError of the kind SymbolicShape.
struct SizeMismatch : TraceError {
  SizeMismatch(std::string message, Extent first, Extent second)
      : TraceError("SymbolicShape", std::move(message)), a(std::move(first)), b(std::move(second)) {}
  Extent a, b;
};

}  // namespace onemodel

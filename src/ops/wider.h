#pragma once
// Kernels that some floating types have not, run in a wider one.

#include <functional>

#include "ops/kernel.h"

namespace onemodel {

/// Calls `run`, with half-precision inputs and outputs replaced by float32 ones and the results rounded once.
void in_float32(EvalContext& context, const std::function<void(EvalContext&)>& run);
/// The same with all floating ones replaced by float64 ones.
void in_float64(EvalContext& context, const std::function<void(EvalContext&)>& run);

/// The result of one operation of a computation in float64: rounded to float32 where `single`, as if made there.
inline double rounded(double value, bool single) {
  return single ? static_cast<double>(static_cast<float>(value)) : value;
}

}  // namespace onemodel

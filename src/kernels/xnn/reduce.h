#pragma once
// Reductions over axes.

#include <cstdint>

#include "core/dims.h"
#include "kernels/xnn/prepared.h"

namespace onemodel::kernels::xnn {

enum class Reduce { sum, mean, max, min, sum_square };

/// Reduces `axes` (distinct, non-negative; empty: all) of x[shape]. Inputs {x}, outputs {y}. Sums are taken in float
/// over blocks and in double over these, so the error does not grow with the count. NaN gives NaN.
/// Refuses sets of axes that do not merge into [reduced, kept, reduced, kept].
PreparedPtr reduce(Reduce function, const Dims& shape, const Dims& axes, std::string& refusal);

}  // namespace onemodel::kernels::xnn

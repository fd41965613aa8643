#pragma once
// Softmax over the last axis.

#include <cstdint>

#include "kernels/xnn/prepared.h"

namespace onemodel::kernels::xnn {

/// x[rows, columns]. Inputs {x}, outputs {y}; y may be x. A NaN in a row, or a row of -inf, makes the row NaN.
PreparedPtr softmax(int64_t rows, int64_t columns, std::string& refusal);

}  // namespace onemodel::kernels::xnn

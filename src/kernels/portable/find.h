#pragma once
// Searching: elements that are not zero, and rows that are equal.
//
// Shapes: contiguous.
// Dtypes: every one.
// Threads: the calling one.

#include <cstdint>
#include <vector>

#include "core/dtype.h"

namespace onemodel::kernels {

/// The positions of elements other than 0, ascending. NaN is not 0.
std::vector<int64_t> find_nonzero(DType dtype, const void* x, int64_t count);

/// The distinct rows of some rows.
struct DistinctRows {
  std::vector<int64_t> first;    // of each distinct row, its first place
  std::vector<int64_t> inverse;  // of each row, which distinct one it is
  std::vector<int64_t> counts;   // of each distinct row, how often it is there
};

/// Distinct rows of x[rows, width] in ascending lexicographic order, or in the order of their first places. NaNs equal
/// each other and come last.
DistinctRows find_distinct(DType dtype, const void* x, int64_t rows, int64_t width, bool sorted);

}  // namespace onemodel::kernels

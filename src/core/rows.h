#pragma once
// Walking over a strided view row by row.

#include "core/dims.h"

namespace onemodel {

/// Calls f(offset, length, stride) for every row along the last axis, in row-major order.
template <class F>
void for_each_row(const Dims& dims, const Dims& strides, F&& f) {
  const int64_t total = numel(dims);
  if (total == 0) return;
  const int64_t length = dims.empty() ? 1 : dims.back();
  Dims index = Dims::filled(dims.size(), 0);
  int64_t offset = 0;
  for (int64_t row = 0; row < total / length; ++row) {
    f(offset, length, dims.empty() ? 1 : strides.back());
    for (size_t axis = dims.size() > 1 ? dims.size() - 1 : 0; axis-- > 0;) {
      offset += strides[axis];
      if (++index[axis] < dims[axis]) break;
      offset -= strides[axis] * dims[axis];
      index[axis] = 0;
    }
  }
}

}  // namespace onemodel

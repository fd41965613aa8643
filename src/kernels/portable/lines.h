#pragma once
// A contiguous tensor seen as lines along one axis.

#include <cstdint>

#include "core/dims.h"

namespace onemodel::kernels {

/// x[outer, length, inner]: outer * inner lines of `length` elements, `inner` apart.
struct Lines {
  int64_t outer = 1, length = 1, inner = 1;

  /// Along `axis`, a valid one, of a tensor of `dims`.
  static Lines along(const Dims& dims, size_t axis) {
    Lines lines{.length = dims[axis]};
    for (size_t i = 0; i < dims.size(); ++i)
      if (i != axis) (i < axis ? lines.outer : lines.inner) *= dims[i];
    return lines;
  }
  int64_t count() const { return outer * inner; }
  /// Where line `i` begins.
  int64_t start(int64_t i) const { return i / inner * length * inner + i % inner; }
};

}  // namespace onemodel::kernels

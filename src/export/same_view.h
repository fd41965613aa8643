#pragma once
// When two tensors are one for an export.

#include "core/tensor.h"

namespace onemodel {

/// Whether both are the same elements of one memory.
inline bool is_same_view(const Tensor& a, const Tensor& b) {
  return a.memory() == b.memory() && a.offset() == b.offset() && a.dims() == b.dims() && a.strides() == b.strides() &&
         a.dtype() == b.dtype();
}

}  // namespace onemodel

#pragma once
// When tensors are one, or share memory.

#include <algorithm>
#include <span>
#include <vector>

#include "core/tensor.h"

namespace onemodel {

/// Whether both are the same elements of one memory.
inline bool is_same_view(const Tensor& a, const Tensor& b) {
  return a.memory() == b.memory() && a.offset() == b.offset() && a.dims() == b.dims() && a.strides() == b.strides() &&
         a.dtype() == b.dtype();
}

/// Makes `values` independent of memory that is about to be written: those that share it are copied.
inline void set_apart(std::vector<Tensor>& values, std::span<const Tensor> written) {
  for (Tensor& value : values)
    if (std::ranges::any_of(written, [&](const Tensor& each) { return each.memory() == value.memory(); }))
      value = value.clone();
}

}  // namespace onemodel

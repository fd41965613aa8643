#pragma once
// When tensors are one, or share memory.

#include <algorithm>
#include <span>
#include <utility>
#include <vector>

#include "core/tensor.h"

namespace onemodel {

/// Whether both are the same elements of one memory.
inline bool is_same_view(const Tensor& a, const Tensor& b) {
  return a.memory() == b.memory() && a.offset() == b.offset() && a.dims() == b.dims() && a.strides() == b.strides() &&
         a.dtype() == b.dtype();
}

/// Whether both may have an element in common: they are in one memory, and neither ends before the other begins.
inline bool may_overlap(const Tensor& a, const Tensor& b) {
  if (a.memory() != b.memory() || a.numel() == 0 || b.numel() == 0) return false;
  const auto ends = [](const Tensor& tensor) {
    int64_t low = tensor.offset(), high = low + 1;
    for (size_t i = 0; i < tensor.rank(); ++i) {
      const int64_t reach = (tensor.dims()[i] - 1) * tensor.strides()[i];
      (reach < 0 ? low : high) += reach;
    }
    const auto size = static_cast<int64_t>(dtype_size(tensor.dtype()));
    return std::pair(low * size, high * size);
  };
  const auto [a_low, a_high] = ends(a);
  const auto [b_low, b_high] = ends(b);
  return a_low < b_high && b_low < a_high;
}

/// Makes `values` independent of memory that is about to be written: those that share it are copied.
inline void set_apart(std::vector<Tensor>& values, std::span<const Tensor> written) {
  for (Tensor& value : values)
    if (std::ranges::any_of(written, [&](const Tensor& each) { return each.memory() == value.memory(); }))
      value = value.clone();
}

}  // namespace onemodel

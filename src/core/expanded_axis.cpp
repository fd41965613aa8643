#include "core/expanded_axis.h"

#include "core/tensor.h"

namespace onemodel {

std::optional<size_t> expanded_axis(const Tensor& tensor) {
  if (tensor.numel() < 2) return {};
  for (size_t axis = 0; axis < tensor.rank(); ++axis)
    if (tensor.strides()[axis] == 0 && tensor.dims()[axis] > 1) return axis;
  return {};
}

}  // namespace onemodel

#include "ops/strided.h"

#include "kernels/portable/copy.h"

namespace onemodel {

Dims broadcast_strides(const Dims& from, const Dims& strides, const Dims& to) {
  Dims out = Dims::filled(to.size(), 0);
  const size_t lead = to.size() - from.size();
  for (size_t i = 0; i < from.size(); ++i) out[lead + i] = from[i] == 1 ? 0 : strides[i];
  return out;
}

Tensor make_view(const Tensor& x, const Strided& view) {
  return Tensor::view_of(x.memory(), x.offset() + view.offset, view.dims, view.strides, x.dtype());
}

void copy_view(const Tensor& x, const Strided& view, const Tensor& y) {
  const size_t item = dtype_size(x.dtype());
  const std::byte* first = x.raw() + view.offset * static_cast<int64_t>(item);
  kernels::copy(item, view.dims, first, view.strides, y.mutable_raw());
}

}  // namespace onemodel

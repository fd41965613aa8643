#include "ops/evaluate_binary.h"

#include "ops/strided.h"

namespace onemodel {

void evaluate_binary(kernels::Binary function, const Tensor& a, const Tensor& b, const Tensor& y) {
  const Dims& dims = y.dims();
  const Dims a_strides = broadcast_strides(a.dims(), a.strides(), dims);
  const Dims b_strides = broadcast_strides(b.dims(), b.strides(), dims);
  visit_dtype(a.dtype(), [&](auto tag) {
    using T = typename decltype(tag)::type;
    kernels::binary(function, dims, a.raw_as<T>(), a_strides, b.raw_as<T>(), b_strides, y.mutable_raw_as<T>());
  });
}

}  // namespace onemodel

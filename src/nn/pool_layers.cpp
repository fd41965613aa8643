#include "nn/pool_layers.h"

namespace onemodel::nn {

Tensor MaxPool1d::run(const Tensor& x) {
  const Options& o = options();
  return max_pool1d(x, o.kernel_size, o.stride, o.padding, o.dilation, o.ceil_mode);
}

Tensor MaxPool3d::run(const Tensor& x) {
  const Options& o = options();
  return max_pool3d(x, o.kernel_size, o.stride, o.padding, o.dilation, o.ceil_mode);
}

Tensor AvgPool1d::run(const Tensor& x) {
  const Options& o = options();
  return avg_pool1d(x, o.kernel_size, o.stride, o.padding, o.ceil_mode, o.count_include_pad);
}

Tensor AvgPool3d::run(const Tensor& x) {
  const Options& o = options();
  return avg_pool3d(x, o.kernel_size, o.stride, o.padding, o.ceil_mode, o.count_include_pad);
}

}  // namespace onemodel::nn

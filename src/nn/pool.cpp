#include "nn/pool.h"

namespace onemodel::nn {

Tensor MaxPool2d::run(const Tensor& x) {
  const MaxPool2dOptions& o = options();
  return max_pool2d(x, o.kernel_size, o.stride, o.padding, o.dilation, o.ceil_mode);
}

Tensor AvgPool2d::run(const Tensor& x) {
  const AvgPool2dOptions& o = options();
  return avg_pool2d(x, o.kernel_size, o.stride, o.padding, o.ceil_mode, o.count_include_pad);
}

Tensor GlobalAvgPool2d::run(const Tensor& x) { return global_avg_pool2d(x); }

}  // namespace onemodel::nn

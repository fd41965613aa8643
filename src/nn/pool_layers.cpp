#include "nn/pool_layers.h"

#include "eager/functions_adaptive_pool.h"

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

AdaptiveAvgPool1d::AdaptiveAvgPool1d(const Options& options) : Layer(options) {
  check_at_least(1, kName, "output_size", options.output_size);
}

Tensor AdaptiveAvgPool1d::run(const Tensor& x) { return adaptive_avg_pool1d(x, options().output_size); }

AdaptiveAvgPool2d::AdaptiveAvgPool2d(const Options& options) : Layer(options) {
  check_at_least(1, kName, "output_size", options.output_size);
}

Tensor AdaptiveAvgPool2d::run(const Tensor& x) { return adaptive_avg_pool2d(x, options().output_size); }

Upsample::Upsample(const UpsampleOptions& o) : Layer(o) {
  if (o.size) size_ = o.size->values;
  if (o.scale_factor) scale_factor_ = o.scale_factor->values;
  check_interpolate(kName, size_, scale_factor_, o.mode, o.align_corners);
}

Tensor Upsample::run(const Tensor& x) {
  return interpolate(x, size_, scale_factor_, options().mode, options().align_corners);
}

}  // namespace onemodel::nn

#include "nn/adaptive_pool.h"

#include "eager/functions_adaptive_pool.h"

namespace onemodel::nn {

AdaptiveAvgPool1d::AdaptiveAvgPool1d(const Options& options) : Layer(options) {
  check_at_least(1, kName, "output_size", options.output_size);
}

AdaptiveAvgPool2d::AdaptiveAvgPool2d(const Options& options) : Layer(options) {
  check_at_least(1, kName, "output_size", options.output_size);
}

AdaptiveAvgPool3d::AdaptiveAvgPool3d(const Options& options) : Layer(options) {
  check_at_least(1, kName, "output_size", options.output_size);
}

AdaptiveMaxPool1d::AdaptiveMaxPool1d(const Options& options) : Layer(options) {
  check_at_least(1, kName, "output_size", options.output_size);
}

AdaptiveMaxPool2d::AdaptiveMaxPool2d(const Options& options) : Layer(options) {
  check_at_least(1, kName, "output_size", options.output_size);
}

AdaptiveMaxPool3d::AdaptiveMaxPool3d(const Options& options) : Layer(options) {
  check_at_least(1, kName, "output_size", options.output_size);
}

Tensor AdaptiveAvgPool1d::run(const Tensor& x) { return adaptive_avg_pool1d(x, options().output_size); }
Tensor AdaptiveAvgPool2d::run(const Tensor& x) { return adaptive_avg_pool2d(x, options().output_size); }
Tensor AdaptiveAvgPool3d::run(const Tensor& x) { return adaptive_avg_pool3d(x, options().output_size); }
Tensor AdaptiveMaxPool1d::run(const Tensor& x) { return adaptive_max_pool1d(x, options().output_size); }
Tensor AdaptiveMaxPool2d::run(const Tensor& x) { return adaptive_max_pool2d(x, options().output_size); }
Tensor AdaptiveMaxPool3d::run(const Tensor& x) { return adaptive_max_pool3d(x, options().output_size); }

Upsample::Upsample(const UpsampleOptions& o) : Layer(o) {
  if (o.size) size_ = o.size->values;
  if (o.scale_factor) scale_factor_ = o.scale_factor->values;
  check_interpolate(kName, size_, scale_factor_, o.mode, o.align_corners);
}

Tensor Upsample::run(const Tensor& x) {
  return interpolate(x, size_, scale_factor_, options().mode, options().align_corners);
}

}  // namespace onemodel::nn

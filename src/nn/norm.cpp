#include "nn/norm.h"

#include "eager/in_place.h"
#include "nn/random.h"

namespace onemodel::nn {

BatchNorm2d::BatchNorm2d(const BatchNorm2dOptions& options) : Layer(options) {
  check_at_least(1, kName, "num_features", options.num_features);
  check_not_negative(kName, "eps", options.eps);
  const Dims channels = {options.num_features};
  if (options.affine) {
    state_.weight = register_parameter("weight", Tensor::full(channels, 1));
    state_.bias = register_parameter("bias", Tensor::zeros(channels));
  }
  if (options.track_running_stats) {
    state_.running_mean = register_buffer("running_mean", Tensor::zeros(channels));
    state_.running_var = register_buffer("running_var", Tensor::full(channels, 1));
    num_batches_tracked_ = register_buffer("num_batches_tracked", Tensor::zeros({}, DType::i64));
  }
}

Tensor BatchNorm2d::run(const Tensor& x) {
  check<ShapeError>(x.rank() == 4 && x.dims()[1] == options().num_features, kName, ": the input must be [batch, ",
                    options().num_features, ", height, width], got ", x.dims());
  const bool batch_statistics = training() || !options().track_running_stats;
  const Tensor y = batch_norm2d(x, state_, batch_statistics, options().momentum, options().eps);
  if (training() && num_batches_tracked_.defined()) add_(num_batches_tracked_, 1);
  return y;
}

Dropout::Dropout(const DropoutOptions& options) : Layer(options) {
  check(options.p >= 0 && options.p <= 1, kName, ": p must be in [0, 1], got ", options.p);
}

Tensor Dropout::run(const Tensor& x) { return dropout(x, options().p, training(), default_generator()); }

}  // namespace onemodel::nn

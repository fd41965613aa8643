#include "nn/layer_norm.h"

#include "eager/functions_norm.h"

namespace onemodel::nn {
namespace {

Dims checked_shape(std::string_view who, const Sizes& sizes) {
  check(!sizes.values.empty(), who, ": normalized_shape must name at least one extent");
  for (const int64_t size : sizes.values) check_at_least(1, who, "normalized_shape", size);
  return sizes.values;
}

}  // namespace

LayerNorm::LayerNorm(const LayerNormOptions& options)
    : Layer(options), shape_(checked_shape(kName, options.normalized_shape)) {
  check_not_negative(kName, "eps", options.eps);
  if (!options.elementwise_affine) return;
  weight_ = register_parameter("weight", Tensor::full(shape_, 1));
  if (options.bias) bias_ = register_parameter("bias", Tensor::zeros(shape_));
}

Tensor LayerNorm::run(const Tensor& x) { return layer_norm(x, shape_, weight_, bias_, options().eps); }

RMSNorm::RMSNorm(const RMSNormOptions& options)
    : Layer(options), shape_(checked_shape(kName, options.normalized_shape)) {
  check_not_negative(kName, "eps", options.eps.value_or(0));
  if (options.elementwise_affine) weight_ = register_parameter("weight", Tensor::full(shape_, 1));
}

Tensor RMSNorm::run(const Tensor& x) { return rms_norm(x, shape_, weight_, options().eps); }

GroupNorm::GroupNorm(const GroupNormOptions& options) : Layer(options) {
  const auto& [groups, channels, eps, affine] = options;
  check_at_least(1, kName, "num_groups", groups);
  check_at_least(1, kName, "num_channels", channels);
  check(channels % groups == 0, kName, ": num_groups ", groups, " must divide num_channels ", channels);
  check_not_negative(kName, "eps", eps);
  if (!affine) return;
  weight_ = register_parameter("weight", Tensor::full({channels}, 1));
  bias_ = register_parameter("bias", Tensor::zeros({channels}));
}

Tensor GroupNorm::run(const Tensor& x) {
  check<ShapeError>(x.rank() >= 2 && x.dims()[1] == options().num_channels, kName, ": the input must be [batch, ",
                    options().num_channels, ", ...], got ", x.dims());
  return group_norm(x, options().num_groups, weight_, bias_, options().eps);
}

}  // namespace onemodel::nn

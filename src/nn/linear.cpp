#include "nn/linear.h"

#include "nn/random.h"

namespace onemodel::nn {

Linear::Linear(const LinearOptions& options) : Layer(options) {
  check_at_least(1, kName, "in_features", options.in_features);
  check_at_least(1, kName, "out_features", options.out_features);
  weight_ =
      register_parameter("weight", fan_in_uniform({options.out_features, options.in_features}, options.in_features));
  if (options.bias) bias_ = register_parameter("bias", fan_in_uniform({options.out_features}, options.in_features));
}

Tensor Linear::run(const Tensor& x) {
  const int64_t expected = options().in_features;
  check<ShapeError>(x.rank() >= 1 && x.dims().back() == expected, kName, ": the input's last axis must have extent ",
                    expected, ", got ", x.dims());
  return linear(x, weight_, bias_);
}

}  // namespace onemodel::nn

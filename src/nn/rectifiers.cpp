#include "nn/rectifiers.h"

#include "eager/functions.h"
#include "eager/functions_activation.h"

namespace onemodel::nn {

Tensor ReLU::run(const Tensor& x) { return relu(x); }
Tensor ReLU6::run(const Tensor& x) { return relu6(x); }
Tensor LeakyReLU::run(const Tensor& x) { return leaky_relu(x, static_cast<float>(options().negative_slope)); }

PReLU::PReLU(const PReLUOptions& options) : Layer(options) {
  check_at_least(1, kName, "num_parameters", options.num_parameters);
  weight_ = register_parameter("weight", Tensor::full({options.num_parameters}, options.init));
}

Tensor PReLU::run(const Tensor& x) { return prelu(x, weight_); }
Tensor ELU::run(const Tensor& x) { return elu(x, static_cast<float>(options().alpha)); }
CELU::CELU(const CELUOptions& options) : Layer(options) { check(options.alpha != 0, kName, ": alpha must not be 0"); }
Tensor CELU::run(const Tensor& x) { return celu(x, static_cast<float>(options().alpha)); }
Tensor SELU::run(const Tensor& x) { return selu(x); }

GELU::GELU(const GELUOptions& options) : Layer(options) {
  check(options.approximate == "none" || options.approximate == "tanh", kName,
        ": approximate must be none or tanh, got '", options.approximate, "'");
}

Tensor GELU::run(const Tensor& x) { return gelu(x, options().approximate); }
Tensor SiLU::run(const Tensor& x) { return silu(x); }
Tensor Hardswish::run(const Tensor& x) { return hard_swish(x); }
Tensor Mish::run(const Tensor& x) { return mish(x); }
Tensor Softplus::run(const Tensor& x) { return softplus(x, options().beta); }

}  // namespace onemodel::nn

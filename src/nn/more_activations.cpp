#include "nn/more_activations.h"

#include "eager/functions_activation.h"

namespace onemodel::nn {

Tensor SiLU::run(const Tensor& x) { return silu(x); }
Tensor Mish::run(const Tensor& x) { return mish(x); }
Tensor SELU::run(const Tensor& x) { return selu(x); }
Tensor Softsign::run(const Tensor& x) { return softsign(x); }
Tensor LogSigmoid::run(const Tensor& x) { return logsigmoid(x); }
Tensor ReLU6::run(const Tensor& x) { return relu6(x); }
Tensor ELU::run(const Tensor& x) { return elu(x, static_cast<float>(options().alpha)); }
Tensor CELU::run(const Tensor& x) { return celu(x, static_cast<float>(options().alpha)); }
Tensor Softplus::run(const Tensor& x) { return softplus(x, options().beta); }
Tensor Hardtanh::run(const Tensor& x) { return hardtanh(x, options().min_val, options().max_val); }
Tensor GLU::run(const Tensor& x) { return glu(x, options().dim); }

CELU::CELU(const CELUOptions& options) : Layer(options) { check(options.alpha != 0, kName, ": alpha must not be 0"); }

Hardtanh::Hardtanh(const HardtanhOptions& options) : Layer(options) {
  check(options.min_val < options.max_val, kName, ": min_val must be less than max_val, got ", options.min_val, " and ",
        options.max_val);
}

PReLU::PReLU(const PReLUOptions& options) : Layer(options) {
  check_at_least(1, kName, "num_parameters", options.num_parameters);
  weight_ = register_parameter("weight", Tensor::full({options.num_parameters}, options.init));
}

Tensor PReLU::run(const Tensor& x) { return prelu(x, weight_); }

}  // namespace onemodel::nn

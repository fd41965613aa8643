#include "nn/activations.h"

namespace onemodel::nn {

Tensor ReLU::run(const Tensor& x) { return relu(x); }
Tensor LeakyReLU::run(const Tensor& x) { return leaky_relu(x, static_cast<float>(options().negative_slope)); }
Tensor Sigmoid::run(const Tensor& x) { return sigmoid(x); }
Tensor Tanh::run(const Tensor& x) { return tanh(x); }
GELU::GELU(const GELUOptions& options) : Layer(options) {
  check(options.approximate == "none" || options.approximate == "tanh", kName,
        ": approximate must be none or tanh, got '", options.approximate, "'");
}

Tensor GELU::run(const Tensor& x) { return gelu(x, options().approximate); }
Tensor Hardsigmoid::run(const Tensor& x) { return hard_sigmoid(x); }
Tensor Hardswish::run(const Tensor& x) { return hard_swish(x); }
Tensor Softmax::run(const Tensor& x) { return softmax(x, options().dim); }
Tensor LogSoftmax::run(const Tensor& x) { return log_softmax(x, options().dim); }

}  // namespace onemodel::nn

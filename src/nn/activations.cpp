#include "nn/activations.h"

#include "eager/functions.h"
#include "eager/functions_activation.h"

namespace onemodel::nn {

Tensor Sigmoid::run(const Tensor& x) { return sigmoid(x); }
Tensor LogSigmoid::run(const Tensor& x) { return logsigmoid(x); }
Tensor Hardsigmoid::run(const Tensor& x) { return hard_sigmoid(x); }
Tensor Tanh::run(const Tensor& x) { return tanh(x); }

Hardtanh::Hardtanh(const HardtanhOptions& options) : Layer(options) {
  check(options.min_val < options.max_val, kName, ": min_val must be less than max_val, got ", options.min_val, " and ",
        options.max_val);
}

Tensor Hardtanh::run(const Tensor& x) { return hardtanh(x, options().min_val, options().max_val); }
Tensor Softsign::run(const Tensor& x) { return softsign(x); }
Tensor Softmax::run(const Tensor& x) { return softmax(x, options().dim); }
Tensor LogSoftmax::run(const Tensor& x) { return log_softmax(x, options().dim); }
Tensor GLU::run(const Tensor& x) { return glu(x, options().dim); }

}  // namespace onemodel::nn

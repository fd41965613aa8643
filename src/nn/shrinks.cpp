#include "nn/shrinks.h"

#include "eager/apply.h"
#include "ops/shrink.h"

namespace onemodel::nn {

Tensor Threshold::run(const Tensor& x) {
  const auto [threshold, value] = options();
  return where(greater(x, Tensor::full({}, threshold, x.dtype())), x, Tensor::full({}, value, x.dtype()));
}

Tensor Hardshrink::run(const Tensor& x) { return apply(Shrink{.lambd = static_cast<float>(options().lambd)}, {x}); }

Softshrink::Softshrink(const ShrinkOptions& options) : Layer(options) {
  check_not_negative(kName, "lambd", options.lambd);
}

Tensor Softshrink::run(const Tensor& x) {
  const auto lambd = static_cast<float>(options().lambd);
  return apply(Shrink{.bias = lambd, .lambd = lambd}, {x});
}

Tensor Softmin::run(const Tensor& x) { return softmax(-x, options().dim); }

}  // namespace onemodel::nn

#include "nn/norm.h"

#include "nn/random.h"

namespace onemodel::nn {

Dropout::Dropout(const DropoutOptions& options) : Layer(options) {
  check(options.p >= 0 && options.p <= 1, kName, ": p must be in [0, 1], got ", options.p);
}

Tensor Dropout::run(const Tensor& x) { return dropout(x, options().p, training(), default_generator()); }

}  // namespace onemodel::nn

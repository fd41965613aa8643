#include "nn/random.h"

#include <cmath>

namespace onemodel::nn {

Generator& default_generator() {
  static Generator generator(0);
  return generator;
}

void manual_seed(uint64_t seed) { default_generator() = Generator(seed); }

Tensor fan_in_uniform(const Dims& dims, int64_t fan_in) {
  Tensor out = Tensor::empty(dims);
  const auto bound = fan_in > 0 ? static_cast<float>(1.0 / std::sqrt(static_cast<double>(fan_in))) : 0.0f;
  default_generator().fill_uniform(out.mutable_raw_as<float>(), static_cast<size_t>(out.numel()), -bound, bound);
  return out;
}

}  // namespace onemodel::nn

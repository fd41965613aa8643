#include "ops/sample.h"

namespace onemodel {

Tensor sample_values(const Dims& dims, double low, double high, DType dtype, uint64_t seed) {
  std::vector<double> values;
  for (int64_t i = 0, count = numel(dims); i < count; ++i) {
    // The golden-ratio sequence: equidistributed and without repeats.
    const double position = static_cast<double>(i + 1) * 0.6180339887498949 + static_cast<double>(seed) * 0.31830988618;
    values.push_back(low + (high - low) * (position - static_cast<double>(static_cast<int64_t>(position))));
  }
  return Tensor::from(std::span<const double>(values), dims).cast(dtype);
}

Tensor sample_ints(std::initializer_list<int64_t> values) { return Tensor::from_ints({values.begin(), values.size()}); }

}  // namespace onemodel

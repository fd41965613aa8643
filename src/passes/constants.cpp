#include "passes/constants.h"

#include <algorithm>
#include <cstring>

namespace onemodel {
namespace {

constexpr int64_t kMaxElements = 4096;

}  // namespace

std::optional<double> uniform_value(const Tensor& tensor) {
  if (tensor.numel() == 0 || tensor.numel() > kMaxElements || !is_numeric(tensor.dtype())) return {};
  const std::vector<double> values = tensor.to_vector<double>();
  const double first = values[0];
  const bool uniform = std::all_of(values.begin(), values.end(),
                                   [&](double value) { return std::memcmp(&value, &first, sizeof first) == 0; });
  return uniform ? std::optional(first) : std::nullopt;
}

bool same_constant(const Tensor& a, const Tensor& b) {
  if (a.dtype() != b.dtype() || a.dims() != b.dims()) return false;
  if (a.memory() == b.memory() && a.offset() == b.offset() && a.strides() == b.strides()) return true;
  if (a.numel() > kMaxElements) return false;
  const Tensor x = a.contiguous(), y = b.contiguous();
  return std::memcmp(x.raw(), y.raw(), x.bytes()) == 0;
}

Tensor from_doubles(std::span<const double> values, const Dims& dims, DType dtype) {
  return Tensor::from(values, dims).cast(dtype);
}

}  // namespace onemodel

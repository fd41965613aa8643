#pragma once
// Sample calls of an operator: they drive the generic tests.

#include <initializer_list>
#include <string>
#include <vector>

#include "core/tensor.h"
#include "ops/op.h"

namespace onemodel {

/// One call. With `error` empty it must run; otherwise inference must throw a message that contains `error`.
struct Sample {
  Op op;
  std::vector<Tensor> inputs;  // undefined: absent
  std::string error = {};
  size_t outputs = 1;
  /// Scaled tolerance of float32 results against float64 ones.
  double tolerance = 1e-6;
  /// Compare with finite differences; off only where the point sits on a kink.
  bool check_gradient = true;
};

/// The samples of one operator, defined in its .cpp by ONEMODEL_OPERATOR.
template <class T>
std::vector<Sample> samples_of();

/// Reproducible float32 values uniform in [low, high), all different for small tensors.
Tensor sample_values(const Dims& dims, double low = -2, double high = 2, DType dtype = DType::f32, uint64_t seed = 1);
/// A shape operand: one-dimensional int64.
Tensor sample_ints(std::initializer_list<int64_t> values);

}  // namespace onemodel

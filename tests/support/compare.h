#pragma once
// Comparing tensors in tests.

#include <gtest/gtest.h>

#include "core/tensor.h"

namespace onemodel::test {

/// The same dtype, shape and bytes.
testing::AssertionResult same_bits(const Tensor& a, const Tensor& b);
/// The same shape; NaN and infinities at the same places; elsewhere |a - b| <= tolerance * max(1, |largest of b|).
testing::AssertionResult close(const Tensor& a, const Tensor& b, double tolerance);

/// A tensor with marked bytes before and after its elements.
class Guarded {
 public:
  Guarded(const Dims& dims, DType dtype);
  const Tensor& tensor() const { return tensor_; }
  /// Whether the marks are as they were.
  bool intact() const;

 private:
  Tensor whole_, tensor_;
};

/// The same values in memory of another order: axes reversed.
Tensor with_reversed_axes(const Tensor& x);
/// The same values in memory of another order: every axis backwards, from the middle of a larger storage.
Tensor with_negative_strides(const Tensor& x);

}  // namespace onemodel::test

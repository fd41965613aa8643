#pragma once
// What all reductions make of their axes.

#include "ops/dtype_set.h"
#include "ops/grad.h"
#include "ops/infer.h"
#include "ops/sample.h"

namespace onemodel {

/// The axes to reduce, in order: those `given`, or when it is undefined or empty all of them, or with `noop` none.
Dims reduced_axes(const Tensor& given, size_t rank, bool noop);

/// Checks operands data (0), of `types`, and axes (1, optional) and sets the output.
void infer_reduction(InferContext& context, bool keepdims, bool noop, const DTypeSet& types = kNumeric);

/// A gradient formula's view of one reduction.
struct Reduced {
  Var x, y, g;  // y and g with the reduced axes kept
  std::vector<int64_t> axes;
  int64_t count = 1;  // elements reduced into one
};
Reduced reduced(GradContext& context, bool noop);

/// Samples of a reduction of positive numbers.
std::vector<Sample> reduction_samples(Op (*make)(bool keepdims, bool noop), bool takes_bool = false);

}  // namespace onemodel

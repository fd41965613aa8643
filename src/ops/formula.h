#pragma once
// Operators that are a formula of others, evaluated by the portable kernels of these.

#include <functional>
#include <string_view>

#include "ops/grad.h"
#include "ops/infer.h"
#include "ops/kernel.h"

namespace onemodel {

/// Applies operators by inference and their portable kernels; nothing is recorded.
class PortableApplier final : public Applier {
 public:
  std::vector<Tensor> apply(const Op& op, std::span<const Tensor> inputs, size_t output_count) override;
};

/// Writes `formula` of the inputs, absent ones undefined, to output 0. The result has the output's shape; its dtype is
/// converted. Errors from within get `op_name` before the message.
void evaluate_formula(std::string_view op_name, EvalContext& context,
                      const std::function<Var(std::span<const Var>)>& formula);

/// `v` in the dtype that formulas compute in: float32 for the 16-bit floating types, float64 for integers.
Var widen(const Var& v);
/// A list of integers as an operand beside `v`.
Var ints_beside(const Var& v, std::span<const int64_t> values);
/// Zeros of `dims` and the dtype of `v`.
Var zeros_beside(const Var& v, const Dims& dims);

}  // namespace onemodel

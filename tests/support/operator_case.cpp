#include "support/operator_case.h"

#include "ops/op_list.h"

namespace onemodel::test {

const std::vector<OperatorCase>& operator_cases() {
#define OP(T) OperatorCase{#T, &traits_of<T>(), samples_of<T>()},
  static const std::vector<OperatorCase> cases = {
#include "ops/op_list.inc"
  };
#undef OP
  return cases;
}

std::string describe(const Sample& sample) {
  std::string out = concat(sample.op, " of ");
  for (size_t i = 0; i < sample.inputs.size(); ++i) out += concat(i ? ", " : "", sample.inputs[i]);
  return out;
}

Sample with_dtype(const Sample& sample, DType from, DType to) {
  Sample out = sample;
  for (size_t i = 0; i < out.inputs.size(); ++i) {
    Tensor& input = out.inputs[i];
    const bool decides_shapes = sample.op.traits().input(i).is_shape_data;
    if (input.defined() && input.dtype() == from && !decides_shapes) input = input.cast(to);
  }
  return out;
}

}  // namespace onemodel::test

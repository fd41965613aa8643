#include "ops/cast.h"

#include "kernels/portable/elementwise.h"
#include "ops/declare.h"
#include "ops/shape_data.h"

namespace onemodel {

void Cast::infer(InferContext& context) const {
  context.check<DTypeError>(to != DType::undefined, "attribute 'to' is missing");
  context.check<DTypeError>(dtype_size(to) != 0, "attribute 'to' is ONNX element type ", static_cast<int>(to),
                            ", which is not supported");
  context.output(to, context.shape(0));
  if (to == DType::i64 || to == DType::i32) keep_shape_data(context);
}

void Cast::evaluate(EvalContext& context) const {
  const Tensor& x = context.input(0);
  kernels::cast(x.dims(), x.dtype(), x.raw(), x.strides(), to, context.output().mutable_raw());
}

Gradients Cast::vjp(GradContext& context) const {
  const DType from = context.input(0).dtype();
  if (!is_floating(from) || !is_floating(to)) return {};
  return {cast(context.grad(), from)};
}

std::vector<Sample> Cast::samples() {
  const Tensor x = sample_values({2, 3}, -300, 300);
  std::vector<Sample> out;
  for (DType to : kAllDTypes) {
    out.push_back({Cast{.to = to}, {x}});
    out.back().check_gradient = to == DType::f64;  // differences do not survive the rounding of smaller ones
  }
  out.push_back({Cast{.to = DType::f32}, {sample_values({3}, -99, 99, DType::i64)}});
  out.push_back({Cast{.to = DType::i64}, {Tensor::scalar(2.5)}});
  out.push_back({Cast{.to = DType::u8}, {sample_values({0, 2})}});
  out.push_back({Cast{}, {x}, "attribute 'to' is missing"});
  out.push_back({Cast{.to = static_cast<DType>(8)}, {x}, "ONNX element type 8, which is not supported"});
  return out;
}

ONEMODEL_OPERATOR(Cast)

}  // namespace onemodel

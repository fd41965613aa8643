#include "ops/transpose.h"

#include "kernels/xnn/transpose.h"
#include "ops/declare.h"
#include "ops/prepared_kernel.h"
#include "ops/shape_data.h"
#include "ops/strided.h"

namespace onemodel {

Dims Transpose::axes(size_t rank) const {
  if (!perm.empty()) return perm;
  Dims out;
  for (size_t i = rank; i-- > 0;) out.push_back(static_cast<int64_t>(i));
  return out;
}

void Transpose::infer(InferContext& context) const {
  const Shape& from = context.shape(0);
  context.check(perm.empty() || perm.size() == from.rank(), "perm names ", perm.size(), " axes, the input has shape ",
                from);
  Shape out;
  for (int64_t axis : perm)
    context.check(axis >= 0, "axis ", axis, " of perm is negative, expected 0 to ", from.rank() - 1);
  axis_set(context, perm, from.rank());
  for (int64_t axis : axes(from.rank())) out.push_back(from[static_cast<size_t>(axis)]);
  context.output(context.dtype(0), std::move(out));
}

void Transpose::evaluate(EvalContext& context) const {
  const Tensor& x = context.input(0);
  Strided view;
  for (int64_t axis : axes(x.rank())) {
    view.dims.push_back(x.dims()[static_cast<size_t>(axis)]);
    view.strides.push_back(x.strides()[static_cast<size_t>(axis)]);
  }
  copy_view(x, view, context.output());
}

Tensor Transpose::view(std::span<const Tensor> inputs) const { return inputs[0].permute(axes(inputs[0].rank())); }

std::span<const FastKernel<Transpose>> Transpose::fast_kernels() {
  static constexpr FastKernel<Transpose> kernels[] = {
      {"xnn.transpose",
       [](const Transpose& op, const KernelRequest& request, std::string& refusal) -> std::unique_ptr<Kernel> {
         if (request.clamp) return refusal = "no fused bound", nullptr;
         const Dims& dims = request.dims(0);
         if (numel(dims) == 0) return refusal = "nothing to move", nullptr;
         return wrap_kernel(
             kernels::xnn::transpose(dims, op.axes(dims.size()), dtype_size(request.inputs[0].dtype), refusal), {0});
       }}};
  return kernels;
}

Gradients Transpose::vjp(GradContext& context) const {
  const Dims forward = axes(context.input(0).rank());
  Dims back = forward;
  for (size_t i = 0; i < forward.size(); ++i) back[static_cast<size_t>(forward[i])] = static_cast<int64_t>(i);
  return {permute(context.grad(), back)};
}

std::vector<Sample> Transpose::samples() {
  const Tensor x = sample_values({2, 3, 4});
  return {{Transpose{}, {x}},
          {Transpose{.perm = {0, 2, 1}}, {x}},
          {Transpose{.perm = {1, 2, 0}}, {sample_values({2, 3, 4}, 0, 99, DType::i8)}},
          {Transpose{.perm = {0, 1}}, {sample_values({5, 7}, 0, 1, DType::f64)}},
          {Transpose{}, {sample_values({})}},
          {Transpose{.perm = {1, 0}}, {sample_values({0, 3})}},
          {Transpose{.perm = {1, 0}}, {x}, "perm names 2 axes, the input has shape [2, 3, 4]"},
          {Transpose{.perm = {0, 1, 1}}, {x}, "axis 1 is named twice"},
          {Transpose{.perm = {0, 1, 3}}, {x}, "axis 3 is out of range for rank 3"},
          {Transpose{.perm = {0, 1, -1}}, {x}, "axis -1 of perm is negative"}};
}

ONEMODEL_OPERATOR(Transpose)

}  // namespace onemodel

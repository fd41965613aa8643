#include "ops/batch_normalization.h"

#include "kernels/portable/batch_norm.h"
#include "ops/conv_gradient.h"
#include "ops/declare.h"
#include "ops/dtype_set.h"
#include "ops/extent_checks.h"

namespace onemodel {

void BatchNormalization::infer(InferContext& context) const {
  context.check<ArgumentError>(!training_mode,
                               "training_mode=1 is not supported: batch statistics are made of other operators while "
                               "training, export the model for inference");
  const Shape& x = context.shape(0);
  for (size_t i = 0; i < 5; ++i) check_in(context, i, kFloating);
  context.check(x.rank() >= 2, "'X' expects [batch, channels, ...], got shape ", x);
  for (size_t i = 1; i < 5; ++i) {
    context.check(context.rank(i) == 1, "'", inputs[i].name, "' expects [channels], got shape ", context.shape(i));
    check_equal(context, context.shape(i)[0], x[1], "'", inputs[i].name, "' has ", context.shape(i)[0],
                " elements, 'X' ", x[1], " channels");
  }
  context.output(context.dtype(0), x);
}

void BatchNormalization::evaluate(EvalContext& context) const {
  // One dtype for all: X's, or what holds the vectors when theirs differ.
  DType common = context.input(0).dtype();
  for (const Tensor& input : context.inputs())
    if (input.dtype() != context.input(0).dtype())
      common = common == DType::f64 || input.dtype() == DType::f64 ? DType::f64 : DType::f32;
  std::vector<Tensor> in;
  for (const Tensor& input : context.inputs()) in.push_back(input.dtype() == common ? input : input.cast(common));
  const Dims& dims = in[0].dims();
  Tensor y = context.output();
  const Tensor result = common == y.dtype() ? y : Tensor::empty(dims, common);
  const int64_t inner = numel(Dims(std::span(dims.begin() + 2, dims.end())));
  visit_dtype(common, [&](auto tag) {
    using T = typename decltype(tag)::type;
    kernels::batch_norm<T>(
        dims[0], dims[1], inner, in[0].raw_as<T>(),
        {in[1].raw_as<T>(), in[2].raw_as<T>(), in[3].raw_as<T>(), in[4].raw_as<T>(), static_cast<double>(epsilon)},
        result.mutable_raw_as<T>());
  });
  if (common != y.dtype()) y.copy_from(result);
}

Gradients BatchNormalization::vjp(GradContext& context) const {
  const DType dtype = context.input(0).dtype();
  const auto in = [&](size_t i) {
    const Var v = context.input(i);
    return v.dtype() == dtype ? v : cast(v, dtype);
  };
  Dims channel = Dims::filled(context.input(0).rank() - 1, 1);
  channel[0] = context.input(0).dims()[1];
  const Var g = context.grad(), variance = in(4) + static_cast<double>(epsilon);
  const Var inverse = variance.constant(1) / sqrt(variance), slope = in(1) * inverse;

  Gradients out(5);
  if (context.needs(0)) out[0] = g * reshape(slope, channel);
  if (context.needs(1) || context.needs(4)) {
    const Var moment = sum_but_channels(g * (context.input(0) - reshape(in(3), channel)));
    if (context.needs(1)) out[1] = moment * inverse;
    if (context.needs(4)) out[4] = moment * slope / variance * -0.5;
  }
  if (context.needs(2) || context.needs(3)) {
    const Var total = sum_but_channels(g);
    if (context.needs(2)) out[2] = total;
    if (context.needs(3)) out[3] = -(total * slope);
  }
  for (size_t i = 1; i < 5; ++i)
    if (out[i].defined() && context.input(i).dtype() != dtype) out[i] = cast(out[i], context.input(i).dtype());
  return out;
}

std::vector<Sample> BatchNormalization::samples() {
  const auto vectors = [](const Tensor& x, DType dtype) {
    const int64_t channels = x.dims()[1];
    return std::vector{x, sample_values({channels}, 0.5, 2, dtype, 2), sample_values({channels}, -1, 1, dtype, 3),
                       sample_values({channels}, -1, 1, dtype, 4), sample_values({channels}, 0.3, 2, dtype, 5)};
  };
  const Tensor x = sample_values({2, 3, 2, 4});
  auto wrong = vectors(x, DType::f32);
  wrong[2] = sample_values({4});
  auto rank = vectors(x, DType::f32);
  rank[4] = sample_values({1, 3});
  return {{BatchNormalization{}, vectors(x, DType::f32)},
          {BatchNormalization{.epsilon = 0.1f}, vectors(sample_values({3, 5}), DType::f32)},
          {BatchNormalization{}, vectors(sample_values({2, 1, 7}, -2, 2, DType::f16), DType::f32), {}, 1, 1e-3, false},
          {BatchNormalization{}, wrong, "'B' has 4 elements, 'X' 3 channels"},
          {BatchNormalization{}, rank, "'input_var' expects [channels], got shape [1, 3]"},
          {BatchNormalization{.training_mode = true}, vectors(x, DType::f32), "training_mode=1 is not supported"}};
}

ONEMODEL_OPERATOR(BatchNormalization)

}  // namespace onemodel

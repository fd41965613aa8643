#include "ops/dropout.h"

#include <cstring>

#include "ops/declare.h"
#include "ops/dtype_set.h"

namespace onemodel {
namespace {

constexpr std::string_view kRefused =
    "training_mode=true is not supported: dropping is a product with a random mask while training, "
    "export the model "
    "for inference";

// The default without the operand.
double ratio_of(const Tensor& ratio) { return ratio.defined() ? ratio.to_vector<double>()[0] : 0.5; }

// A ratio of 0 drops nothing, in training either.
bool drops(const Tensor& ratio, const Tensor& mode) {
  return mode.defined() && *mode.raw_as<bool>() && ratio_of(ratio) != 0;
}

}  // namespace

void Dropout::infer(InferContext& context) const {
  check_in(context, 0, kFloating);
  check_in(context, 1, kFloating);
  for (size_t i : {1, 2})
    context.check(!context.has(i) || context.shape(i).numel() == Extent(1), "'", inputs[i].name,
                  "' expects one element, got shape ", context.has(i) ? context.shape(i) : Shape());
  if (context.has(2)) {
    context.check_dtype(context.dtype(2) == DType::boolean, 2, "bool");
    const bool ratio_is_known = !context.has(1) || context.value(1).defined();
    context.check<ArgumentError>(!ratio_is_known || !drops(context.value(1), context.value(2)), kRefused);
  }
  context.output(context.dtype(0), context.shape(0));
  if (context.output_count() > 1) context.output(1, DType::boolean, context.shape(0));
}

void Dropout::evaluate(EvalContext& context) const {
  if (context.has(2))
    check<ArgumentError>(!drops(context.has(1) ? context.input(1) : Tensor(), context.input(2)), info.name, ": ",
                         kRefused);
  const Tensor &x = context.input(0), &y = context.output();
  if (x.bytes()) std::memcpy(y.mutable_raw(), x.raw(), x.bytes());
  if (context.has_output(1)) std::memset(context.output(1).mutable_raw(), 1, context.output(1).bytes());
}

Gradients Dropout::vjp(GradContext& context) const { return {context.grad()}; }

std::vector<Sample> Dropout::samples() {
  const Tensor x = sample_values({2, 3}), half = Tensor::scalar(0.5f);
  return {{Dropout{}, {x}},
          {Dropout{.seed = 7}, {sample_values({5}, -1, 1, DType::f64), half}},
          {Dropout{}, {x, half, Tensor::scalar(false)}, {}, 2},
          {Dropout{}, {x, half, Tensor::scalar(true)}, "training_mode=true is not supported"},
          {Dropout{}, {sample_values({3}, 0, 9, DType::i32)}, "input 'data' expects a floating-point type, got int32"}};
}

ONEMODEL_OPERATOR(Dropout)

}  // namespace onemodel

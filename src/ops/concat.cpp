#include "ops/concat.h"

#include "kernels/portable/copy.h"
#include "ops/declare.h"
#include "ops/extent_checks.h"
#include "ops/shape_data.h"
#include "ops/slice.h"

namespace onemodel {
namespace {

void join_shape_data(InferContext& context) {
  ShapeData joined;
  for (size_t i = 0; i < context.input_count(); ++i) {
    const auto data = small_shape_data(context, i);
    if (!data) return;
    joined.insert(joined.end(), data->begin(), data->end());
  }
  context.output_shape_data(0, std::move(joined));
}

}  // namespace

void Concat::infer(InferContext& context) const {
  Shape out = context.shape(0);
  const size_t at = context.axis(axis, out.rank());
  for (size_t i = 1; i < context.input_count(); ++i) {
    const Shape& shape = context.shape(i);
    context.check<DTypeError>(context.dtype(i) == context.dtype(0), "input ", i, " is ", context.dtype(i),
                              ", expected ", context.dtype(0), " as the first");
    context.check(shape.rank() == out.rank(), "input ", i, " has shape ", shape, ", expected rank ", out.rank(),
                  " as the first, ", context.shape(0));
    for (size_t d = 0; d < out.rank(); ++d) {
      if (d == at) {
        out[d] = out[d] + shape[d];
        continue;
      }
      check_equal(context, out[d], shape[d], "axis ", d, " has ", out[d], " in shape ", context.shape(0), " and ",
                  shape[d], " in shape ", shape, " of input ", i, ", expected the same");
      if (shape[d].is_number()) out[d] = shape[d];
    }
  }
  const bool is_list = out.rank() == 1;
  context.output(context.dtype(0), std::move(out));
  if (is_list) join_shape_data(context);
}

void Concat::evaluate(EvalContext& context) const {
  const Tensor& y = context.output();
  const size_t at = normalize_axis(info.name, axis, y.rank());
  const size_t item = dtype_size(y.dtype());
  std::byte* out = y.mutable_raw();
  for (const Tensor& x : context.inputs()) {
    kernels::copy(item, x.dims(), x.raw(), x.strides(), out, y.strides());
    out += static_cast<int64_t>(item) * x.dims()[at] * y.strides()[at];
  }
}

Gradients Concat::vjp(GradContext& context) const {
  const auto at = static_cast<int64_t>(normalize_axis(info.name, axis, context.output().rank()));
  Gradients out;
  int64_t start = 0;
  for (size_t i = 0; i < context.input_count(); ++i) {
    const int64_t end = start + context.input(i).dims()[static_cast<size_t>(at)];
    out.push_back(context.needs(i) ? slice(context.grad(), at, start, end) : Var());
    start = end;
  }
  return out;
}

std::vector<Sample> Concat::samples() {
  const Tensor x = sample_values({2, 3}), y = sample_values({2, 1}, 0, 1, DType::f32, 2);
  return {{Concat{.axis = 1}, {x, y, x}},
          {Concat{.axis = -2}, {x, sample_values({1, 3}), sample_values({0, 3})}},
          {Concat{}, {sample_values({3}, -9, 9, DType::i64), sample_values({1}, -9, 9, DType::i64)}},
          {Concat{}, {x}},
          {Concat{}, {sample_values({2}, 0, 2, DType::boolean), sample_values({3}, 0, 2, DType::boolean)}},
          {Concat{}, {x, y}, "axis 1 has 3 in shape [2, 3] and 1 in shape [2, 1] of input 1, expected the same"},
          {Concat{}, {x, sample_values({2})}, "input 1 has shape [2], expected rank 2"},
          {Concat{}, {x, x.cast(DType::f64)}, "input 1 is float64, expected float32"},
          {Concat{.axis = 2}, {x, x}, "axis 2 is out of range for rank 2"},
          {Concat{}, {sample_values({})}, "a scalar has no axes"}};
}

ONEMODEL_OPERATOR(Concat)

}  // namespace onemodel

#include "ops/expand.h"

#include "ops/declare.h"
#include "ops/shape_data.h"
#include "ops/shape_matching.h"
#include "ops/strided.h"
#include "ops/traced_sizes.h"

namespace onemodel {
namespace {

// Of a target that is not known only the rank is, and the extents that nothing can stretch.
Shape unknown_target(InferContext& context) {
  const Shape& from = context.shape(0);
  Shape out = unknown_shape(context, std::max(from.rank(), count_ints(context, 1)));
  const size_t lead = out.rank() - from.rank();
  for (size_t i = 0; i < from.rank(); ++i)
    if (from[i].is_number() && !(from[i] == 1)) out[lead + i] = from[i];
  return out;
}

}  // namespace

void Expand::infer(InferContext& context) const {
  check_ints(context, 1);
  const auto data = context.shape_data(1);
  if (!data) return context.output(context.dtype(0), unknown_target(context));
  count_ints(context, 1);
  const Shape target(*data);
  for (size_t i = 0; i < target.rank(); ++i)
    context.check<ArgumentError>(!target[i].is_number() || target[i].number() >= 0, "the target has extent ", target[i],
                                 " at axis ", i, ", expected 0 or more");
  if (context.tracing()) {
    if (context.shape(0).is_concrete() && target.is_concrete()) context.broadcast(context.shape(0), target);
    // Beside sizes that the caller took from tensors, numbers are just numbers.
    const auto known = target.is_concrete() ? std::span<const Extent>(traced_sizes()) : std::span<const Extent>();
    ShapeMatch match = match_expand(context.shape(0), target, known);
    if (!match.shape) context.symbolic_error(match.problem);
    for (std::string& warning : match.warnings) context.warn(std::move(warning));
    return context.output(context.dtype(0), std::move(*match.shape));
  }
  context.output(context.dtype(0), context.broadcast(context.shape(0), target));
}

void Expand::evaluate(EvalContext& context) const {
  const Tensor& x = context.input(0);
  const Dims& to = context.output().dims();
  copy_view(x, {to, broadcast_strides(x.dims(), x.strides(), to)}, context.output());
}

Tensor Expand::view(std::span<const Tensor> inputs) const {
  Dims to;
  broadcast(inputs[0].dims(), read_ints(inputs[1]), to);
  return inputs[0].expand(to);
}

Gradients Expand::vjp(GradContext& context) const { return {reduce_to(context.grad(), context.input(0).dims())}; }

std::vector<Sample> Expand::samples() {
  const Tensor x = sample_values({3, 1});
  return {{Expand{}, {x, sample_ints({2, 3, 4})}},
          {Expand{}, {x, sample_ints({1, 2})}},
          {Expand{}, {sample_values({2, 3}), sample_ints({1})}},
          {Expand{}, {sample_values({}), sample_ints({2, 2})}},
          {Expand{}, {sample_values({1, 2}), sample_ints({0, 2})}},
          {Expand{}, {x, sample_ints({2, 4})}, "do not broadcast: axis 0 has 3 and 2"},
          {Expand{}, {x, sample_ints({-1, 4})}, "has extent -1 at axis 0"}};
}

ONEMODEL_OPERATOR(Expand)

}  // namespace onemodel

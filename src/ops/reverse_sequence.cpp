#include "ops/reverse_sequence.h"

#include "kernels/portable/take.h"
#include "ops/declare.h"
#include "ops/extent_checks.h"

namespace onemodel {

void ReverseSequence::infer(InferContext& context) const {
  const Shape& from = context.shape(0);
  context.check(from.rank() >= 2, "'input' has shape ", from, ", expected rank 2 or more");
  const bool fits = (time_axis == 0 && batch_axis == 1) || (time_axis == 1 && batch_axis == 0);
  context.check<ArgumentError>(fits, "attributes 'time_axis' and 'batch_axis' are ", time_axis, " and ", batch_axis,
                               ", expected 0 and 1 or 1 and 0");
  context.check_dtype(context.dtype(1) == DType::i64, 1, "int64");
  const Extent& batch = from[static_cast<size_t>(batch_axis)];
  context.check(context.rank(1) == 1, "'sequence_lens' have shape ", context.shape(1), ", expected [", batch, "]");
  check_equal(context, context.shape(1)[0], batch, "'sequence_lens' have shape ", context.shape(1), ", expected [",
              batch, "]");
  context.output(context.dtype(0), from);
}

void ReverseSequence::evaluate(EvalContext& context) const {
  const Tensor &x = context.input(0), &lengths = context.input(1);
  const auto time = static_cast<size_t>(time_axis), batch = static_cast<size_t>(batch_axis);
  const Dims strides = contiguous_strides(x.dims());
  const auto* numbers = lengths.raw_as<int64_t>();
  for (int64_t b = 0; b < lengths.numel(); ++b)
    check<ShapeError>(numbers[b] >= 0 && numbers[b] <= x.dims()[time], info.name, ": length ", numbers[b],
                      " of sequence ", b, " is outside 0 to ", x.dims()[time]);
  const kernels::SequenceShape shape{.time = x.dims()[time],
                                     .batch = x.dims()[batch],
                                     .inner = strides[1],
                                     .time_stride = strides[time],
                                     .batch_stride = strides[batch]};
  kernels::reverse_sequence(dtype_size(x.dtype()), shape, numbers, x.raw(), context.output().mutable_raw());
}

Gradients ReverseSequence::vjp(GradContext& context) const {
  return {apply(*this, {context.grad(), context.input(1)})};
}

std::vector<Sample> ReverseSequence::samples() {
  const Tensor x = sample_values({4, 3, 2}), lengths = sample_ints({4, 1, 3});
  return {{ReverseSequence{}, {x, lengths}},
          {ReverseSequence{.time_axis = 1, .batch_axis = 0}, {x, sample_ints({0, 1, 2, 3})}},
          {ReverseSequence{}, {sample_values({3, 2}, -9, 9, DType::i64), sample_ints({2, 3})}},
          {ReverseSequence{.time_axis = 1}, {x, lengths}, "are 1 and 1, expected 0 and 1 or 1 and 0"},
          {ReverseSequence{}, {x, sample_ints({1, 2})}, "'sequence_lens' have shape [2], expected [3]"},
          {ReverseSequence{}, {sample_values({4}), lengths}, "'input' has shape [4], expected rank 2 or more"},
          {ReverseSequence{}, {x, sample_values({3})}, "input 'sequence_lens' expects int64, got float32"}};
}

ONEMODEL_OPERATOR(ReverseSequence)

}  // namespace onemodel

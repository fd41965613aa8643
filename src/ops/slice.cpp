#include "ops/slice.h"

#include <limits>

#include "ops/declare.h"
#include "ops/shape_data.h"
#include "ops/strided.h"

namespace onemodel {
namespace {

// Exporters write the largest int32 or int64 for "to the end".
constexpr int64_t kEnd = std::numeric_limits<int32_t>::max();

struct Bounds {
  std::optional<Extent> start, end;  // nothing: not known
  std::optional<int64_t> step;
};

// Whether the range is all of an axis of symbolic `extent`, in either direction.
bool is_whole(const InferContext& context, const Extent& extent, const Bounds& range) {
  const Extent &start = *range.start, &end = *range.end;
  const bool numbers = start.is_number() && end.is_number();
  if (*range.step == 1) {
    if (!start.is_number() || (start.number() != 0 && start.number() > -kEnd)) return false;
    if (end == extent || (end.is_number() && end.number() >= kEnd)) return true;
  } else if (*range.step == -1 && numbers && end.number() <= -kEnd) {
    if (start.number() == -1 || start.number() >= kEnd) return true;
  } else {
    return false;
  }
  const auto example = extent.example();  // in a trace, numbers are indices into the example
  if (!context.tracing() || !numbers || !example) return false;
  const SliceRange cut = clamp_slice(*example, start.number(), end.number(), *range.step);
  return cut.count == *example;
}

Extent sliced(InferContext& context, size_t axis, const Bounds& range) {
  const Extent& extent = context.shape(0)[axis];
  if (range.start && range.end && range.step) {
    const Extent &start = *range.start, &end = *range.end;
    if (extent.is_number() && start.is_number() && end.is_number())
      return clamp_slice(extent.number(), start.number(), end.number(), *range.step).count;
    if (is_whole(context, extent, range)) return extent;
    const bool up_to_symbol =
        extent.is_number() && start.is_number() && start.number() >= 0 && !end.is_number() && *range.step == 1;
    if (context.tracing() && up_to_symbol && end.example() <= extent.number()) return end - start;
  }
  if (context.tracing())
    context.symbolic_error(concat("takes a part of axis ", axis, " of shape ", context.shape(0),
                                  " with symbolic bounds; only all of a symbolic axis can be traced: select takes one "
                                  "element of it, gather several"));
  return context.unknown(concat("axis", axis));
}

std::vector<int64_t> first_axes(size_t count) {
  std::vector<int64_t> axes;
  for (size_t i = 0; i < count; ++i) axes.push_back(static_cast<int64_t>(i));
  return axes;
}

// Cuts known contents with known bounds.
void follow_slice(InferContext& context, size_t count) {
  const auto data = small_shape_data(context, 0);
  if (!data) return;
  if (count == 0) return context.output_shape_data(0, *data);
  const auto starts = context.ints(1), ends = context.ints(2);
  const auto steps = context.has(4) ? context.ints(4) : std::vector<int64_t>{1};
  if (!starts || !ends || !steps) return;
  const auto size = static_cast<int64_t>(data->size());
  const SliceRange range = clamp_slice(size, starts->front(), ends->front(), steps->front());
  ShapeData kept;
  for (int64_t i = 0; i < range.count; ++i) kept.push_back((*data)[static_cast<size_t>(range.start + i * range.step)]);
  context.output_shape_data(0, std::move(kept));
}

// Start, step and extent of the result along every axis of x.
struct Cut {
  Dims starts, steps, dims;
};

Cut cut_of(const Dims& x, std::span<const Tensor> inputs) {
  const auto has = [&](size_t i) { return i < inputs.size() && inputs[i].defined(); };
  Cut cut{Dims::filled(x.size(), 0), Dims::filled(x.size(), 1), x};
  const Dims starts = read_ints(inputs[1]), ends = read_ints(inputs[2]);
  const Dims axes = has(3) ? read_ints(inputs[3]) : Dims();
  const Dims steps = has(4) ? read_ints(inputs[4]) : Dims::filled(starts.size(), 1);
  for (size_t i = 0; i < starts.size(); ++i) {
    const size_t axis = has(3) ? normalize_axis(Slice::info.name, axes[i], x.size()) : i;
    const SliceRange range = clamp_slice(x[axis], starts[i], ends[i], steps[i]);
    cut.starts[axis] = range.count ? range.start : 0;
    cut.steps[axis] = range.count > 1 ? range.step : 1;
    cut.dims[axis] = range.count;
  }
  return cut;
}

Strided view_of(const Tensor& x, const Cut& cut) {
  Strided out{cut.dims, x.strides()};
  for (size_t i = 0; i < x.rank(); ++i) {
    out.strides[i] *= cut.steps[i];
    out.offset += cut.starts[i] * x.strides()[i];
  }
  return out;
}

}  // namespace

void Slice::infer(InferContext& context) const {
  for (size_t i = 1; i < context.input_count(); ++i)
    if (context.has(i)) check_ints(context, i, true);
  const Shape& from = context.shape(0);
  for (size_t i = 1; i < context.input_count(); ++i)
    if (context.has(i) && !knows_count(context, i))
      return context.output(context.dtype(0), unknown_shape(context, from.rank()));
  const size_t count = count_ints(context, 1);
  for (size_t i = 2; i < context.input_count(); ++i)
    context.check<ArgumentError>(!context.has(i) || count_ints(context, i) == count, "starts has ", count,
                                 " elements, ", inputs[i].name, " has ", context.has(i) ? count_ints(context, i) : 0);
  const auto axes = context.has(3) ? context.ints(3) : first_axes(count);
  if (!axes) return context.output(context.dtype(0), unknown_shape(context, from.rank()));
  axis_set(context, *axes, from.rank());
  const auto starts = context.shape_data(1), ends = context.shape_data(2);
  const auto steps = context.has(4) ? context.ints(4) : std::vector<int64_t>(count, 1);
  Shape out = from;
  for (size_t i = 0; i < count; ++i) {
    const size_t axis = context.axis((*axes)[i], from.rank());
    Bounds range;
    if (starts) range.start = (*starts)[i];
    if (ends) range.end = (*ends)[i];
    if (steps) range.step = (*steps)[i];
    context.check<ArgumentError>(range.step != 0, "the step along axis ", axis, " is 0");
    out[axis] = sliced(context, axis, range);
  }
  context.output(context.dtype(0), std::move(out));

  if (from.rank() == 1 && count <= 1) follow_slice(context, count);
}

void Slice::evaluate(EvalContext& context) const {
  const Tensor& x = context.input(0);
  copy_view(x, view_of(x, cut_of(x.dims(), context.inputs())), context.output());
}

Tensor Slice::view(std::span<const Tensor> inputs) const {
  return make_view(inputs[0], view_of(inputs[0], cut_of(inputs[0].dims(), inputs)));
}

Gradients Slice::vjp(GradContext& context) const {
  std::vector<Tensor> operands;
  for (size_t i = 0; i < context.input_count(); ++i)
    operands.push_back(context.has(i) ? context.input(i).tensor() : Tensor());
  const Dims& from = operands[0].dims();
  const Cut cut = cut_of(from, operands);
  return {apply(SliceGradient{from.vector(), cut.starts.vector(), cut.steps.vector()}, {context.grad()})};
}

std::vector<Sample> Slice::samples() {
  const Tensor x = sample_values({5, 4});
  constexpr int64_t kLast = std::numeric_limits<int64_t>::max();
  return {{Slice{}, {x, sample_ints({1}), sample_ints({4})}},
          {Slice{}, {x, sample_ints({0, -3}), sample_ints({kLast, -1}), sample_ints({0, 1}), sample_ints({2, 1})}},
          {Slice{}, {x, sample_ints({-1}), sample_ints({-kLast}), sample_ints({-1}), sample_ints({-1})}},
          {Slice{}, {x, sample_ints({7, 2}), sample_ints({9, 2}), sample_ints({1, 0})}},
          {Slice{},
           {x, sample_ints({4}).cast(DType::i32), sample_ints({0}).cast(DType::i32), Tensor(),
            sample_ints({-3}).cast(DType::i32)}},
          {Slice{}, {sample_values({}), sample_ints({}), sample_ints({})}},
          {Slice{}, {x, sample_ints({0}), sample_ints({1}), sample_ints({2})}, "axis 2 is out of range for rank 2"},
          {Slice{}, {x, sample_ints({0, 0}), sample_ints({1})}, "starts has 2 elements, ends has 1"},
          {Slice{}, {x, sample_ints({0, 0}), sample_ints({1, 1}), sample_ints({0, -2})}, "axis -2 is named twice"},
          {Slice{}, {x, sample_ints({0}), sample_ints({1}), Tensor(), sample_ints({0})}, "the step along axis 0 is 0"},
          {Slice{}, {x, sample_values({1}), sample_ints({1})}, "expects int64 or int32, got float32"}};
}

ONEMODEL_OPERATOR(Slice)

}  // namespace onemodel

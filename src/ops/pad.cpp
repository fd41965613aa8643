#include "ops/pad.h"

#include <array>

#include "kernels/portable/copy.h"
#include "kernels/portable/take.h"
#include "ops/declare.h"
#include "ops/formula.h"
#include "ops/gather.h"
#include "ops/one_integer.h"
#include "ops/shape_data.h"

namespace onemodel {
namespace {

constexpr std::array<std::string_view, 4> kModes = {"constant", "reflect", "edge", "wrap"};

// The pads of every axis of a tensor.
struct Pads {
  Dims begin, end;
};

Pads pads_of(size_t rank, const Tensor& pads, const Tensor& axes) {
  Pads out{Dims::filled(rank, 0), Dims::filled(rank, 0)};
  // Twice as many as a Dims holds.
  const Tensor list = pads.contiguous();
  const auto* numbers = list.raw_as<int64_t>();
  const auto count = static_cast<size_t>(list.numel() / 2);
  const Dims named = axes.defined() ? read_ints(axes) : Dims();
  for (size_t i = 0; i < count; ++i) {
    const size_t axis = axes.defined() ? normalize_axis(Pad::info.name, named[i], rank) : i;
    out.begin[axis] = numbers[i];
    out.end[axis] = numbers[count + i];
  }
  return out;
}

// Which element of an axis of `extent` each element of the padded axis is, for every mode but constant.
std::vector<int64_t> sources(std::string_view mode, int64_t extent, int64_t begin, int64_t end) {
  const int64_t first = std::max<int64_t>(0, -begin), kept = extent - first - std::max<int64_t>(0, -end);
  std::vector<int64_t> out;
  for (int64_t i = -std::max<int64_t>(0, begin); i < kept + std::max<int64_t>(0, end); ++i) {
    int64_t at = i;
    if (mode == "edge") {
      at = std::clamp<int64_t>(i, 0, kept - 1);
    } else {
      const int64_t period = mode == "wrap" ? kept : std::max<int64_t>(1, 2 * (kept - 1));
      at = (i % period + period) % period;
      if (at >= kept) at = period - at;
    }
    out.push_back(first + at);
  }
  return out;
}

// The extent of an axis after padding.
Extent padded(const InferContext& context, const std::string& mode, size_t axis, const Extent& begin,
              const Extent& end) {
  const Extent& extent = context.shape(0)[axis];
  Extent out = extent + begin + end;
  if (!extent.is_number() || !begin.is_number() || !end.is_number()) return out;
  const int64_t removed = std::max<int64_t>(0, -begin.number()) + std::max<int64_t>(0, -end.number());
  context.check(removed <= extent.number() && out.number() >= 0, "pads ", begin, " and ", end, " remove more than the ",
                extent, " elements of axis ", axis);
  const bool adds = begin.number() > 0 || end.number() > 0;
  context.check(mode == "constant" || !adds || removed < extent.number(), "axis ", axis, " of shape ", context.shape(0),
                " has nothing to pad with in mode '", mode, "'");
  const int64_t most = extent.number() - removed - (mode == "reflect" ? 1 : 0);
  context.check((mode != "reflect" && mode != "wrap") || std::max(begin.number(), end.number()) <= most, "pads ", begin,
                " and ", end, " of axis ", axis, " of shape ", context.shape(0), " are more than the ", most,
                " elements that mode '", mode, "' has");
  return out;
}

std::vector<int64_t> all_axes(size_t rank) {
  std::vector<int64_t> axes;
  for (size_t i = 0; i < rank; ++i) axes.push_back(static_cast<int64_t>(i));
  return axes;
}

}  // namespace

void Pad::infer(InferContext& context) const {
  context.check<ArgumentError>(std::find(kModes.begin(), kModes.end(), mode) != kModes.end(), "attribute 'mode' is '",
                               mode, "', expected constant, reflect, edge (pad's replicate) or wrap (circular)");
  check_ints(context, 1);
  if (context.has(2)) {
    context.check_same_dtype(0, 2);
    check_one(context, 2);
  }
  if (context.has(3)) check_ints(context, 3, true);
  const Shape& from = context.shape(0);
  const auto axes = context.has(3) ? context.ints(3) : all_axes(from.rank());
  const auto pads = context.shape_data(1);
  if (!axes && !knows_count(context, 3)) return context.output(context.dtype(0), unknown_shape(context, from.rank()));
  const size_t count = axes ? axes->size() : count_ints(context, 3);
  const Extent &given = context.shape(1)[0], wanted = static_cast<int64_t>(2 * count);
  context.check<ArgumentError>(!given.is_number() || given == wanted, "'pads' have ", given, " elements, expected ",
                               wanted, ", two for each of ", count, " axes");
  if (axes) axis_set(context, *axes, from.rank());
  if (!axes || !pads) {
    if (context.tracing()) context.symbolic_error("the pads depend on values");
    return context.output(context.dtype(0), unknown_shape(context, from.rank()));
  }
  Shape out = from;
  for (size_t i = 0; i < count; ++i) {
    const size_t axis = context.axis((*axes)[i], from.rank());
    out[axis] = padded(context, mode, axis, (*pads)[i], (*pads)[count + i]);
  }
  context.output(context.dtype(0), std::move(out));
}

void Pad::evaluate(EvalContext& context) const {
  const Tensor &x = context.input(0), &y = context.output();
  const Pads pads = pads_of(x.rank(), context.input(1), context.has(3) ? context.input(3) : Tensor());
  const size_t item = dtype_size(x.dtype());
  if (mode == "constant") {
    const Tensor value = context.has(2) ? context.input(2) : Tensor::zeros({}, x.dtype());
    kernels::pad(item, x.dims(), x.raw(), x.strides(), pads.begin, y.dims(), value.raw(), y.mutable_raw());
    return;
  }
  std::vector<std::vector<int64_t>> offsets;
  for (size_t i = 0; i < x.rank(); ++i) {
    offsets.push_back(sources(mode, x.dims()[i], pads.begin[i], pads.end[i]));
    for (int64_t& offset : offsets.back()) offset *= x.strides()[i];
  }
  kernels::take(item, offsets, x.raw(), y.mutable_raw());
}

Gradients Pad::vjp(GradContext& context) const {
  const Var x = context.input(0), g = context.grad();
  const Pads pads = pads_of(x.rank(), context.input(1).tensor(), context.has(3) ? context.input(3).tensor() : Tensor());
  Gradients out(3);
  if (mode != "constant") {
    out[0] = g;
    for (size_t i = 0; i < x.rank(); ++i) {
      if (pads.begin[i] == 0 && pads.end[i] == 0) continue;
      Dims dims = out[0].dims();
      dims[i] = x.dims()[i];
      const auto from = sources(mode, dims[i], pads.begin[i], pads.end[i]);
      out[0] = apply(GatherGradient{static_cast<int64_t>(i), dims.vector()}, {out[0], ints_beside(x, from)});
    }
    return out;
  }
  std::vector<int64_t> forth, back;
  for (const Dims& side : {pads.begin, pads.end})
    for (int64_t pad : side) {
      forth.push_back(pad);
      back.push_back(-pad);
    }
  if (context.needs(0)) out[0] = apply(Pad{}, {g, ints_beside(x, back)});
  if (context.needs(2)) {
    const Var added = apply(Pad{}, {zeros_beside(x, x.dims()), ints_beside(x, forth), x.constant(1)});
    out[2] = reshape(reduce_sum(g * added, all_axes(x.rank()), false), context.input(2).dims());
  }
  return out;
}

std::vector<Sample> Pad::samples() {
  const Tensor x = sample_values({3, 4}), value = Tensor::scalar(0.5f);
  const Tensor pads = sample_ints({1, 0, 2, 3}), crops = sample_ints({-1, 2, 1, -2});
  std::vector<Sample> out = {
      {Pad{}, {x, pads, value}},
      {Pad{}, {x, crops, value.reshape({1})}},
      {Pad{}, {x, sample_ints({2, -1}), Tensor(), sample_ints({-1})}},
      {Pad{}, {x, sample_ints({-2, 0, -1, 0})}},
      {Pad{}, {sample_values({3}, -9, 9, DType::i64), sample_ints({1, 1}), Tensor::scalar(int64_t{7})}},
      {Pad{}, {sample_values({}), sample_ints({})}},
      {Pad{}, {x, sample_ints({1}), value}, "'pads' have 1 elements, expected 4, two for each of 2 axes"},
      {Pad{}, {x, sample_ints({-2, 0, -2, 0})}, "pads -2 and -2 remove more than the 3 elements of axis 0"},
      {Pad{.mode = "mirror"}, {x, pads}, "attribute 'mode' is 'mirror', expected constant, reflect, edge (pad's"},
      {Pad{.mode = "edge"}, {sample_values({0, 4}), pads}, "has nothing to pad with in mode 'edge'"},
      {Pad{}, {x, pads, Tensor::scalar(1.0)}, "'data' and 'constant_value' must have one dtype"},
      {Pad{}, {x, pads, x}, "input 2 expects one element, got shape [3, 4]"},
      {Pad{}, {x, pads, Tensor(), sample_ints({0, -2})}, "axis -2 is named twice"},
      {Pad{}, {x, sample_values({4})}, "input 'pads' expects int64, got float32"}};
  for (const char* mode : {"reflect", "edge", "wrap"})
    for (const Tensor& list : {pads, sample_ints({-1, 1, 1, -2})}) out.push_back({Pad{mode}, {x, list}});
  out.push_back({Pad{.mode = "edge"}, {x, sample_ints({7, 5, 0, 9})}});
  out.push_back({Pad{.mode = "reflect"}, {x, sample_ints({0, 4, 0, 0})}, "are more than the 3 elements that mode"});
  out.push_back({Pad{.mode = "wrap"}, {x, sample_ints({0, 0, 4, 0})}, "are more than the 3 elements that mode"});
  out.push_back({Pad{.mode = "wrap"}, {x, sample_ints({3, 0, 3, 4})}});
  return out;
}

ONEMODEL_OPERATOR(Pad)

}  // namespace onemodel

#include "eager/in_place.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <vector>

#include "core/expanded_axis.h"
#include "core/write_watch.h"
#include "eager/apply.h"
#include "eager/functional_trace.h"
#include "eager/functions.h"
#include "eager/record.h"
#include "eager/scalar.h"
#include "ops/expand.h"
#include "ops/scatter.h"
#include "ops/shape.h"

namespace onemodel {
namespace {

void check_history(std::string_view how, const Tensor& target) {
  const TensorState* state = state_of(target);
  if (!state || !grad_enabled()) return;
  check<GradientError>(!state->requires_grad, how, ": ", target,
                       " is a leaf that requires a gradient; change it in no-grad mode only");
  check<GradientError>(!state->record, how, ": ", target, " was made by recorded operators; change a detached one");
}

// The target without what watches it. Only where nothing is traced.
Tensor memory_of(std::string_view how, const Tensor& target) {
  check(target.defined(), how, ": the target is undefined");
  check_history(how, target);
  before_write(target, how);
  return target.detach();
}

// The same, for writing one element after another.
Tensor places_of(std::string_view how, const Tensor& target) {
  Tensor memory = memory_of(how, target);
  check_distinct(memory, how);
  return memory;
}

// Each place of memory once.
Tensor once(Tensor memory) {
  while (const auto axis = expanded_axis(memory)) memory = memory.slice(static_cast<int64_t>(*axis), 0, 1);
  return memory;
}

// Whether a trace sees the update of the first of the tensors, which it may refuse: before any operator refuses a part of it.
bool traces(std::string_view how, std::initializer_list<Tensor> tensors) {
  if (!functional_trace() && std::ranges::none_of(tensors, is_traced)) return false;
  check_update(*tensors.begin(), how);
  return true;
}

// `source` in the type of `place`, a copy of its own.
Tensor fitted(const Tensor& source, const Tensor& place) {
  const TensorType from = type_of(source), to = type_of(place);
  Tensor out = from.dtype == to.dtype ? source : cast(source, to.dtype);
  if (from.shape != to.shape) {
    std::vector<ShapeEntry> sizes;
    for (size_t axis = 0; axis < place.rank(); ++axis) sizes.emplace_back(dim(place, static_cast<int64_t>(axis)));
    out = expand(out, Sizes(std::move(sizes)));
  }
  const bool is_fresh = out.memory() != source.memory() && out.memory() != place.memory() && out.is_contiguous();
  return is_fresh ? out : out.clone();
}

Tensor update(std::string_view how, const Tensor& target, const Tensor& value) {
  const Tensor fits = is_traced(target) ? fitted(traced_like(value, target), target) : value;
  update_value(target, fits, how);
  return target;
}

void write(const Tensor& memory, const Tensor& source) {
  const Tensor values = source.detach();
  memory.dims() == values.dims() ? Tensor(memory).copy_from(values)
                                 : Tensor(memory).copy_from(values.expand(memory.dims()));
}

Tensor combine(std::string_view how, const Tensor& target, const Tensor& other,
               Tensor (*op)(const Tensor&, const Tensor&)) {
  if (traces(how, {target, other})) return update(how, target, op(target, other));
  const Tensor memory = places_of(how, target);
  write(memory, op(memory, other.detach()));
  return target;
}

Tensor number(double value, const Tensor& like) { return Tensor::full({}, value, like.dtype()); }

// [n] as it broadcasts along `axis`.
Tensor along(const Tensor& index, size_t axis, size_t rank) {
  Dims dims = Dims::filled(rank, 1);
  dims[axis] = -1;
  return reshape(index, dims);
}

void check_index_copy(const Tensor& target, size_t axis, const Tensor& index, const Tensor& source) {
  check<DTypeError>(index.dtype() == DType::i64 || index.dtype() == DType::i32,
                    "index_copy_: the index must be int32 or int64, got ", index.dtype());
  Dims expected = target.dims();
  if (index.rank() == 1 && axis < expected.size()) expected[axis] = index.dims()[0];
  check<ShapeError>(index.rank() == 1 && source.dims() == expected, "index_copy_: along axis ", axis, " of ",
                    target.dims(), " the index must be [n] and the source that shape with n there, got ", index.dims(),
                    " and ", source.dims());
}

}  // namespace

Tensor traced_like(const Tensor& value, const Tensor& target) {
  if (is_traced(value) || !is_traced(target)) return value;
  return apply(Expand{}, {value, apply(ShapeOf{}, {target})}).clone();
}

Tensor copy_(const Tensor& target, const Tensor& source, std::string_view how) {
  if (traces(how, {target, source})) return update(how, target, source);
  write(source.numel() == 1 ? once(memory_of(how, target)) : places_of(how, target), source);
  return target;
}

Tensor fill_(const Tensor& target, double value, std::string_view how) {
  check(target.defined(), how, ": the target is undefined");
  check_in_range(value, target.dtype(), how);
  if (traces(how, {target})) return update(how, target, number(value, target));
  memory_of(how, target).fill(value);
  return target;
}

Tensor zero_(const Tensor& target) { return fill_(target, 0, "zero_"); }

Tensor add_(const Tensor& target, const Tensor& other, double alpha) {
  check<DTypeError>(is_floating(other.dtype()) || alpha == std::trunc(alpha), "add_: alpha ", alpha, " is no ",
                    other.dtype(), ", the dtype of the tensor that it multiplies");
  return combine("add_", target, alpha == 1 ? other : other * alpha, add);
}
Tensor add_(const Tensor& target, double other) { return combine("add_", target, beside(target, other, "add_"), add); }
Tensor sub_(const Tensor& target, const Tensor& other) { return combine("sub_", target, other, sub); }
Tensor mul_(const Tensor& target, const Tensor& other) { return combine("mul_", target, other, mul); }
Tensor mul_(const Tensor& target, double other) { return combine("mul_", target, beside(target, other, "mul_"), mul); }
Tensor div_(const Tensor& target, const Tensor& other) { return combine("div_", target, other, div); }

Tensor slice_scatter_(const Tensor& target, const Tensor& source, int64_t axis, int64_t start, int64_t end) {
  constexpr std::string_view kHow = "slice_scatter_";
  const auto at = static_cast<int64_t>(normalize_axis(kHow, axis, target.rank()));
  if (!traces(kHow, {target, source})) {
    write(places_of(kHow, target).slice(at, start, end), source);
    return target;
  }
  const int64_t extent = target.dims()[static_cast<size_t>(at)];
  const SliceRange range = clamp_slice(extent, start, end, 1);
  if (range.count == 0) return target;
  const Tensor part = fitted(source, slice(target, at, range.start, range.start + range.count));
  std::vector<Tensor> parts;
  if (range.start > 0) parts.push_back(slice(target, at, 0, range.start));
  parts.push_back(part);
  if (range.start + range.count < extent) parts.push_back(slice(target, at, range.start + range.count, extent));
  return update(kHow, target, parts.size() == 1 ? part : cat(parts, at));
}

Tensor select_scatter_(const Tensor& target, const Tensor& source, int64_t axis, int64_t index) {
  constexpr std::string_view kHow = "select_scatter_";
  const auto at = static_cast<int64_t>(normalize_axis(kHow, axis, target.rank()));
  const int64_t extent = target.dims()[static_cast<size_t>(at)];
  check<ShapeError>(index >= -extent && index < extent, kHow, ": index ", index, " is out of range for axis ", at,
                    " of size ", extent);
  const int64_t place = index < 0 ? index + extent : index;
  check<ShapeError>(source.rank() < target.rank(), kHow, ": the source must lack axis ", at, " of ", target.dims(),
                    ", got ", source.dims());
  const auto missing = at - static_cast<int64_t>(target.rank() - source.rank() - 1);
  return slice_scatter_(target, missing < 0 ? source : unsqueeze(source, {missing}), at, place, place + 1);
}

Tensor index_copy_(const Tensor& target, int64_t axis, const Tensor& index, const Tensor& source) {
  constexpr std::string_view kHow = "index_copy_";
  const size_t at = normalize_axis(kHow, axis, target.rank());
  check_index_copy(target, at, index, source);
  if (traces(kHow, {target, index, source})) {
    const Tensor values = source.dtype() == target.dtype() ? source : cast(source, target.dtype());
    const Tensor places = apply(Expand{}, {along(index, at, target.rank()), apply(ShapeOf{}, {values})});
    return update(kHow, target, apply(ScatterElements{.axis = static_cast<int64_t>(at)}, {target, places, values}));
  }
  const Tensor memory = places_of(kHow, target);
  const Tensor values = source.memory() == target.memory() ? source.detach().clone() : source.detach();
  const std::vector<int64_t> places = index.to_vector<int64_t>();
  const int64_t extent = target.dims()[at];
  for (const int64_t place : places)
    check<ShapeError>(place >= -extent && place < extent, kHow, ": index ", place, " is out of range for axis ", at,
                      " of size ", extent);
  for (size_t i = 0; i < places.size(); ++i)
    memory.select(static_cast<int64_t>(at), places[i])
        .copy_from(values.select(static_cast<int64_t>(at), static_cast<int64_t>(i)));
  return target;
}

}  // namespace onemodel

#include "ops/shape_data.h"

namespace onemodel {
namespace {

// Larger numbers (the "to the end" of slices) take no part in arithmetic, so that none overflows.
constexpr int64_t kLargest = int64_t{1} << 31;

bool is_small(const Extent& extent) { return extent.coefficient() >= -kLargest && extent.coefficient() <= kLargest; }

std::optional<Extent> combine(ShapeArithmetic op, const Extent& a, const Extent& b) {
  if (!is_small(a) || !is_small(b)) return {};
  switch (op) {
    case ShapeArithmetic::add: return a + b;
    case ShapeArithmetic::sub: return a - b;
    case ShapeArithmetic::mul: return a * b;
    case ShapeArithmetic::div: break;
  }
  if (a.is_number() && b.is_number())
    return b.number() == 0 ? std::nullopt : std::optional<Extent>(a.number() / b.number());
  if (auto quotient = exact_div(a, b)) return quotient;
  if (b.is_number() && b.number() > 0 && a.coefficient() > 0) return floor_div(a, b.number());
  return {};
}

}  // namespace

Dims read_ints(const Tensor& tensor) {
  const int64_t stride = tensor.rank() == 0 ? 0 : tensor.strides().back();
  return visit_dtype(tensor.dtype(), [&](auto tag) {
    using T = typename decltype(tag)::type;
    const T* data = tensor.raw_as<T>();
    Dims out;
    for (int64_t i = 0; i < tensor.numel(); ++i) out.push_back(convert<int64_t>(data[i * stride]));
    return out;
  });
}

void check_ints(const InferContext& context, size_t i, bool allow_i32) {
  const DType dtype = context.dtype(i);
  context.check_dtype(dtype == DType::i64 || (allow_i32 && dtype == DType::i32), i,
                      allow_i32 ? "int64 or int32" : "int64");
  context.check(context.rank(i) == 1, "input ", i, " expects one axis, got shape ", context.shape(i));
}

size_t count_ints(const InferContext& context, size_t i) {
  const Extent& count = context.shape(i)[0];
  context.check<UnknownLength>(count.is_number(), "input ", i, " has ", count,
                               " elements; their number must be known, as it decides the rank");
  context.check(count.number() <= static_cast<int64_t>(kMaxRank), "input ", i, " has ", count,
                " elements, expected at most ", kMaxRank);
  return static_cast<size_t>(count.number());
}

bool knows_count(const InferContext& context, size_t i) {
  return context.shape(i)[0].is_number() || (context.tracing() && count_ints(context, i) > 0);
}

Shape unknown_shape(InferContext& context, size_t rank) {
  Shape out;
  for (size_t i = 0; i < rank; ++i) out.push_back(context.unknown(concat("axis", i)));
  return out;
}

unsigned axis_set(const InferContext& context, std::span<const int64_t> axes, size_t rank) {
  unsigned set = 0;
  for (int64_t axis : axes) {
    const unsigned bit = 1u << context.axis(axis, rank);
    context.check(!(set & bit), "axis ", axis, " is named twice");
    set |= bit;
  }
  return set;
}

std::optional<ShapeData> small_shape_data(const InferContext& context, size_t i) {
  if (!context.has(i) || context.rank(i) > 1) return {};
  const Extent count = context.shape(i).numel();
  if (!count.is_number() || count.number() > kMaxShapeData) return {};
  const DType dtype = context.dtype(i);
  const Tensor value = context.value(i);
  if (dtype == DType::boolean && value.defined()) {
    ShapeData out;
    const int64_t stride = value.rank() == 0 ? 0 : value.strides().back();
    for (int64_t k = 0; k < value.numel(); ++k) out.push_back(value.raw_as<bool>()[k * stride]);
    return out;
  }
  if (dtype != DType::boolean && dtype != DType::i64 && dtype != DType::i32) return {};
  return context.shape_data(i);
}

void keep_shape_data(InferContext& context, size_t i) {
  if (auto data = small_shape_data(context, i)) context.output_shape_data(0, std::move(*data));
}

void combine_shape_data(InferContext& context, ShapeArithmetic op) {
  const auto a = small_shape_data(context, 0);
  if (!a) return;
  const auto b = small_shape_data(context, 1);
  if (!b || (a->size() != b->size() && a->size() != 1 && b->size() != 1)) return;
  const size_t count = a->size() == 1 ? b->size() : a->size();
  ShapeData out;
  for (size_t i = 0; i < count; ++i) {
    auto extent = combine(op, (*a)[a->size() == 1 ? 0 : i], (*b)[b->size() == 1 ? 0 : i]);
    if (!extent) return;
    out.push_back(std::move(*extent));
  }
  context.output_shape_data(0, std::move(out));
}

void negate_shape_data(InferContext& context) {
  auto data = small_shape_data(context, 0);
  if (!data) return;
  for (Extent& extent : *data) {
    if (!is_small(extent)) return;
    extent = Extent(-1) * extent;
  }
  context.output_shape_data(0, std::move(*data));
}

}  // namespace onemodel

#include "ops/one_integer.h"

#include "ops/shape_data.h"

namespace onemodel {

void check_one(const InferContext& context, size_t i) {
  const Shape& shape = context.shape(i);
  const bool one = shape.rank() <= 1 && (!shape.numel().is_number() || shape.numel() == Extent(1));
  context.check(one, "input ", i, " expects one element, got shape ", shape);
}

void check_one_integer(const InferContext& context, size_t i, bool allow_i32) {
  const DType dtype = context.dtype(i);
  context.check_dtype(dtype == DType::i64 || (allow_i32 && dtype == DType::i32), i,
                      allow_i32 ? "int64 or int32" : "int64");
  check_one(context, i);
}

std::optional<Extent> one_extent(const InferContext& context, size_t i) {
  const Tensor known = context.value(i);
  if (known.defined() && known.numel() == 1) return Extent(read_one(known));
  if (!is_integer(context.dtype(i))) return {};
  const auto data = small_shape_data(context, i);
  return data && data->size() == 1 ? std::optional(data->front()) : std::nullopt;
}

int64_t read_one(const Tensor& tensor) {
  return visit_dtype(tensor.dtype(), [&](auto tag) {
    using T = typename decltype(tag)::type;
    return convert<int64_t>(*tensor.raw_as<T>());
  });
}

}  // namespace onemodel

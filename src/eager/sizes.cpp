#include "eager/sizes.h"

#include "eager/apply.h"
#include "eager/functions.h"
#include "eager/record.h"
#include "ops/shape.h"

namespace onemodel {
Tensor dim(const Tensor& x, int64_t axis) {
  const size_t at = normalize_axis("dim", axis, x.rank());
  if (type_of(x).shape[at].is_number()) return Tensor::scalar(x.dims()[at]);
  const auto start = static_cast<int64_t>(at);
  return reshape(apply(ShapeOf{start, start + 1}, {x}), {});
}

Tensor Sizes::operand(std::string_view who) const {
  std::vector<Tensor> parts;
  std::vector<int64_t> numbers;
  const auto flush = [&] {
    if (!numbers.empty()) parts.push_back(Tensor::from_ints(numbers));
    numbers.clear();
  };
  for (const ShapeEntry& size : sizes_) {
    const Tensor& handle = size.handle();
    if (!handle.defined()) {
      numbers.push_back(size.number());
      continue;
    }
    check<ArgumentError>(handle.dtype() == DType::i64 && handle.numel() == 1, who,
                         ": a size is a number or one int64, such as dim(x, axis); got ", type_of(handle));
    if (!is_traced(handle)) {
      numbers.push_back(handle.item<int64_t>());
      continue;
    }
    flush();
    parts.push_back(reshape(handle, {1}));
  }
  flush();
  if (parts.empty()) return Tensor::from_ints({});
  return parts.size() == 1 ? parts.front() : cat(parts);
}

}  // namespace onemodel

// Views of tensors: only offset, sizes and strides change.

#include <algorithm>

#include "core/small_number.h"
#include "core/tensor.h"

namespace onemodel {

Tensor Tensor::permute(std::span<const int64_t> axes) const {
  check_view("permute");
  check<ShapeError>(axes.size() == rank(), "permute: ", axes.size(), " axes for rank ", rank());
  Dims new_dims, new_strides;
  unsigned seen = 0;
  for (int64_t axis : axes) {
    const size_t a = normalize_axis("permute", axis, rank());
    check<ShapeError>(!(seen >> a & 1u), "permute: axis ", axis, " is named twice in ", Dims(axes));
    seen |= 1u << a;
    new_dims.push_back(dims()[a]);
    new_strides.push_back(strides()[a]);
  }
  return make(impl_->storage, offset(), new_dims, new_strides, dtype());
}

Tensor Tensor::transpose(int64_t axis_a, int64_t axis_b) const {
  Dims axes;
  for (size_t i = 0; i < rank(); ++i) axes.push_back(static_cast<int64_t>(i));
  std::swap(axes[normalize_axis("transpose", axis_a, rank())], axes[normalize_axis("transpose", axis_b, rank())]);
  return permute(axes);
}

SliceRange clamp_slice(int64_t extent, int64_t start, int64_t end, int64_t step) {
  const auto clamp = [extent, step](int64_t index) {
    if (index < 0) index = index < -extent ? -1 : index + extent;
    return step > 0 ? std::clamp<int64_t>(index, 0, extent) : std::clamp<int64_t>(index, -1, extent - 1);
  };
  if (extent == 0) return {0, step, 0};
  // With a negative step, a start before the axis is its first element, as in ONNX; an end there is before it.
  const int64_t from = std::max<int64_t>(clamp(start), 0), to = clamp(end);
  const int64_t span = step > 0 ? to - from : from - to;
  const uint64_t stride = step > 0 ? static_cast<uint64_t>(step) : 0 - static_cast<uint64_t>(step);
  const int64_t count = span <= 0 ? 0 : static_cast<int64_t>((static_cast<uint64_t>(span) - 1) / stride) + 1;
  return {from, step, count};
}

Tensor Tensor::slice(int64_t axis, int64_t start, int64_t end, int64_t step) const {
  check_view("slice");
  const size_t a = normalize_axis("slice", axis, rank());
  check<ArgumentError>(step != 0, "slice: the step is 0");
  const SliceRange range = clamp_slice(dims()[a], start, end, step);
  Dims new_dims = dims(), new_strides = strides();
  new_dims[a] = range.count;
  new_strides[a] = range.count > 1 ? strides()[a] * step : strides()[a];
  const int64_t first = range.count ? offset() + range.start * strides()[a] : offset();
  return make(impl_->storage, first, new_dims, new_strides, dtype());
}

Tensor Tensor::select(int64_t axis, int64_t index) const {
  check_view("select");
  const size_t a = normalize_axis("select", axis, rank());
  const int64_t extent = dims()[a];
  check<ShapeError>(index >= -extent && index < extent, "select: index ", index, " is out of range for axis ", a,
                    " of size ", extent);
  Dims new_dims = dims(), new_strides = strides();
  new_dims.erase(a);
  new_strides.erase(a);
  return make(impl_->storage, offset() + (index < 0 ? index + extent : index) * strides()[a], new_dims, new_strides,
              dtype());
}

Tensor Tensor::expand(const Dims& target) const {
  check_view("expand");
  Dims joined;
  check<ShapeError>(broadcast(dims(), target, joined) && joined == target, "expand: shape ", dims(),
                    " does not broadcast to ", target);
  Dims new_strides = Dims::filled(target.size(), 0);
  const size_t lead = target.size() - rank();
  for (size_t i = 0; i < rank(); ++i) new_strides[lead + i] = dims()[i] == 1 ? 0 : strides()[i];
  return make(impl_->storage, offset(), target, new_strides, dtype());
}

Tensor Tensor::reshape(const Dims& target) const {
  check_view("reshape");
  check<ShapeError>(onemodel::numel(target) == numel(), "reshape: shape ", dims(), " has ", numel(),
                    " elements, the target ", target, " has ", onemodel::numel(target));
  if (is_contiguous()) return make(impl_->storage, offset(), target, contiguous_strides(target), dtype());
  return copy().reshape(target);
}

namespace {

void print_element(std::string& out, const Tensor& tensor) {
  if (tensor.dtype() == DType::string) {
    append(out, '"');
    out += tensor.item<std::string>();
    append(out, '"');
    return;
  }
  const bool as_float = is_small(tensor.dtype()) || tensor.dtype() == DType::f16 || tensor.dtype() == DType::bf16;
  const Tensor single = as_float ? tensor.cast(DType::f32) : tensor;
  visit_dtype(single.dtype(), [&](auto tag) {
    using T = typename decltype(tag)::type;
    if constexpr (!std::is_same_v<T, Float16> && !std::is_same_v<T, BFloat16>) append(out, *single.raw_as<T>());
  });
}

void print_level(std::string& out, const Tensor& tensor, int64_t edge) {
  if (tensor.rank() == 0) {
    print_element(out, tensor);
    return;
  }
  const int64_t extent = tensor.dims()[0];
  out += '[';
  for (int64_t i = 0; i < extent; ++i) {
    if (i) out += ", ";
    if (extent > 2 * edge && i == edge) {
      out += "…, ";
      i = extent - edge;
    }
    print_level(out, tensor.select(0, i), edge);
  }
  out += ']';
}

}  // namespace

bool has_sound_elements(const Tensor& tensor) {
  const DType dtype = tensor.dtype();
  if (dtype != DType::boolean && packed_bits(dtype) >= 8) return true;
  const Tensor rows = tensor.contiguous();
  const auto* bytes = rows.raw_as<uint8_t>();
  return std::all_of(bytes, bytes + rows.numel(), [dtype](uint8_t b) {
    if (is_small_integer(dtype)) return static_cast<uint8_t>(small_to_integer(dtype, b)) == b;
    return b < (dtype == DType::boolean ? 2 : 16);
  });
}

void append(std::string& out, const Tensor& tensor) {
  if (!tensor.defined()) {
    out += "none";
    return;
  }
  append(out, tensor.dtype());
  append(out, tensor.dims());
}

std::string to_string(const Tensor& tensor, int64_t edge) {
  if (tensor.extension()) tensor.extension()->before_read(tensor, "to_string");
  const InternalAccess internal;
  std::string out;
  print_level(out, tensor, edge);
  return out;
}

}  // namespace onemodel

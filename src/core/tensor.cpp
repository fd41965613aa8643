#include "core/tensor.h"

#include <algorithm>
#include <cstring>
#include <limits>

#include "core/convert.h"
#include "core/rows.h"
#include "core/strings.h"
#include "core/write_watch.h"

namespace onemodel {
namespace {

bool rows_are_contiguous(const Dims& dims, const Dims& strides) {
  int64_t expected = 1;
  for (size_t i = dims.size(); i-- > 0;) {
    if (dims[i] != 1 && strides[i] != expected) return false;
    expected *= dims[i];
  }
  return true;
}

/// Calls `f` with a tag of an unsigned type as large as an element: what only moves elements is compiled for sizes.
template <class F>
void with_item(DType dtype, F&& f) {
  switch (dtype_size(dtype)) {
    case 1: return f(TypeTag<uint8_t>{});
    case 2: return f(TypeTag<uint16_t>{});
    case 4: return f(TypeTag<uint32_t>{});
    default: return f(TypeTag<uint64_t>{});
  }
}

void copy_rows(const Tensor& source, void* out) {
  with_item(source.dtype(), [&](auto tag) {
    using T = typename decltype(tag)::type;
    const T* in = source.raw_as<T>();
    T* to = static_cast<T*>(out);
    for_each_row(source.dims(), source.strides(), [&](int64_t offset, int64_t length, int64_t stride) {
      for (int64_t i = 0; i < length; ++i) *to++ = in[offset + i * stride];
    });
  });
}

void convert_rows(const Tensor& source, DType to, void* out) {
  if (to != source.dtype()) return convert_elements(source, to, out);
  const Strings strings(to == DType::string);
  copy_rows(source, out);
}

thread_local int g_internal = 0;

}  // namespace

InternalAccess::InternalAccess() { ++g_internal; }
InternalAccess::~InternalAccess() { --g_internal; }
bool is_internal() { return g_internal != 0; }

TensorExtension* Tensor::watcher() const {
  check(defined(), "the tensor is undefined: it has no elements");
  return g_internal ? nullptr : impl_->extension.get();
}

Tensor Tensor::make(std::shared_ptr<Storage> storage, int64_t offset, const Dims& dims, const Dims& strides,
                    DType dtype) {
  if (dtype == DType::string) storage->hold_strings();
  auto impl = std::make_shared<Impl>();
  impl->storage = std::move(storage);
  impl->offset = offset;
  impl->numel = onemodel::numel(dims);
  impl->dims = dims;
  impl->strides = strides;
  impl->dtype = dtype;
  impl->contiguous = impl->numel == 0 || rows_are_contiguous(dims, strides);
  Tensor out;
  out.impl_ = std::move(impl);
  return out;
}

Tensor Tensor::empty(const Dims& dims, DType dtype) {
  const size_t size = dtype_size(dtype);
  check<DTypeError>(size != 0, "a tensor needs an element type");
  int64_t bytes;
  const bool fits = !__builtin_mul_overflow(onemodel::numel(dims), static_cast<int64_t>(size), &bytes) &&
                    static_cast<uint64_t>(bytes) <= std::numeric_limits<size_t>::max();
  check<ShapeError>(fits, "shape ", dims, " of ", dtype, " does not fit the address space");
  return make(Storage::allocate(static_cast<size_t>(bytes)), 0, dims, contiguous_strides(dims), dtype);
}

Tensor Tensor::zeros(const Dims& dims, DType dtype) {
  Tensor out = empty(dims, dtype);
  std::memset(out.mutable_raw(), 0, out.bytes());
  return out;
}

Tensor Tensor::full(const Dims& dims, double value, DType dtype) {
  Tensor out = empty(dims, dtype);
  out.fill(value);
  return out;
}

template <class T>
Tensor Tensor::from(std::span<const T> values, const Dims& dims) {
  check<ShapeError>(onemodel::numel(dims) == static_cast<int64_t>(values.size()), "Tensor: shape ", dims, " holds ",
                    onemodel::numel(dims), " elements, got ", values.size());
  Tensor out = empty(dims, dtype_of<T>);
  if (!values.empty()) std::memcpy(out.mutable_raw(), values.data(), out.bytes());
  return out;
}

Tensor Tensor::from_ints(std::span<const int64_t> values) {
  return from(values, {static_cast<int64_t>(values.size())});
}

Tensor Tensor::view_of(std::shared_ptr<Storage> storage, int64_t offset, const Dims& dims, const Dims& strides,
                       DType dtype) {
  int64_t lowest = offset, highest = offset;
  for (size_t i = 0; i < dims.size(); ++i) (strides[i] < 0 ? lowest : highest) += (dims[i] - 1) * strides[i];
  const auto capacity = static_cast<int64_t>(storage->bytes() / dtype_size(dtype));
  check<ShapeError>(onemodel::numel(dims) == 0 || (lowest >= 0 && highest < capacity), "view ", dims, " at offset ",
                    offset, " leaves its storage of ", capacity, " elements");
  return make(std::move(storage), offset, dims, strides, dtype);
}

template <class T>
std::vector<T> Tensor::to_vector() const {
  if (TensorExtension* extension = watcher()) extension->before_read(*this, "to_vector");
  const InternalAccess internal;
  if constexpr (std::is_same_v<T, bool>) {
    const Tensor copy = cast(DType::boolean);
    return std::vector<bool>(copy.raw_as<bool>(), copy.raw_as<bool>() + copy.numel());
  } else {
    std::vector<T> out(static_cast<size_t>(numel()));
    convert_rows(*this, dtype_of<T>, out.data());
    return out;
  }
}

template <class T>
T Tensor::item() const {
  if (TensorExtension* extension = watcher()) extension->before_read(*this, "item");
  check<ShapeError>(numel() == 1, "item: the tensor has shape ", dims(), ", expected exactly one element");
  T out;
  convert_rows(*this, dtype_of<T>, &out);
  return out;
}

template <class T>
std::span<const T> Tensor::data() const {
  if (TensorExtension* extension = watcher()) extension->before_read(*this, "data");
  check_direct("data", dtype_of<T>);
  return {raw_as<T>(), static_cast<size_t>(numel())};
}

template <class T>
std::span<T> Tensor::mutable_data() const {
  before_write(*this, "mutable_data");
  check_direct("mutable_data", dtype_of<T>);
  return {mutable_raw_as<T>(), static_cast<size_t>(numel())};
}

void Tensor::check_direct(std::string_view how, DType wanted) const {
  check<DTypeError>(dtype() == wanted, how, ": the tensor has dtype ", dtype(), ", asked for ", wanted);
  check<ShapeError>(is_contiguous(), how, ": the tensor ", *this, " is not contiguous: take contiguous() first");
}

void Tensor::set(const Dims& index, double value) {
  before_write(*this, "set");
  check<ShapeError>(index.size() == rank(), "set: the tensor has shape ", dims(), ", got ", index.size(), " indices");
  for (size_t axis = 0; axis < rank(); ++axis)
    check<ShapeError>(index[axis] >= 0 && index[axis] < dims()[axis], "set: index ", index[axis],
                      " is out of range for axis ", axis, " of shape ", dims());
  int64_t position = 0;
  for (size_t axis = 0; axis < rank(); ++axis) position += index[axis] * strides()[axis];
  const size_t size = dtype_size(dtype());
  convert_rows(scalar(value), dtype(), mutable_raw() + position * static_cast<int64_t>(size));
}

void Tensor::fill(double value) {
  before_write(*this, "fill");
  const Strings strings(dtype() == DType::string);
  uint64_t bits = 0;
  convert_rows(scalar(value), dtype(), &bits);
  with_item(dtype(), [&](auto tag) {
    using T = typename decltype(tag)::type;
    T element;
    std::memcpy(&element, &bits, sizeof element);
    T* out = mutable_raw_as<T>();
    for_each_row(dims(), strides(), [&](int64_t offset, int64_t length, int64_t stride) {
      for (int64_t i = 0; i < length; ++i) out[offset + i * stride] = element;
    });
  });
}

void Tensor::copy_from(const Tensor& source) {
  before_write(*this, "copy_from");
  check_distinct(*this, "copy_from");
  if (TensorExtension* extension = source.watcher()) extension->before_read(source, "copy_from");
  const InternalAccess internal;
  check<ShapeError>(dims() == source.dims(), "copy_from: the target has shape ", dims(), ", the source ",
                    source.dims());
  const Strings strings(dtype() == DType::string);
  const bool in_place = source.dtype() == dtype() && source.memory() != storage();  // views may overlap
  const Tensor values = in_place ? source.contiguous() : source.cast(dtype());
  with_item(dtype(), [&](auto tag) {
    using T = typename decltype(tag)::type;
    const T* in = values.raw_as<T>();
    T* out = mutable_raw_as<T>();
    for_each_row(dims(), strides(), [&](int64_t offset, int64_t length, int64_t stride) {
      for (int64_t i = 0; i < length; ++i) out[offset + i * stride] = *in++;
    });
  });
}

Tensor Tensor::contiguous() const { return is_contiguous() ? *this : clone(); }

Tensor Tensor::clone() const {
  TensorExtension* extension = watcher();
  Tensor out = copy();
  if (extension) extension->after_copy(*this, out);
  return out;
}

Tensor Tensor::copy() const {
  const InternalAccess internal;
  return cast(dtype());
}

Tensor Tensor::detach() const {
  const TensorExtension* extension = watcher();
  return extension && extension->survives_detach()
             ? *this
             : make(impl_->storage, impl_->offset, impl_->dims, impl_->strides, impl_->dtype);
}

Tensor Tensor::cast(DType to) const {
  check_view("cast");
  Tensor out = empty(dims(), to);
  const Strings strings(to == DType::string);
  if (to == dtype() && is_contiguous()) {
    if (out.bytes()) std::memcpy(out.mutable_raw(), raw(), out.bytes());
    return out;
  }
  convert_rows(*this, to, out.mutable_raw());
  return out;
}

template <>
Tensor Tensor::from<std::string>(std::span<const std::string> values, const Dims& dims) {
  check<ShapeError>(onemodel::numel(dims) == static_cast<int64_t>(values.size()), "Tensor: shape ", dims, " holds ",
                    onemodel::numel(dims), " elements, got ", values.size());
  Strings strings;
  Tensor out = empty(dims, DType::string);
  auto* handles = out.mutable_raw_as<StringHandle>();
  for (const std::string& text : values) *handles++ = strings.add(text);
  return out;
}

template <>
std::vector<std::string> Tensor::to_vector<std::string>() const {
  if (TensorExtension* extension = watcher()) extension->before_read(*this, "to_vector");
  const InternalAccess internal;
  const Strings strings;
  const Tensor rows = dtype() == DType::string ? contiguous() : cast(DType::string);
  std::vector<std::string> out;
  const auto* handles = rows.raw_as<StringHandle>();
  for (int64_t i = 0; i < numel(); ++i) out.emplace_back(strings[handles[i]]);
  return out;
}

template <>
std::string Tensor::item<std::string>() const {
  const std::vector<std::string> values = to_vector<std::string>();
  check<ShapeError>(values.size() == 1, "item: the tensor has shape ", dims(), ", expected exactly one element");
  return values.front();
}

#define INSTANTIATE(T)                                              \
  template Tensor Tensor::from<T>(std::span<const T>, const Dims&); \
  template std::vector<T> Tensor::to_vector<T>() const;             \
  template T Tensor::item<T>() const;                               \
  template std::span<const T> Tensor::data<T>() const;              \
  template std::span<T> Tensor::mutable_data<T>() const;
INSTANTIATE(float)
INSTANTIATE(double)
INSTANTIATE(Float16)
INSTANTIATE(BFloat16)
INSTANTIATE(int8_t)
INSTANTIATE(int16_t)
INSTANTIATE(int32_t)
INSTANTIATE(int64_t)
INSTANTIATE(uint8_t)
INSTANTIATE(uint16_t)
INSTANTIATE(uint32_t)
INSTANTIATE(uint64_t)
INSTANTIATE(bool)
#undef INSTANTIATE

}  // namespace onemodel

#include "onnx/convert_tensor.h"

#include <cstring>
#include <limits>
#include <vector>

#include "graph/malformed.h"
#include "onnx/packed_elements.h"

namespace onemodel {
namespace {

Dims dims_of(const onnx::TensorProto& proto) {
  if (proto.dims_size() > static_cast<int>(kMaxRank))
    throw ModelError("Unsupported", concat("rank ", proto.dims_size(), " is above ", kMaxRank));
  Dims dims;
  for (const int64_t extent : proto.dims()) dims.push_back(extent);
  return dims;
}

template <class T, class List>
void copy_numbers(const List& list, const Tensor& out) {
  T* to = out.mutable_raw_as<T>();
  for (const auto value : list) {
    if constexpr (std::is_same_v<T, Float16> || std::is_same_v<T, BFloat16>) {
      require(value >= 0 && value <= 0xffff, "element ", value, " is not the bits of a ", out.dtype());
      (to++)->bits = static_cast<uint16_t>(value);
    } else if constexpr (std::is_integral_v<T> && !std::is_same_v<T, bool>) {
      require(std::in_range<T>(value), "element ", value, " does not fit ", out.dtype());
      *to++ = static_cast<T>(value);
    } else {
      *to++ = static_cast<T>(value);
    }
  }
}

// The typed field that holds elements of T: calls f with it.
template <class T, class F>
void with_field(const onnx::TensorProto& proto, F&& f) {
  if constexpr (std::is_same_v<T, float>)
    f(proto.float_data());
  else if constexpr (std::is_same_v<T, double>)
    f(proto.double_data());
  else if constexpr (std::is_same_v<T, int64_t>)
    f(proto.int64_data());
  else if constexpr (std::is_same_v<T, uint32_t> || std::is_same_v<T, uint64_t>)
    f(proto.uint64_data());
  else
    f(proto.int32_data());
}

int typed_elements(const onnx::TensorProto& proto) {
  return proto.float_data_size() + proto.double_data_size() + proto.int64_data_size() + proto.uint64_data_size() +
         proto.int32_data_size() + proto.string_data_size();
}

// Each number is a byte of the packed elements.
Tensor small_from_typed(const onnx::TensorProto& proto, DType dtype, const Dims& dims) {
  const auto& list = proto.int32_data();
  require(packed_bytes(dtype, static_cast<uint64_t>(numel(dims))) == static_cast<uint64_t>(list.size()) &&
              list.size() == typed_elements(proto),
          "shape ", dims, " of ", dtype, " does not fit ", typed_elements(proto), " elements");
  std::vector<uint8_t> packed;
  for (const int32_t value : list) {
    require(value >= 0 && value <= UINT8_MAX, "element ", value, " is not the bits of a ", dtype);
    packed.push_back(static_cast<uint8_t>(value));
  }
  return unpack_elements(dtype, dims, packed);
}

Tensor strings_from_onnx(const onnx::TensorProto& proto, const Dims& dims) {
  require(!proto.has_raw_data(), "strings are in raw_data, expected string_data");
  const auto& list = proto.string_data();
  require(
      static_cast<uint64_t>(numel(dims)) == static_cast<uint64_t>(list.size()) && list.size() == typed_elements(proto),
      "shape ", dims, " of string does not fit ", typed_elements(proto), " elements");
  const std::vector<std::string> texts(list.begin(), list.end());
  return Tensor::from(std::span<const std::string>(texts), dims);
}

}  // namespace

DType dtype_from_onnx(int32_t data_type) {
  const auto dtype = static_cast<DType>(data_type);
  if (data_type >= 0 && data_type <= UINT8_MAX && dtype_size(dtype) != 0) return dtype;
  const bool is_complex = data_type == 14 || data_type == 15;
  const std::string_view name = data_type == 14 ? "complex64" : is_complex ? "complex128" : "unknown";
  throw ModelError("Unsupported", concat("element type ", data_type, " (", name, ") is not supported",
                                         is_complex ? ": no operator here computes with complex numbers" : ""));
}

Tensor tensor_from_onnx(const onnx::TensorProto& proto) {
  if (proto.data_location() == onnx::TensorProto::EXTERNAL || proto.external_data_size() > 0)
    throw ModelError("Unsupported", "the values are in another file (external data); save the model in one file");
  if (proto.has_segment()) throw ModelError("Unsupported", "segments are not supported");
  const DType dtype = dtype_from_onnx(proto.data_type());
  const Dims dims = dims_of(proto);
  if (dtype == DType::string) return strings_from_onnx(proto, dims);
  const auto count = static_cast<uint64_t>(numel(dims));
  if (proto.has_raw_data()) {
    const std::string& raw = proto.raw_data();
    require(typed_elements(proto) == 0, "values are given twice, in raw_data and a typed field");
    require(count / 8 <= raw.size() && raw.size() == packed_bytes(dtype, count), "shape ", dims, " of ", dtype,
            " does not fit ", raw.size(), " bytes of data");
    if (is_small(dtype))
      return unpack_elements(dtype, dims, {reinterpret_cast<const uint8_t*>(raw.data()), raw.size()});
    Tensor out = Tensor::empty(dims, dtype);
    std::byte* to = out.mutable_raw();
    if (!raw.empty()) std::memcpy(to, raw.data(), raw.size());
    if (dtype == DType::boolean)
      for (size_t i = 0; i < raw.size(); ++i) to[i] = std::byte(raw[i] != 0);
    return out;
  }
  if (is_small(dtype)) return small_from_typed(proto, dtype, dims);
  Tensor out;
  visit_dtype(dtype, [&](auto tag) {
    using T = typename decltype(tag)::type;
    with_field<T>(proto, [&](const auto& list) {
      require(static_cast<uint64_t>(list.size()) == count && list.size() == typed_elements(proto), "shape ", dims,
              " of ", dtype, " does not fit ", typed_elements(proto), " elements");
      out = Tensor::empty(dims, dtype);
      copy_numbers<T>(list, out);
    });
  });
  return out;
}

void tensor_type_to_onnx(const Tensor& tensor, const std::string& name, onnx::TensorProto& out) {
  for (const int64_t extent : tensor.dims()) out.add_dims(extent);
  out.set_data_type(static_cast<int32_t>(tensor.dtype()));
  if (!name.empty()) out.set_name(name);
}

void tensor_to_onnx(const Tensor& tensor, const std::string& name, onnx::TensorProto& out) {
  const Tensor values = tensor.contiguous();
  tensor_type_to_onnx(values, name, out);
  if (values.dtype() == DType::string)
    for (std::string& text : values.to_vector<std::string>()) out.add_string_data(std::move(text));
  else
    out.set_raw_data(pack_elements(values));
}

}  // namespace onemodel

#include "onnx/convert_tensor.h"

#include <cstring>
#include <limits>

namespace onemodel {
namespace {

template <class... Parts>
void require(bool ok, const Parts&... parts) {
  if (!ok) [[unlikely]]
    throw ModelError("Malformed", concat(parts...));
}

std::string_view unsupported_type_name(int32_t data_type) {
  constexpr std::string_view names[] = {"string",     "complex64",      "complex128", "float8e4m3fn", "float8e4m3fnuz",
                                        "float8e5m2", "float8e5m2fnuz", "uint4",      "int4",         "float4e2m1",
                                        "float8e8m0", "uint2",          "int2"};
  constexpr int32_t numbers[] = {8, 14, 15, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26};
  for (size_t i = 0; i < std::size(numbers); ++i)
    if (numbers[i] == data_type) return names[i];
  return "unknown";
}

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

}  // namespace

DType dtype_from_onnx(int32_t data_type) {
  for (const DType dtype : kAllDTypes)
    if (static_cast<int32_t>(dtype) == data_type) return dtype;
  throw ModelError("Unsupported",
                   concat("element type ", data_type, " (", unsupported_type_name(data_type), ") is not supported"));
}

Tensor tensor_from_onnx(const onnx::TensorProto& proto) {
  if (proto.data_location() == onnx::TensorProto::EXTERNAL || proto.external_data_size() > 0)
    throw ModelError("Unsupported", "the values are in another file (external data); save the model in one file");
  if (proto.has_segment()) throw ModelError("Unsupported", "segments are not supported");
  const DType dtype = dtype_from_onnx(proto.data_type());
  const Dims dims = dims_of(proto);
  const auto count = static_cast<uint64_t>(numel(dims));
  if (proto.has_raw_data()) {
    const std::string& raw = proto.raw_data();
    require(typed_elements(proto) == 0, "values are given twice, in raw_data and a typed field");
    require(count <= raw.size() && raw.size() == count * dtype_size(dtype), "shape ", dims, " of ", dtype,
            " does not fit ", raw.size(), " bytes of data");
    Tensor out = Tensor::empty(dims, dtype);
    std::byte* to = out.mutable_raw();
    if (!raw.empty()) std::memcpy(to, raw.data(), raw.size());
    if (dtype == DType::boolean)
      for (size_t i = 0; i < raw.size(); ++i) to[i] = std::byte(raw[i] != 0);
    return out;
  }
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

void tensor_to_onnx(const Tensor& tensor, const std::string& name, onnx::TensorProto& out) {
  const Tensor values = tensor.contiguous();
  for (const int64_t extent : values.dims()) out.add_dims(extent);
  out.set_data_type(static_cast<int32_t>(values.dtype()));
  if (!name.empty()) out.set_name(name);
  out.set_raw_data(values.raw(), values.bytes());
}

}  // namespace onemodel

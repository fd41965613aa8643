#include "onnx/packed_elements.h"

#include "core/small_number.h"

namespace onemodel {

uint64_t packed_bytes(DType dtype, uint64_t count) {
  const uint64_t per_byte = packed_bits(dtype) < 8 ? 8 / packed_bits(dtype) : 1;
  return per_byte == 1 ? count * dtype_size(dtype) : count / per_byte + (count % per_byte != 0);
}

Tensor unpack_elements(DType dtype, const Dims& dims, std::span<const uint8_t> packed) {
  Tensor out = Tensor::empty(dims, dtype);
  auto* to = out.mutable_raw_as<uint8_t>();
  const size_t bits = packed_bits(dtype), per_byte = 8 / bits, count = static_cast<size_t>(out.numel());
  const int mask = (1 << bits) - 1;
  for (size_t i = 0; i < count; ++i) {
    const auto element = static_cast<uint8_t>((packed[i / per_byte] >> (i % per_byte * bits)) & mask);
    to[i] = is_small_integer(dtype) ? static_cast<uint8_t>(small_to_integer(dtype, element)) : element;
  }
  return out;
}

std::string pack_elements(const Tensor& tensor) {
  const size_t bits = packed_bits(tensor.dtype());
  if (bits >= 8) return {reinterpret_cast<const char*>(tensor.raw()), tensor.bytes()};
  const size_t per_byte = 8 / bits, count = static_cast<size_t>(tensor.numel());
  const auto* from = tensor.raw_as<uint8_t>();
  const int mask = (1 << bits) - 1;
  std::string out(static_cast<size_t>(packed_bytes(tensor.dtype(), count)), '\0');
  for (size_t i = 0; i < count; ++i) {
    char& byte = out[i / per_byte];
    byte = static_cast<char>(static_cast<uint8_t>(byte) | ((from[i] & mask) << (i % per_byte * bits)));
  }
  return out;
}

}  // namespace onemodel

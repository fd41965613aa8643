#pragma once
// Elements of less than 8 bits as ONNX files hold them: several to a byte, the first in its lowest bits.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "core/tensor.h"

namespace onemodel {

/// Bytes of `count` elements in a file, which may be of any type.
uint64_t packed_bytes(DType dtype, uint64_t count);

/// The tensor of these elements; `packed` has packed_bytes of them. `dtype` is small.
Tensor unpack_elements(DType dtype, const Dims& dims, std::span<const uint8_t> packed);

/// The bytes of a contiguous tensor, of any type but string.
std::string pack_elements(const Tensor& tensor);

}  // namespace onemodel

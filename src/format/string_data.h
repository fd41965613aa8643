#pragma once
// The elements of string tensors in a .onemodel file (docs/format.md): their lengths, then their texts.

#include "core/tensor.h"
#include "format/bytes.h"

namespace onemodel {

/// The bytes, as a tensor of uint8.
Tensor encode_strings(const Tensor& tensor);
/// Takes the elements of a tensor of `dims` from `in`. Throws ModelError(Malformed), before allocating, when they are more
/// than its bytes.
Tensor decode_strings(const Dims& dims, ByteReader& in);

}  // namespace onemodel

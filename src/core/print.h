#pragma once
// Printing to streams, for programs that use the library: the engine itself has no streams.

#include <ostream>

#include "core/tensor.h"

namespace onemodel {

inline std::ostream& operator<<(std::ostream& out, DType dtype) { return out << dtype_name(dtype); }
/// "[2, 3]".
inline std::ostream& operator<<(std::ostream& out, const Dims& dims) { return out << concat(dims); }
/// dtype, shape and values, of these at most four from each end of an axis: "float32[2] [1, 2.5]". Throws what reading a tensor
/// that is traced throws.
inline std::ostream& operator<<(std::ostream& out, const Tensor& tensor) {
  out << concat(tensor);
  return tensor.defined() ? out << ' ' << to_string(tensor) : out;
}

}  // namespace onemodel

#pragma once
// Sparse tensors of ONNX files, as dense ones.

#include <onnx.pb.h>

#include "core/tensor.h"

namespace onemodel {

/// The tensor of shape `dims` that has the given values at their indices, places in row-major order or one row of
/// coordinates each, and 0 elsewhere. Throws ModelError; TooLarge for a tensor of more than 2 GiB.
Tensor dense_tensor_from_onnx(const onnx::SparseTensorProto& proto);

}  // namespace onemodel

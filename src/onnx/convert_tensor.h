#pragma once
// TensorProto from and to Tensor.

#include <onnx.pb.h>

#include <string>

#include "core/tensor.h"

namespace onemodel {

/// The dtype of a TensorProto.DataType; throws ModelError(Unsupported) naming the type.
DType dtype_from_onnx(int32_t data_type);

/// A copy of the elements, in whichever field they are. Sizes are checked before memory is taken.
/// Throws ModelError: Malformed when dims and data disagree, Unsupported for external data,
/// segments and element types that a Tensor cannot have (complex numbers).
Tensor tensor_from_onnx(const onnx::TensorProto& proto);

/// Name, dims and dtype.
void tensor_type_to_onnx(const Tensor& tensor, const std::string& name, onnx::TensorProto& out);
/// The same and raw_data, or string_data of strings.
void tensor_to_onnx(const Tensor& tensor, const std::string& name, onnx::TensorProto& out);

}  // namespace onemodel

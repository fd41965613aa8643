#pragma once
// ValueInfoProto from and to TensorType.

#include <onnx.pb.h>

#include <string_view>

#include "core/extent.h"
#include "graph/graph.h"

namespace onemodel {

/// The extent whose text() is `text`: "batch" is a symbol, "2*batch" a product. Text of another
/// form names one symbol as a whole. Throws ModelError(Malformed) for text that cannot name a size.
Extent extent_from_text(std::string_view text);

/// The type of a graph input, or of the tensor that it may be. Extents without value or name become symbols "NAME_dim_I"; undefined when the rank is not
/// told. Throws ModelError(Unsupported) for anything but a tensor of known element type.
TensorType input_type_from_onnx(const onnx::ValueInfoProto& proto);

/// The type of another value; undefined unless it is a tensor whose every extent is told.
TensorType declared_type_from_onnx(const onnx::ValueInfoProto& proto);

/// As declared, with symbols "NAME_dim_I" for extents that are not told; undefined when the rank or the element type is not.
TensorType loosely_declared_type(const onnx::ValueInfoProto& proto);

/// What a value of that type is. Throws ModelError(Unsupported) for maps, sparse tensors and sequences of sequences.
Holds holds_from_onnx(const onnx::TypeProto& proto);
/// The element type of the tensors inside a sequence or an optional; no shape.
TensorType element_type_from_onnx(const onnx::TypeProto& proto);

/// Symbolic extents become dim_param.
void type_to_onnx(std::string_view name, const TensorType& type, onnx::ValueInfoProto& out,
                  Holds holds = Holds::tensor);

}  // namespace onemodel

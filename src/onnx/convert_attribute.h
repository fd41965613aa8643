#pragma once
// AttributeProto from and to AttributeValue.

#include <onnx.pb.h>

#include "ops/attribute.h"

namespace onemodel {

/// Throws ModelError: Unsupported for subgraphs and the kinds that no operator of ours has,
/// Malformed for a reference outside a function.
AttributeValue attribute_from_onnx(const onnx::AttributeProto& proto);

void attribute_to_onnx(std::string_view name, const AttributeValue& value, onnx::AttributeProto& out);

}  // namespace onemodel

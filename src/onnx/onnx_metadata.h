#pragma once
// Keys of metadata_props that carry what ONNX has no field for.

#include <string_view>

namespace onemodel {

inline constexpr std::string_view kModulePathMetadataKey = "onemodel.module_path";  // of a node
inline constexpr std::string_view kKindMetadataKey = "onemodel.kind";               // of a tensor
inline constexpr std::string_view kOpsetMetadataKey = "onemodel.opset";             // of a node, while reading

}  // namespace onemodel

#pragma once
// Keys of metadata_props that carry what ONNX has no field for.

#include <string_view>

namespace onemodel {

inline constexpr std::string_view kModulePathMetadataKey = "onemodel.module_path";  // of a node
inline constexpr std::string_view kKindMetadataKey = "onemodel.kind";               // of a tensor
/// Of a node, while reading: the version of its domain. Of a graph that was read: that of ai.onnx, for messages.
inline constexpr std::string_view kOpsetMetadataKey = "onemodel.opset";
/// Of a model: what contract_from_text reads. The sizes that they speak of are the inputs' dim_params.
inline constexpr std::string_view kSizeRangesMetadataKey = "onemodel.size_ranges";
inline constexpr std::string_view kSizeRelationsMetadataKey = "onemodel.size_relations";

}  // namespace onemodel

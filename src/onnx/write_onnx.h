#pragma once
// Writes graphs as .onnx files.

#include <cstddef>
#include <vector>

#include "graph/graph.h"

namespace onemodel {

inline constexpr int kWrittenOnnxOpset = 20;
inline constexpr int kWrittenOnnxIr = 9;

/// A ModelProto, opset 20 and IR version 9, or the first that have the graph's element types (21 for int4); equal graphs
/// give equal bytes. A node is named
/// "module.path/name"; its path is also in metadata_props under "onemodel.module_path", and a
/// constant's kind in its tensor's under "onemodel.kind". A fused clamp becomes a Relu or Clip
/// node, an internal operator the ONNX operators it stands for.
///
/// Throws ModelError: Unsupported for an operator that has no ONNX form, TooLarge above the 2 GiB
/// of a protocol buffer, Malformed for a graph that does not verify.
std::vector<std::byte> write_onnx(const Graph& graph);

}  // namespace onemodel

#pragma once
// Writes graphs as .onnx files.

#include <cstddef>
#include <vector>

#include "graph/graph.h"

namespace onemodel {

/// A ModelProto of the lowest opset from 20 up that the graph needs; equal graphs give equal bytes. A node is named
/// "module.path/name"; its path is also in metadata_props under "onemodel.module_path", and a
/// constant's kind in its tensor's under "onemodel.kind". A fused clamp becomes a Relu or Clip
/// node, an internal operator the ONNX operators it stands for.
///
/// Throws ModelError: Unsupported for an operator that has no ONNX form, TooLarge above the 2 GiB
/// of a protocol buffer, Malformed for a graph that does not verify.
std::vector<std::byte> write_onnx(const Graph& graph);

}  // namespace onemodel

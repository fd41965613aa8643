#pragma once
// Writes graphs as .onnx files.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "graph/graph.h"

namespace onemodel {

/// Weights in a file beside the model (external data), without which a model ends at 2 GiB.
struct ExternalWeights {
  /// The file's name as the model gives it: a plain name, since it is looked for in the model's folder only.
  std::string file;
  /// Gets the file's bytes, front to back. Each weight begins at a multiple of 64.
  std::function<void(std::span<const std::byte>)> write;
  /// Constants of fewer bytes, and strings, stay in the model.
  uint64_t least_bytes = 1024;
};

/// A ModelProto of the lowest opset from 20 up that the graph needs; equal graphs give equal bytes. A node is named
/// "module.path/name"; its path is also in metadata_props under "onemodel.module_path", and a
/// constant's kind in its tensor's under "onemodel.kind". A fused clamp becomes a Relu or Clip
/// node, an internal operator the ONNX operators it stands for.
///
/// Throws ModelError: Unsupported for an operator that has no ONNX form, TooLarge above the 2 GiB
/// of a protocol buffer, Malformed for a graph that does not verify; ArgumentError for a name that leads elsewhere.
std::vector<std::byte> write_onnx(const Graph& graph, const ExternalWeights* external = nullptr);

}  // namespace onemodel

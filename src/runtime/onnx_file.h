#pragma once
// .onnx files of the native build, with the weights beside them.

#include <cstdint>
#include <optional>
#include <string>

#include "graph/graph.h"

namespace onemodel {

/// Reads a model, and its weights where they are in files of the same folder. Throws what `read_onnx` throws, the path
/// before the message, and ArgumentError when the system refuses.
Graph load_onnx(const std::string& path);

/// Writes a model. With `external_from`, weights of at least so many bytes go to a file beside it, `path` with ".data"
/// appended, as models above 2 GiB need. Files are replaced only when everything was written. Throws what `write_onnx`
/// throws, and ArgumentError when the system refuses.
void save_onnx(const std::string& path, const Graph& graph, std::optional<uint64_t> external_from = {});

}  // namespace onemodel

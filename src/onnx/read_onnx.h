#pragma once
// Reads .onnx files into graphs.

#include <cstddef>
#include <span>

#include "graph/graph.h"

namespace onemodel {

/// What a file may ask for. Protocol buffers end at 2 GiB in any case.
struct OnnxReadOptions {
  size_t max_bytes = (size_t{1} << 31) - 1;
  size_t max_nodes = 1'000'000;
};

inline constexpr int kOldestOnnxOpset = 1;
inline constexpr int kNewestOnnxOpset = 25;
inline constexpr int kOldestOnnxIr = 3;
inline constexpr int kNewestOnnxIr = 13;

/// The graph of a ModelProto: operators in today's form, functions inlined, nodes in topological order, Constant nodes
/// as constants, types inferred, verified. Tensors own their memory; `file` is not kept.
///
/// The file is taken to be hostile. Everything wrong with it is found first and told in one
/// ModelError, one line each with node, operator, domain and opset: kind Unsupported when the file
/// is well formed but beyond this engine (unknown operator, domain or opset, external
/// data, element type), else Malformed; TooLarge beyond the options.
Graph read_onnx(std::span<const std::byte> file, const OnnxReadOptions& options = {});

}  // namespace onemodel
